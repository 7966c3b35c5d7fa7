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

/**
 * Caches on Redis agree again after each failover, and read nothing that is older than the bound.
 * How many acknowledged writes a failover loses is counted.
 */
@Slow
@Needs(Tool.REDIS)
final class RedisFailoverTest {
  private static final Duration BOUND = Duration.ofMillis(2_500);

  @TempDir Path logs;

  @Test
  void aReplicaThatSentinelsPromote() throws Exception {
    try (RedisPair servers = new RedisPair("--repl-diskless-sync-delay", "0")) {
      List<ServerFault> few = List.of(ServerFault.STOP_PRIMARY, ServerFault.LAGGING_STANDBY);
      run(servers, Rounds.areMany() ? servers.faults() : few);
    }
  }

  @Test
  @MaySkip("runs with -Plong")
  void aMasterThatAcknowledgesOnlyWithItsReplica() throws Exception {
    assumeTrue(Rounds.areMany(), "only in long runs");
    try (RedisPair servers =
        new RedisPair(
            "--repl-diskless-sync-delay",
            "0",
            "--min-replicas-to-write",
            "1",
            "--min-replicas-max-lag",
            "1")) {
      run(servers, servers.faults());
    }
  }

  @Test
  @MaySkip("runs with -Plong")
  void aReplicaThatAClusterPromotes() throws Exception {
    assumeTrue(Rounds.areMany(), "only in long runs");
    try (RedisGroup servers = new RedisGroup()) {
      run(servers, servers.faults());
    }
  }

  private void run(FaultTarget servers, List<ServerFault> faults) throws Exception {
    try (FaultCampaign campaign =
        new FaultCampaign(servers, false, BOUND, logs, System.nanoTime())) {
      campaign.run(Rounds.of(1, 50), faults, System.out::println);
    }
  }
}
