package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Child;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Boot's developer tools, which restart an application in its process when it is compiled. */
@Slow
@Timeout(120)
@NotEncrypted("the tools call the first main method again, which would be that of the extension")
final class DevtoolsRestartTest {
  private static final String APPLICATION =
      """
      package app;

      import org.springframework.boot.ApplicationRunner;
      import org.springframework.boot.SpringApplication;
      import org.springframework.boot.autoconfigure.SpringBootApplication;
      import org.springframework.cache.annotation.*;
      import org.springframework.context.annotation.Bean;

      @SpringBootApplication
      @EnableCaching
      public class Application {
        public record Order(int id, String madeBy ADDED) {}

        public interface Orders {
          Order order(int id);
        }

        public static class Shop implements Orders {
          @Cacheable("orders")
          public Order order(int id) {
            return new Order(id, "VERSION" MORE);
          }
        }

        public static void main(String[] args) {
          SpringApplication.run(Application.class, args);
        }

        @Bean
        Orders orders() {
          return new Shop();
        }

        @Bean
        ApplicationRunner runner(Orders orders) {
          return args ->
              System.out.println(
                  "VERSION, "
                      + Application.class.getClassLoader().getClass().getSimpleName()
                      + ": "
                      + orders.order(1));
        }
      }
      """;

  @TempDir private Path directory;

  private Path classes() {
    return directory.resolve("classes");
  }

  private void compile(String version, String added, String more) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("Application.java"),
            APPLICATION.replace("ADDED", added).replace("MORE", more).replace("VERSION", version));
    int exitCode =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-parameters",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes().toString(),
                file.toString());
    assertThat(exitCode).isZero();
  }

  /** The library comes as directories here, which the tools would take for the application's. */
  private void keepTheLibrary() throws IOException {
    Path settings = classes().resolve("META-INF").resolve("spring-devtools.properties");
    Files.createDirectories(settings.getParent());
    Files.writeString(settings, "restart.exclude.library=.*/target/(test-)?classes/\n");
  }

  private Child start() throws IOException, ReflectiveOperationException {
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes().toUri().toURL()})) {
      return Child.start(
          loader.loadClass("app.Application"),
          List.of("-cp", classes() + File.pathSeparator + System.getProperty("java.class.path")),
          "--rockpool.directory=" + directory.resolve("store"),
          "--rockpool.defaults.evolve=true", // the changed class has a field more
          "--spring.main.web-application-type=none",
          "--spring.main.keep-alive=true",
          "--spring.main.banner-mode=off",
          "--spring.devtools.livereload.enabled=false");
    }
  }

  @Test
  void whatWasCachedIsOfTheNewClasses() throws Exception {
    keepTheLibrary();
    compile("first", "", "");
    try (Child application = start()) {
      assertThat(application.readLine())
          .isEqualTo("first, RestartClassLoader: Order[id=1, madeBy=first]");
      compile("second", ", Integer cents", ", 5");
      assertThat(application.readLine())
          .isEqualTo("second, RestartClassLoader: Order[id=1, madeBy=first, cents=null]");
      compile("third", ", long cents", ", 5");
      assertThat(application.readLine())
          .isEqualTo("third, RestartClassLoader: Order[id=1, madeBy=first, cents=0]");
    }
  }
}
