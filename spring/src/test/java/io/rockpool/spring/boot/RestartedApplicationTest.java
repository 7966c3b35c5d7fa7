package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.spring.SuiteStores;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * An application that is restarted in its process, as Boot's developer tools do: its own classes
 * come from a new class loader each time, the library's from one that stays.
 */
@Timeout(60)
final class RestartedApplicationTest {
  private static final String APPLICATION =
      """
      package app;

      import java.util.concurrent.Callable;
      import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
      import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
      import org.springframework.cache.annotation.*;
      import org.springframework.context.annotation.*;

      @Configuration
      @EnableCaching(proxyTargetClass = true)
      @AutoConfigurationPackage
      @ImportAutoConfiguration({
        io.rockpool.spring.boot.RockpoolAutoConfiguration.class,
        io.rockpool.spring.boot.RockpoolCacheAutoConfiguration.class,
        org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration.class
      })
      public class Application {
        public record Id(String shop, int number) {}

        public record Order(Id id, String madeBy ADDED) {}

        public static class Orders implements Callable<Object> {
          @Cacheable("orders")
          public Order order(Id id) {
            return new Order(id, "VERSION" MORE);
          }

          public Object call() {
            return self.order(new Id("s", 1));
          }

          @org.springframework.beans.factory.annotation.Autowired @Lazy Orders self;
        }

        @Bean
        public Orders orders() {
          return new Orders();
        }
      }
      """;

  @TempDir private Path directory;

  private URLClassLoader version(String name, String added, String more) throws Exception {
    Path classes = Files.createDirectories(directory.resolve(name));
    Path file =
        Files.writeString(
            classes.resolve("Application.java"),
            APPLICATION.replace("ADDED", added).replace("MORE", more).replace("VERSION", name));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(
                    null,
                    null,
                    null,
                    "-proc:none",
                    "-nowarn",
                    "-parameters",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-d",
                    classes.toString(),
                    file.toString()))
        .isZero();
    return new URLClassLoader(
        new URL[] {classes.toUri().toURL()}, RestartedApplicationTest.class.getClassLoader());
  }

  private ConfigurableApplicationContext start(URLClassLoader loader) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      SpringApplication application =
          new SpringApplication(
              new DefaultResourceLoader(loader), loader.loadClass("app.Application"));
      application.setWebApplicationType(WebApplicationType.NONE);
      application.setBannerMode(Banner.Mode.OFF);
      application.setLogStartupInfo(false);
      application.setRegisterShutdownHook(false);
      return application.run(
          "--" + SuiteStores.property(directory.resolve("store")),
          "--rockpool.defaults.evolve=true"); // the changed class has a field more
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static Object order(ConfigurableApplicationContext context) throws Exception {
    return ((Callable<?>) context.getBean("orders")).call();
  }

  @Test
  void valuesAreOfTheNewClassLoader() throws Exception {
    try (URLClassLoader first = version("first", "", "");
        URLClassLoader second = version("second", "", "");
        URLClassLoader third = version("third", ", Integer cents", ", 5")) {
      try (ConfigurableApplicationContext context = start(first)) {
        Object order = order(context);
        assertThat(order.toString()).contains("madeBy=first");
        assertThat(order.getClass().getClassLoader()).isSameAs(first);
      }
      try (ConfigurableApplicationContext context = start(second)) {
        Object order = order(context);
        assertThat(order.toString()).contains("madeBy=first");
        assertThat(order.getClass().getClassLoader()).isSameAs(second);
      }
      try (ConfigurableApplicationContext context = start(third)) {
        Object order = order(context);
        assertThat(order.toString()).contains("madeBy=first", "cents=null");
        assertThat(order.getClass().getClassLoader()).isSameAs(third);
      }
    }
  }

  @Test
  void aStoreThatSomebodyKeepsOpenStays() throws Exception {
    try (Rockpool kept = SuiteStores.open(directory.resolve("store"));
        URLClassLoader first = version("first", "", "");
        URLClassLoader second = version("second", ", Integer cents", ", 5")) {
      try (ConfigurableApplicationContext context = start(first)) {
        order(context);
        assertThat(order(context).getClass().getClassLoader()).isSameAs(first);
        try (ConfigurableApplicationContext beside = start(second)) {
          assertThat(order(beside).toString()).contains("madeBy=first", "cents=null");
          assertThat(order(beside).getClass().getClassLoader()).isSameAs(second);
        }
        assertThat(order(context).getClass().getClassLoader()).isSameAs(first);
      }
      assertThat(kept.names().list("")).hasSize(1);
    }
  }
}
