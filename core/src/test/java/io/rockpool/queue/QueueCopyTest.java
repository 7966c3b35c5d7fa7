package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.error.ReadOnlyStoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queues and timers in copies to read: of a live store, of a closed one, and of a backup. */
@Timeout(60)
final class QueueCopyTest {
  private static final Schedule HOURLY = Schedule.rate(Duration.ofHours(1));

  @TempDir Path directory;

  private static PersistentQueue<String> jobs(Rockpool pool) {
    return pool.queue(
        "jobs",
        String.class,
        o -> o.maxDeliveries(2).deadLetters("dead").visibilityTimeout(Duration.ofHours(1)));
  }

  private static List<String> texts(List<? extends QueuedMessage<String>> messages) {
    return messages.stream().map(message -> message.message()).toList();
  }

  /** Calls {@code check} with a copy of a live store, one of its backup, and one of it closed. */
  private void inEachCopy(Consumer<Rockpool> fill, Consumer<Rockpool> check) {
    Path store = directory.resolve("store");
    DirectoryTarget target = DirectoryTarget.at(directory.resolve("backups"));
    try (Rockpool pool = Rockpool.open(store)) {
      fill.accept(pool);
      pool.backups().make(target);
      try (Rockpool copy = Rockpool.at(store).openCopy()) {
        check.accept(copy);
      }
      try (Rockpool backup = StoreBackups.open(target)) {
        check.accept(backup);
      }
    }
    try (Rockpool copy = Rockpool.at(store).openCopy()) {
      check.accept(copy);
    }
  }

  private static void assertRefused(ThrowingCallable... calls) {
    for (ThrowingCallable call : calls) {
      assertThatExceptionOfType(ReadOnlyStoreException.class).isThrownBy(call);
    }
  }

  @Test
  void everyReadOfAQueueWorksAndEveryChangeIsRefused() {
    inEachCopy(
        pool -> {
          PersistentQueue<String> jobs = jobs(pool);
          jobs.sendAll(List.of("handled", "dead", "leased", "ready"), SendOptions.defaults());
          jobs.receive().orElseThrow().acknowledge();
          jobs.receive().orElseThrow().reject("broken");
          assertThat(jobs.receive().orElseThrow().message()).isEqualTo("leased");
          jobs.send("grouped", SendOptions.defaults().group("g"));
          jobs.send("first", SendOptions.defaults().priority(9));
          jobs.send("later", SendOptions.defaults().delay(Duration.ofHours(1)));
        },
        copy -> {
          PersistentQueue<String> jobs = jobs(copy);
          assertThat(jobs.size()).isEqualTo(5);
          assertThat(texts(jobs.peek(10))).startsWith("first").contains("ready", "grouped");
          assertThat(texts(jobs.peek(10))).doesNotContain("later", "dead", "handled", "leased");
          QueueStatistics statistics = jobs.statistics();
          assertThat(statistics.inFlight()).isEqualTo(1);
          assertThat(statistics.depth()).isEqualTo(4);
          assertThat(statistics.paused()).isFalse();
          assertThat(texts(jobs.deadLetters().peek(10))).containsExactly("dead");
          assertThat(texts(copy.queue("dead", String.class).peek(10))).containsExactly("dead");
          assertThat(copy.names().find("jobs").orElseThrow().type()).isEqualTo("queue");
          assertThat(copy.verify().isClean()).isTrue();
          assertRefused(
              () -> jobs.send("m"),
              () -> jobs.offer("m", SendOptions.defaults(), Duration.ofHours(1)),
              jobs::receive,
              () -> jobs.receive(1, Duration.ofHours(1)),
              jobs::purge,
              jobs::pause,
              jobs::resume,
              () -> jobs.redrive(letter -> true, 1_000));
          assertThat(jobs.size()).isEqualTo(5);
        });
  }

  @Test
  void aTimerTellsWhenItFires() {
    inEachCopy(
        pool -> pool.timer("hourly", HOURLY, String.class).start("tick"),
        copy -> {
          PersistentTimer<String> timer = copy.timer("hourly", HOURLY, String.class);
          assertThat(timer.next().orElseThrow()).isAfter(Instant.now());
          assertThat(timer.firings().size()).isEqualTo(1);
          assertRefused(() -> timer.start("again"), timer::cancel);
        });
  }

  @Test
  void aQueueThatTheStoreDoesNotHaveIsRefused() {
    inEachCopy(
        pool -> jobs(pool).send("m"),
        copy -> assertRefused(() -> copy.queue("others", String.class)));
  }
}
