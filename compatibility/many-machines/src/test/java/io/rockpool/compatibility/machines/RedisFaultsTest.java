package io.rockpool.compatibility.machines;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rockpool.testing.MaySkip;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches on Redis keep their promises through faults. The server keeps what it acknowledges. */
@Slow
@Needs(Tool.REDIS)
final class RedisFaultsTest {
  /** How long a silent server is trusted, and the time until that is noticed, on a busy machine. */
  private static final Duration BOUND = Duration.ofMillis(2_000 + 250 + 250);

  @TempDir Path logs;

  @Test
  void cachesKeepTheirPromises() throws Exception {
    try (FaultyRedis server = FaultyRedis.start("--appendonly", "yes", "--appendfsync", "always");
        FaultCampaign campaign = new FaultCampaign(server, false, BOUND, logs, System.nanoTime())) {
      campaign.run(Rounds.of(1, 50), server.faults(), System.out::println);
    }
  }

  /**
   * The default of an append-only Redis: a kill may lose what it has not written to its file yet.
   */
  @Test
  @MaySkip("runs with -Plong")
  void aKilledServerThatSyncsEachSecondLosesTheLastWritesOnly() throws Exception {
    assumeTrue(Rounds.areMany(), "only in long runs");
    try (FaultyRedis server =
            FaultyRedis.startLossy("--appendonly", "yes", "--appendfsync", "everysec");
        FaultCampaign campaign = new FaultCampaign(server, false, BOUND, logs, System.nanoTime())) {
      campaign.run(50, List.of(ServerFault.KILL_SERVER), System.out::println);
    }
  }
}
