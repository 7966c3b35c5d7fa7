package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.store.VerifyReport;
import io.rockpool.testing.Child;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process is killed while it reclaims: what lives is there, and all else goes in the end. */
@Slow
@Timeout(120)
@NotEncrypted("opens stores over engines that it closes")
final class ReclaimCrashTest {
  private static final int MAX_WRITES = 80;

  @TempDir Path directory;

  @Test
  void whatLivesStaysAndAllElseGoes() throws Exception {
    BitSet kept = new BitSet();
    for (long seed : Seeds.all().toArray()) {
      writeAndKill(new Random(seed).nextInt(1, MAX_WRITES), kept);
      check(kept, "seed " + seed);
    }
  }

  private void writeAndKill(int writes, BitSet kept) throws IOException, InterruptedException {
    int first = kept.length() + MAX_WRITES;
    try (Child writer = Child.start(ReclaimingWriter.class, List.of(), directory, first)) {
      for (int i = 0; i < writes; i++) {
        kept.set(Integer.parseInt(Objects.requireNonNull(writer.readLine())));
      }
      writer.kill();
    }
  }

  private void check(BitSet kept, String where) {
    Instant later = Instant.now().plus(Duration.ofHours(1));
    RocksDbOptions options =
        RocksDbOptions.builder()
            .clock(InstantSource.fixed(later))
            .reclaimPeriod(Duration.ofDays(1))
            .build();
    try (RocksDbEngine engine = RocksDbEngine.open(directory, options)) {
      assertThat(engine.recoveryReport().changesLost()).as(where).isZero();
      Space space = Objects.requireNonNull(engine.open(ReclaimingWriter.KEPT));
      assertClean(engine, where);
      BitSet found = staying(space);
      assertThat(found.stream().filter(kept::get).count()).as(where).isEqualTo(kept.cardinality());
      engine.drop(ReclaimingWriter.DROPPED);
      Objects.requireNonNull(engine.open(ReclaimingWriter.CLEARED)).clear();
      engine.reclaim();
      assertThat(staying(space)).as(where).isEqualTo(found);
      assertThat(space.count(ReclaimingWriter.STAYING)).as(where).isEqualTo(found.cardinality());
      assertThat(space.count(ReclaimingWriter.EXPIRING)).as(where).isZero();
      assertThat(RawRecords.count(engine, ColumnFamily.ROWS))
          .as(where)
          .isEqualTo(found.cardinality());
      assertThat(RawRecords.count(engine, ColumnFamily.ENTRIES)).as(where).isZero();
      assertThat(RawRecords.count(engine, ColumnFamily.EXPIRIES)).as(where).isZero();
      assertThat(engine.reclaimState().pendingClears()).as(where).isZero();
      assertClean(engine, where);
    }
  }

  private static void assertClean(RocksDbEngine engine, String where) {
    VerifyReport report = Rockpool.at(o -> engine).open().verify();
    assertThat(report.isClean()).as("%s: %s", where, report).isTrue();
  }

  private static BitSet staying(Space space) {
    BitSet found = new BitSet();
    try (Cursor cursor =
        space.scan(
            ReclaimingWriter.STAYING, SortRange.all(), Direction.FORWARD, Integer.MAX_VALUE)) {
      while (cursor.next()) {
        found.set(ByteBuffer.wrap(cursor.value()).getInt());
      }
    }
    return found;
  }
}
