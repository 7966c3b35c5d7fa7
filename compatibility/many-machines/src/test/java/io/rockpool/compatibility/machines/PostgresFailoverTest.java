package io.rockpool.compatibility.machines;

import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL with a synchronous standby loses nothing that was acknowledged in a failover. */
@Slow
@Needs({Tool.POSTGRESQL, Tool.PG_BASEBACKUP})
final class PostgresFailoverTest {
  private static final Duration BOUND = Duration.ofMillis(2_500);

  @TempDir Path logs;

  @Test
  void aStandbyThatIsPromotedHasEverything() throws Exception {
    try (PostgresPair servers = new PostgresPair();
        FaultCampaign campaign = new FaultCampaign(servers, true, BOUND, logs, System.nanoTime())) {
      List<ServerFault> few = List.of(ServerFault.LAGGING_STANDBY);
      campaign.run(
          Rounds.of(1, 50), Rounds.areMany() ? servers.faults() : few, System.out::println);
    }
  }
}
