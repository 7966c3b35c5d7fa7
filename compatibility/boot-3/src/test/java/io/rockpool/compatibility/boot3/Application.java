package io.rockpool.compatibility.boot3;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application that caches through JCache. */
@Configuration
@EnableAutoConfiguration
@EnableCaching
class Application {
  private int calls;

  /** How many calls reached the method; itself one, since the proxy has fields of its own. */
  public int calls() {
    return calls;
  }

  static ConfigurableApplicationContext start() {
    SpringApplication application = new SpringApplication(Application.class);
    application.setRegisterShutdownHook(false);
    return application.run(
        "--spring.cache.type=jcache", "--spring.cache.cache-names=squares,cubes");
  }

  @Cacheable("squares")
  public String square(int number, String unit) {
    calls++;
    return number * number + unit;
  }
}
