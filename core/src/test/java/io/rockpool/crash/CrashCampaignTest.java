package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes that work on caches and every structure are killed at random instants: whatever they
 * said is there, nothing comes back, and nothing is half done. {@code -Drockpool.test.crashRounds}
 * says how many are killed.
 */
final class CrashCampaignTest {
  private static final Logger LOG = LoggerFactory.getLogger(CrashCampaignTest.class);
  private static final int ROUNDS = Integer.getInteger("rockpool.test.crashRounds", 40);

  /** On one store; then another is begun. */
  private static final int ROUNDS_OF_ONE = 20;

  @TempDir Path parent;

  @Test
  void nothingIsLostAndNothingComesBack() throws Exception {
    long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
    long acknowledged = 0;
    long evicted = 0;
    for (int round = 0; round < ROUNDS; round += ROUNDS_OF_ONE) {
      Path store = parent.resolve("store");
      boolean systemClock = round / ROUNDS_OF_ONE % 2 == 1;
      try (Campaign campaign = new Campaign(store, seed + round, systemClock)) {
        campaign.run(Math.min(ROUNDS_OF_ONE, ROUNDS - round));
        acknowledged += campaign.acknowledged();
        evicted += campaign.evicted();
      }
      LOG.info(
          "{} acknowledged steps in {} rounds are there, {} entries were evicted",
          acknowledged,
          round + ROUNDS_OF_ONE,
          evicted);
      remove(store);
    }
    assertThat(acknowledged).as("acknowledged steps").isGreaterThan(ROUNDS);
    if (ROUNDS >= ROUNDS_OF_ONE) {
      assertThat(evicted).as("evicted entries").isPositive();
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
