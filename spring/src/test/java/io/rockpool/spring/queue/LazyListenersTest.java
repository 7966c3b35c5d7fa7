package io.rockpool.spring.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.spring.SuiteStores;
import io.rockpool.spring.boot.RockpoolAutoConfiguration;
import io.rockpool.spring.boot.RockpoolQueueAutoConfiguration;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Beans with listeners that are made while the application runs, and cannot be. */
@Timeout(60)
final class LazyListenersTest {
  @TempDir private Path directory;

  /** One of its listeners cannot start. */
  static class Broken {
    @RockpoolListener(queue = "lazy-1")
    void one(String message) {}

    @RockpoolListener(queue = "lazy-2")
    void two(String message) {}

    @RockpoolListener(queue = "lazy-broken", concurrency = "0")
    void broken(String message) {}

    @RockpoolListener(queue = "lazy-3")
    void three(String message) {}

    @RockpoolListener(queue = "lazy-4")
    void four(String message) {}
  }

  @Test
  void aBeanThatCannotBeMadeLeavesNoListeners() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class, RockpoolQueueAutoConfiguration.class))
        .withPropertyValues(SuiteStores.property(directory.resolve("store")))
        .withBean(Broken.class, Broken::new, definition -> definition.setLazyInit(true))
        .run(
            context -> {
              for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> context.getBean(Broken.class))
                    .isInstanceOf(BeanCreationException.class)
                    .hasMessageContaining("concurrency is 0");
                assertThat(threads()).isEmpty();
              }
              RockpoolListeners listeners = context.getBean(RockpoolListeners.class);
              listeners.stop();
              listeners.start();
              assertThat(listeners.isRunning()).isTrue();
              assertThat(threads()).isEmpty();
            });
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("rockpool-queue-lazy"))
        .toList();
  }
}
