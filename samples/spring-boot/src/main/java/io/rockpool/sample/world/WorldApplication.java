package io.rockpool.sample.world;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentScoredSet;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;

/**
 * The service. All that makes its caches survive a restart is {@link EnableCaching} and Rockpool on
 * the class path; its collections are beans of the store that comes with that.
 */
@SpringBootApplication(proxyBeanMethods = false)
@EnableCaching(proxyTargetClass = true)
public class WorldApplication {
  /** Starts the service. */
  public static void main(String[] args) {
    SpringApplication.run(WorldApplication.class, args);
  }

  /** How often each country was asked for. */
  @Bean
  static PersistentScoredSet<String> popularity(Rockpool pool) {
    return pool.scoredSet("world/popularity", String.class);
  }

  @Bean
  static ApplicationListener<WebServerInitializedEvent> address() {
    return event -> {
      System.out.println("Open http://127.0.0.1:" + event.getWebServer().getPort() + "/");
      System.out.flush();
    };
  }
}
