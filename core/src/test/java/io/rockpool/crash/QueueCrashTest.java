package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.queue.Delivery;
import io.rockpool.testing.Child;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes with several producers and consumers of a queue are killed at random instants. Each
 * text that was sent has its effect exactly once, in the order of its group; no delivery is
 * forgotten, and no lease outlives its process.
 */
@Slow
final class QueueCrashTest {
  private static final Logger LOG = LoggerFactory.getLogger(QueueCrashTest.class);
  private static final int ROUNDS =
      Integer.getInteger("rockpool.test.queueRounds", Rounds.of(4, 2_000));

  /** A victim is killed after it has said so much, at most. */
  private static final int MAX_LINES = 1_500;

  private static final long MAX_LIFE_SECONDS = 60;
  private static final int KILLED = 128 + 9;

  @TempDir Path directory;

  private final long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

  /** What a victim was sure of. */
  private final Set<String> sent = new HashSet<>();

  private final Set<String> acknowledged = new HashSet<>();
  private final Map<String, Integer> received = new HashMap<>();

  @AfterEach
  void endTimer() {
    timer.shutdownNow();
  }

  @Test
  void everyTextHasItsEffectOnce() throws Exception {
    int messages = 0;
    for (int round = 0; round < ROUNDS; round++) {
      sent.clear();
      acknowledged.clear();
      received.clear();
      String where = "seed " + seed + ", round " + round;
      kill(round, where);
      check(round, where);
      messages += sent.size();
    }
    assertThat(messages).isPositive();
    LOG.info("{} messages had their effect once, in {} kills", messages, ROUNDS);
    FaultLog.write(
        FaultLog.Kind.KILL,
        "A process with producers and consumers of a queue is killed",
        ROUNDS,
        Long.toString(seed),
        FaultLog.number(messages) + " messages had their effect once, in the order of their group",
        "nothing");
  }

  private void kill(int round, String where) throws IOException, InterruptedException {
    try (Child victim =
        Child.start(QueueVictim.class, Killing.QUIET, directory, random.nextLong(), "r" + round)) {
      Future<?> unused =
          timer.schedule(
              () -> {
                victim.kill();
                return victim;
              },
              MAX_LIFE_SECONDS,
              TimeUnit.SECONDS);
      int lines = random.nextInt(MAX_LINES);
      for (String line = victim.readLine(); line != null; line = victim.readLine()) {
        assertThat(line).as(where).isNotEqualTo(QueueVictim.FAILED);
        if (lines-- == 0) {
          victim.kill();
        }
        if (line.endsWith(QueueWork.END)) { // the last line may be cut
          note(line.substring(0, line.length() - QueueWork.END.length()));
        }
      }
      unused.cancel(false);
      assertThat(victim.waitFor()).as(where).isEqualTo(KILLED);
    }
  }

  private void note(String line) {
    if (line.startsWith(QueueWork.SENT)) {
      sent.add(line.substring(QueueWork.SENT.length()));
    } else if (line.startsWith(QueueWork.ACKNOWLEDGED)) {
      acknowledged.add(line.substring(QueueWork.ACKNOWLEDGED.length()));
    } else if (line.startsWith(QueueWork.RECEIVED)) {
      String[] parts = line.substring(QueueWork.RECEIVED.length()).split(" ", -1);
      received.merge(parts[0], Integer.parseInt(parts[1]), Math::max);
    }
  }

  private void check(int round, String where) throws InterruptedException {
    try (Rockpool pool = Rockpool.open(directory)) {
      QueueWork work = new QueueWork(pool, line -> {});
      assertThat(work.effects.values()).as(where).allMatch(count -> count == 1);
      assertThat(work.effects.keySet()).as(where).containsAll(acknowledged);
      Set<String> leased = new HashSet<>(received.keySet());
      leased.removeAll(work.effects.keySet());
      assertThat(freeAtOnce(work)).as("%s: what was leased", where).containsAll(leased);
      while (work.queue.size() > 0) {
        for (Delivery<String> delivery : work.queue.receive(1, Duration.ofSeconds(1))) {
          String text = delivery.message();
          assertThat(acknowledged).as(where).doesNotContain(text);
          assertThat(delivery.deliveries())
              .as("%s: deliveries of %s", where, text)
              .isGreaterThan(received.getOrDefault(text, 0));
          work.finish(delivery); // late on a busy machine, and then delivered again
        }
      }
      assertThat(work.queue.size()).as(where).isZero();
      assertThat(work.effects.keySet()).as(where).containsAll(sent);
      assertThat(work.effects.values()).as(where).allMatch(count -> count == 1);
      if (round % 10 == 0) {
        assertThat(pool.verify().isClean()).as(where).isTrue();
      }
      work.effects.clear();
      work.last.clear();
    }
  }

  /** The texts that can be received without waiting, ready again. */
  private static Set<String> freeAtOnce(QueueWork work) {
    List<Delivery<String>> free = new ArrayList<>();
    List<Delivery<String>> more;
    do {
      more = work.queue.receive(1_000);
      free.addAll(more);
    } while (!more.isEmpty() && free.size() < work.queue.size());
    Set<String> texts = new HashSet<>();
    for (Delivery<String> delivery : free) {
      texts.add(delivery.message());
      delivery.release();
    }
    return texts;
  }
}
