package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes that work on caches and every structure are killed at random instants: whatever they
 * said is there, nothing comes back, and nothing is half done. {@code -Drockpool.test.crashRounds}
 * says how many are killed.
 */
@Slow
@Tag("encrypted")
final class CrashCampaignTest {
  private static final Logger LOG = LoggerFactory.getLogger(CrashCampaignTest.class);
  private static final int ROUNDS = Integer.getInteger("rockpool.test.crashRounds", 16);

  /** On one store; then another is begun. A short campaign has two: one by the system's clock. */
  private static final int ROUNDS_OF_ONE = Math.min(20, (ROUNDS + 1) / 2);

  @TempDir Path parent;

  /** What was acknowledged and evicted on one store, or on several. */
  private record Outcome(long acknowledged, long evicted, int evictions) {
    Outcome plus(Outcome other) {
      return new Outcome(
          acknowledged + other.acknowledged, evicted + other.evicted, evictions + other.evictions);
    }
  }

  /** On as many stores side by side as there are processors. */
  @Test
  void nothingIsLostAndNothingComesBack() throws Exception {
    long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Future<Outcome>> outcomes = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round += ROUNDS_OF_ONE) {
        int first = round;
        outcomes.add(threads.submit(() -> kill(seed, first)));
      }
      Outcome all = new Outcome(0, 0, 0);
      for (int done = 0; done < outcomes.size(); done++) {
        all = all.plus(outcomes.get(done).get());
        LOG.info(
            "{} acknowledged steps in {} rounds are there, {} entries were evicted",
            all.acknowledged,
            Math.min(ROUNDS, (done + 1) * ROUNDS_OF_ONE),
            all.evicted);
      }
      assertThat(all.acknowledged).as("acknowledged steps").isGreaterThan(ROUNDS);
      if (ROUNDS >= ROUNDS_OF_ONE) {
        assertThat(all.evictions).as("rounds with evictions").isPositive();
      }
      FaultLog.write(
          FaultLog.Kind.KILL,
          "A process that works on caches and every collection is killed",
          ROUNDS,
          Long.toString(seed),
          FaultLog.number(all.acknowledged) + " acknowledged steps, with a model",
          "nothing");
    } finally {
      threads.shutdownNow();
      threads.awaitTermination(1, TimeUnit.MINUTES);
    }
  }

  /** Kills those who work on one store. */
  private Outcome kill(long seed, int first) throws IOException, InterruptedException {
    Path store = parent.resolve("store" + first);
    boolean systemClock = first / ROUNDS_OF_ONE % 2 == 1;
    try (Campaign campaign = new Campaign(store, seed + first, systemClock)) {
      campaign.run(Math.min(ROUNDS_OF_ONE, ROUNDS - first));
      remove(store);
      return new Outcome(campaign.acknowledged(), campaign.evicted(), campaign.evictions());
    }
  }

  private static void remove(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
