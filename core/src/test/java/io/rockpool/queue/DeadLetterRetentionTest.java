package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.structure.StoreUnderTest;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dead letters end with their retention, however a message became one. */
@Timeout(120)
class DeadLetterRetentionTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final double FAST = 1e9;

  @TempDir Path directory;

  /** A way in which a message becomes a dead letter. */
  private enum Death {
    REJECTED {
      @Override
      void of(PersistentQueue<String> queue, StoreUnderTest store) {
        assertThat(queue.receive().orElseThrow().reject("no")).isTrue();
      }
    },
    TRIED_TOO_OFTEN {
      @Override
      void of(PersistentQueue<String> queue, StoreUnderTest store) {
        assertThat(queue.receive().orElseThrow().retry("no")).isTrue();
      }
    },
    RELEASED_TOO_OFTEN {
      @Override
      void of(PersistentQueue<String> queue, StoreUnderTest store) {
        assertThat(queue.receive().orElseThrow().release()).isTrue();
      }
    },
    LEASE_ENDED_LONG_AGO {
      @Override
      void of(PersistentQueue<String> queue, StoreUnderTest store) {
        assertThat(queue.receive()).isPresent();
        store.clock.advanceMillis(MINUTE.toMillis() * 10);
        assertThat(queue.receive()).isEmpty();
      }
    },
    REJECTED_IN_A_TRANSACTION {
      @Override
      void of(PersistentQueue<String> queue, StoreUnderTest store) {
        store.pool().runAtomically(tx -> queue.receive().orElseThrow().reject("no"));
      }
    };

    abstract void of(PersistentQueue<String> queue, StoreUnderTest store);
  }

  private static PersistentQueue<String> open(
      StoreUnderTest store, UnaryOperator<QueueOptions> options) {
    return store
        .pool()
        .queue(
            "q",
            String.class,
            o -> options.apply(o.deadLetters("dead").maxDeliveries(1).visibilityTimeout(MINUTE)));
  }

  @ParameterizedTest
  @EnumSource
  void aLetterEndsWithItsRetentionAlsoAfterReopening(Kind kind) throws Exception {
    for (Death death : Death.values()) {
      try (StoreUnderTest store = new StoreUnderTest(kind, directory.resolve(death.name()))) {
        PersistentQueue<String> queue = open(store, o -> o.deadLetterRetention(MINUTE));
        queue.send("first", o -> o.group("g"));
        death.of(queue, store);
        store.clock.advanceMillis(MINUTE.toMillis() - 1);
        assertThat(queue.deadLetters().peek(5)).as(death.name()).hasSize(1);
        queue = store.reopen().queue("q", String.class); // whose options are kept
        assertThat(queue.deadLetters().size()).isEqualTo(1);
        queue.send("second");
        death.of(queue, store);
        store.clock.advanceMillis(1);
        assertThat(queue.deadLetters().peek(5))
            .as(death.name())
            .extracting(letter -> letter.message())
            .containsExactly("second");
        assertThat(queue.redrive(letter -> letter.message().equals("first"), FAST)).isZero();
        assertThat(queue.redrive(letter -> true, FAST)).isEqualTo(1);
        store.clock.advanceMillis(MINUTE.toMillis() * 100);
        Delivery<String> again = queue.receive().orElseThrow();
        assertThat(again.message()).isEqualTo("second");
        assertThat(again.acknowledge()).isTrue();
        assertThat(queue.size()).isZero();
        assertThat(queue.deadLetters().peek(5)).isEmpty();
        assertThat(store.pool().verify().isClean()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherRetentionIsForLaterLettersAndNoneIsForEver(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      List<UnaryOperator<QueueOptions>> retentions =
          List.of(
              o -> o,
              o -> o.deadLetterRetention(MINUTE),
              o -> o, // a minute, which is kept
              o -> o.deadLetterRetention(MINUTE.multipliedBy(2)),
              o -> o.deadLetterRetention(ChronoUnit.FOREVER.getDuration()));
      PersistentQueue<String> queue = null;
      for (int i = 0; i < retentions.size(); i++) {
        UnaryOperator<QueueOptions> options = retentions.get(i);
        if (queue != null) {
          store.reopen();
        }
        queue = open(store, options);
        queue.send("m" + i);
        Death.REJECTED.of(queue, store);
      }
      assertThat(letters(queue)).containsExactly("m0", "m1", "m2", "m3", "m4");
      store.clock.advanceMillis(MINUTE.toMillis());
      assertThat(letters(queue)).containsExactly("m0", "m3", "m4");
      store.clock.advanceMillis(MINUTE.toMillis() * 1_000_000);
      assertThat(letters(queue)).containsExactly("m0", "m4");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aRetentionIsPositive(long seconds) {
    assertThatThrownBy(
            () -> QueueOptions.defaults().deadLetterRetention(Duration.ofSeconds(seconds)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("deadLetterRetention");
  }

  private static List<String> letters(PersistentQueue<String> queue) {
    return queue.deadLetters().peek(10).stream().map(letter -> letter.message()).toList();
  }
}
