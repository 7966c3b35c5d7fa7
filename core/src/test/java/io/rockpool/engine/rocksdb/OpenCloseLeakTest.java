package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opening and closing a store many times takes no more memory than a few times, scans and snapshots
 * that no one closed included.
 */
@Timeout(120)
final class OpenCloseLeakTest {
  private static final int WARM_UP = 60;
  private static final int ROUNDS = 120;

  /** A leak of one cache, log buffer or memory table a round would be past this many times over. */
  private static final long MAX_GROWTH_KIB = 48 << 10;

  @TempDir Path directory;

  @Test
  @EnabledOnOs(OS.LINUX)
  void memoryStaysFlat() throws IOException {
    try (RocksDbEngine engine = RocksDbEngine.open(directory, RocksDbOptions.defaults())) {
      engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
    }
    openAndClose(WARM_UP);
    long before = residentKib();
    openAndClose(ROUNDS);
    assertThat(residentKib() - before).isLessThan(MAX_GROWTH_KIB);
  }

  private void openAndClose(int rounds) {
    for (int i = 0; i < rounds; i++) {
      try (RocksDbEngine engine = RocksDbEngine.open(directory, RocksDbOptions.defaults())) {
        Space space = engine.open("rows");
        byte[] key = {(byte) i};
        space.put(key, key, new byte[1 << 10], Expiry.NEVER);
        for (int scan = 0; scan < 4; scan++) {
          space.scanAll(null).next();
          space.snapshot().scanAll().next();
        }
      }
    }
  }

  private static long residentKib() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }
}
