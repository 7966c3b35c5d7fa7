package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.VerifyReport;
import io.rockpool.testing.Child;
import io.rockpool.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process is killed while it evicts: an entry has its last value or none, and what is not a
 * cache's is all there.
 */
@Timeout(120)
final class EvictionCrashTest {
  private static final int MAX_ROUNDS = 6;

  @TempDir Path directory;
  private final Set<Integer> surely = new HashSet<>();

  @Test
  void noValueOfBeforeComesBack() throws Exception {
    int next = 0;
    for (long seed : Seeds.all().toArray()) {
      int rounds = new Random(seed).nextInt(2, MAX_ROUNDS);
      int last = next - 1;
      try (Child writer = Child.start(EvictingWriter.class, List.of(), directory, next)) {
        for (int i = 0; i < rounds; i++) {
          last = said(Objects.requireNonNull(writer.readLine()));
        }
        writer.kill();
        for (String line = writer.readLine(); line != null; line = writer.readLine()) {
          last = said(line);
        }
      }
      check(last, "seed " + seed);
      next = last + 2; // the one after the last may have been begun
    }
  }

  /** Notes a round that is done, and returns it. */
  private int said(String line) {
    int round = Integer.parseInt(line);
    surely.add(round);
    return round;
  }

  private void check(int last, String where) {
    try (Rockpool pool = EvictingWriter.open(directory)) {
      PersistentCache<Integer, byte[]> cache = EvictingWriter.cache(pool);
      long bytes = 0;
      for (Map.Entry<Integer, byte[]> entry : cache) {
        int round = ByteBuffer.wrap(entry.getValue()).getInt();
        assertThat(round)
            .as("%s, round of key %d", where, entry.getKey())
            .isBetween(last, last + 1);
        byte[] put = EvictingWriter.value(entry.getKey(), round);
        assertThat(Arrays.equals(entry.getValue(), put)).as(where).isTrue();
      }
      assertThat(EvictingWriter.map(pool).keySet()).as(where).containsAll(surely);
      pool.reclaim();
      for (Map.Entry<Integer, byte[]> entry : cache) {
        bytes += entry.getValue().length;
      }
      assertThat(bytes).as(where).isLessThan(EvictingWriter.BUDGET);
      VerifyReport report = pool.verify();
      assertThat(report.isClean()).as(report.toString()).isTrue();
    }
  }
}
