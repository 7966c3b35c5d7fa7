package io.rockpool.compatibility.machines;

import io.rockpool.testing.Rounds;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches on Redis keep their promises through faults. The server keeps what it acknowledges. */
final class RedisFaultsTest {
  /** How long a silent server is trusted, and the time until that is noticed, on a busy machine. */
  private static final Duration BOUND = Duration.ofMillis(2_000 + 250 + 250);

  @TempDir Path logs;

  @Test
  void cachesKeepTheirPromises() throws Exception {
    try (FaultyRedis server = FaultyRedis.start("--appendonly", "yes", "--appendfsync", "always");
        FaultCampaign campaign = new FaultCampaign(server, false, BOUND, logs, System.nanoTime())) {
      campaign.run(Rounds.of(1, 50), System.out::println);
    }
  }
}
