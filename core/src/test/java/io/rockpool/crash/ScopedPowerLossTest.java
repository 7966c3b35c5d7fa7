package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The power fails after writes of which some had a level of their own. */
@Timeout(120)
@Needs(Tool.STRACE)
final class ScopedPowerLossTest {
  @TempDir Path parent;

  @Test
  void whatWasForcedForItselfIsThereAndWhatCameAfterIsNot() throws Exception {
    Path loose = parent.resolve("loose");
    Path safe = parent.resolve("safe");
    TracedRun run =
        TracedRun.of(parent.resolve("calls"), List.of(), ScopedWriter.class, loose, safe);
    try (Rockpool pool = afterPowerLoss(run, loose, parent.resolve("loose-lost"))) {
      assertThat(ScopedWriter.map(pool)).containsOnlyKeys("before", "within");
      assertThat(ScopedWriter.cache(pool).getAll(Set.of("before", "within", "after")))
          .containsOnlyKeys("before", "within");
    }
    try (Rockpool pool = afterPowerLoss(run, safe, parent.resolve("safe-lost"))) {
      assertThat(ScopedWriter.map(pool)).containsOnlyKeys("before");
    }
  }

  private static Rockpool afterPowerLoss(TracedRun run, Path directory, Path to)
      throws IOException {
    run.powerLost(directory, run.end() + 1, null, to);
    return Rockpool.open(to);
  }
}
