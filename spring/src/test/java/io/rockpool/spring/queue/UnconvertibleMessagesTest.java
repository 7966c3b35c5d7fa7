package io.rockpool.spring.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.spring.SuiteStores;
import io.rockpool.spring.boot.RockpoolAutoConfiguration;
import io.rockpool.spring.boot.RockpoolQueueAutoConfiguration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.convert.ConversionException;

/**
 * A message of a list that cannot be converted fails by itself, whatever its error handler does.
 */
@Timeout(60)
final class UnconvertibleMessagesTest {
  @TempDir private Path directory;

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** Handles lists of numbers; throws for those with a 13. */
  static class Numbers {
    final List<List<Integer>> handled = new CopyOnWriteArrayList<>();

    @RockpoolListener(queue = "numbers", type = String.class)
    void handle(List<Integer> batch) {
      handled.add(batch);
      if (batch.contains(13)) {
        throw new IllegalStateException("thirteen");
      }
    }
  }

  /** What an error handler does with a delivery. */
  enum Answer {
    NONE {
      @Override
      void of(Delivery<?> delivery) {}
    },
    THROWS {
      @Override
      void of(Delivery<?> delivery) {
        throw new IllegalArgumentException("of the error handler");
      }
    },
    RETRY {
      @Override
      void of(Delivery<?> delivery) {
        delivery.retry("again");
      }
    },
    REJECT {
      @Override
      void of(Delivery<?> delivery) {
        delivery.reject("no number");
      }
    };

    abstract void of(Delivery<?> delivery);
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, 1 two 3", "NONE, two", "NONE, one two", "NONE, 13 two",
    "THROWS, 1 two 3", "THROWS, two", "THROWS, one two", "THROWS, 13 two",
    "RETRY, 1 two 3", "RETRY, two", "RETRY, one two", "RETRY, 13 two",
    "REJECT, 1 two 3", "REJECT, two", "REJECT, one two", "REJECT, 13 two",
  })
  void itIsDeliveredAgainUntilItIsADeadLetter(Answer answer, String texts) {
    List<String> messages = List.of(texts.split(" ", -1));
    List<String> unconvertible =
        messages.stream().filter(text -> !Character.isDigit(text.charAt(0))).toList();
    List<String> failed = new CopyOnWriteArrayList<>();
    QueueErrorHandler errors =
        (delivery, failure) -> {
          String kind = failure instanceof ConversionException ? " unconvertible " : " thrown ";
          failed.add(delivery.message() + kind + delivery.deliveries());
          answer.of(delivery);
        };
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class, RockpoolQueueAutoConfiguration.class))
        .withPropertyValues(
            SuiteStores.property(directory.resolve("store")),
            "rockpool.listener.auto-startup=false",
            "rockpool.queues.numbers.visibility-timeout=500ms",
            "rockpool.queues.numbers.max-deliveries=2",
            "rockpool.queues.numbers.dead-letters=numbers-dead")
        .withBean(Numbers.class)
        .withBean(QueueErrorHandler.class, () -> errors)
        .run(
            context -> {
              RockpoolListeners listeners = context.getBean(RockpoolListeners.class);
              listeners.start();
              listeners.stop();
              PersistentQueue<String> numbers =
                  context.getBean(Rockpool.class).queue("numbers", String.class);
              messages.forEach(numbers::send);
              listeners.start();
              await(() -> numbers.size() == 0);
              listeners.stop();
              List<String> dead =
                  messages.stream()
                      .filter(it -> unconvertible.contains(it) || it.equals("13"))
                      .toList();
              assertThat(numbers.deadLetters().peek(10))
                  .extracting(letter -> letter.message())
                  .containsExactlyInAnyOrderElementsOf(dead);
              List<String> failures = new ArrayList<>();
              for (int delivery = 1; delivery <= (answer == Answer.REJECT ? 1 : 2); delivery++) {
                for (String message : dead) {
                  failures.add(
                      message
                          + (unconvertible.contains(message) ? " unconvertible " : " thrown ")
                          + delivery);
                }
              }
              assertThat(failed).containsExactlyInAnyOrderElementsOf(failures);
              List<Integer> others =
                  messages.stream().filter(it -> !dead.contains(it)).map(Integer::valueOf).toList();
              if (!others.isEmpty()) {
                assertThat(context.getBean(Numbers.class).handled).containsExactly(others);
              }
            });
  }
}
