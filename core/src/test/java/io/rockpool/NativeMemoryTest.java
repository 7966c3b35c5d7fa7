package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NativeMemoryTest {
  private static final long MIB = 1 << 20;

  @TempDir Path parent;

  @ParameterizedTest
  @CsvSource({
    // limit, heap, open stores, what the next store takes; all in MiB
    "24000, 6000, 0, 256",
    "24000, 6000, 20000, 16",
    "2048, 512, 0, 256",
    "1024, 512, 0, 90",
    "512, 256, 0, 26",
    "512, 256, 26, 20",
    "384, 192, 0, 16",
    "256, 256, 0, 16",
  })
  void aStoreTakesAQuarterOfWhatIsLeft(long limit, long heap, long open, long expected) {
    assertThat(new NativeMemory(limit * MIB, heap * MIB, open * MIB).defaultBytes() / MIB)
        .isEqualTo(expected);
  }

  @Test
  void theStoresOfAProcessLeaveRoom() {
    long limit = 2048 * MIB;
    long heap = 1024 * MIB;
    long open = 0;
    for (int store = 0; store < 10; store++) {
      open += new NativeMemory(limit, heap, open).defaultBytes();
    }
    assertThat(open).isLessThan(limit - heap - NativeMemory.JVM_BYTES);
  }

  @Test
  void aStoreCountsThoseThatAreOpen() {
    long all = NativeMemory.ofProcess(0).limitBytes();
    try (Rockpool first = Rockpool.at(parent.resolve("a")).memoryBytes(all).open();
        Rockpool second = Rockpool.open(parent.resolve("b"))) {
      assertThat(memoryOf(first)).isEqualTo(all);
      assertThat(memoryOf(second)).isEqualTo(NativeMemory.LEAST_BYTES);
    }
    try (Rockpool alone = Rockpool.open(parent.resolve("b"))) {
      assertThat(memoryOf(alone)).isEqualTo(NativeMemory.ofProcess(0).defaultBytes());
    }
  }

  private static long memoryOf(Rockpool pool) {
    return pool.state().statistics().orElseThrow().cacheCapacityBytes();
  }
}
