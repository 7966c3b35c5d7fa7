package io.rockpool.compatibility.machines;

import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches, collections and queues on PostgreSQL keep their promises through faults. */
@Slow
@Needs(Tool.POSTGRESQL)
final class PostgresFaultsTest {
  private static final Duration BOUND = Duration.ofMillis(2_500);

  @TempDir Path logs;

  @Test
  void cachesAndCollectionsKeepTheirPromises() throws Exception {
    try (FaultyPostgres server = FaultyPostgres.create();
        FaultCampaign campaign = new FaultCampaign(server, true, BOUND, logs, System.nanoTime())) {
      campaign.run(Rounds.of(1, 50), server.faults(), System.out::println);
    }
  }
}
