package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Child;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * However much is stored, a process takes no more memory than its store's budget and 200 MiB, its
 * small heap included. Takes minutes, so only with {@code -Drockpool.test.longRuns=true}.
 */
@EnabledIfSystemProperty(named = "rockpool.test.longRuns", matches = "true")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class MemoryBudgetTest {
  private static final long BUDGET_BYTES = 256L << 20;
  private static final long MAX_RESIDENT_KIB = (BUDGET_BYTES >> 10) + (200 << 10);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {10_000_000, 50_000_000})
  void theProcessStaysSmall(long entries) throws Exception {
    try (Child child =
        Child.start(
            MemoryLoader.class,
            List.of("-Xmx64m", "-XX:TieredStopAtLevel=4", "-XX:+UseSerialGC"),
            directory,
            entries,
            BUDGET_BYTES)) {
      for (String when : List.of("loaded", "read", "walked")) {
        String said = child.readLine();
        System.out.println(entries + " entries: " + said + " KiB resident");
        assertThat(said).isNotNull().startsWith(when + " ");
        assertThat(Long.parseLong(said.substring(when.length() + 1)))
            .as("KiB resident with %d entries, %s", entries, when)
            .isLessThan(MAX_RESIDENT_KIB);
      }
      assertThat(child.waitFor()).isZero();
    }
  }
}
