package io.rockpool.sample.world;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentScoredSet;
import java.io.IOException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * The service. All that makes its caches survive a restart is {@link EnableCaching} and Rockpool on
 * the class path; its collections are beans of the store that comes with that. With a profile of
 * {@code redis} or {@code postgresql}, several instances share a store on a server.
 */
@SpringBootApplication(proxyBeanMethods = false)
@EnableCaching(proxyTargetClass = true)
@EnableScheduling
public class WorldApplication {
  /**
   * Starts the service; with {@code --three redis} or {@code --three postgresql}, a server of this
   * machine and three instances on it.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length == 2 && args[0].equals("--three")) {
      Three.run(args[1]);
      return;
    }
    SpringApplication.run(WorldApplication.class, args);
  }

  /** How often each country was asked for. */
  @Bean
  @Profile("!redis") // there are no collections
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
