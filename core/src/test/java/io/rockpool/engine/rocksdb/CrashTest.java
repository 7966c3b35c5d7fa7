package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Durability;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.VerifyOptions;
import io.rockpool.engine.VerifyReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process is killed while it writes: whatever it said to be written is there. */
@Timeout(180)
final class CrashTest {
  private static final int ROUNDS = 3;
  private static final int MIN_WRITES = 50;
  private static final int MAX_WRITES = 3_000;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void nothingAcknowledgedIsLost(Durability durability) throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    BitSet acknowledged = new BitSet();
    for (int round = 0; round < ROUNDS; round++) {
      writeAndKill(durability, random, acknowledged);
      check(acknowledged, durability + ", seed " + seed + ", round " + round);
    }
  }

  private void writeAndKill(Durability durability, Random random, BitSet acknowledged)
      throws IOException, InterruptedException {
    int first = (acknowledged.length() / CrashingWriter.WRITERS + 100) * CrashingWriter.WRITERS;
    int writes = MIN_WRITES + random.nextInt(MAX_WRITES);
    try (Child writer =
        Child.start(CrashingWriter.class, List.of(), directory, durability, first)) {
      for (int i = 0; i < writes; i++) {
        acknowledged.set(Integer.parseInt(Objects.requireNonNull(writer.readLine())));
      }
      writer.kill();
      // What it said before it died, and was not read yet; its last line may be cut.
      String line = writer.readLine();
      for (String next = writer.readLine(); next != null; next = writer.readLine()) {
        acknowledged.set(Integer.parseInt(Objects.requireNonNull(line)));
        line = next;
      }
    }
  }

  private void check(BitSet acknowledged, String where) {
    try (RocksDbEngine engine = RocksDbEngine.open(directory, RocksDbOptions.defaults())) {
      assertThat(engine.recoveryReport().changesLost()).as(where).isZero();
      Space entries = Objects.requireNonNull(engine.open(CrashingWriter.ENTRIES));
      Space rows = Objects.requireNonNull(engine.open(CrashingWriter.ROWS));
      BitSet lost = new BitSet();
      acknowledged.stream().filter(number -> !isThere(entries, rows, number)).forEach(lost::set);
      assertThat(lost).as(where).isEqualTo(new BitSet());
      assertThat(halves(entries, rows)).as(where).isEqualTo(new BitSet());
      for (int writer = 0; writer < CrashingWriter.WRITERS; writer++) {
        byte[] row = CrashingWriter.row(writer);
        assertThat(rows.count(row)).as(where).isEqualTo(records(rows, row));
      }
      VerifyReport report = engine.verify(VerifyOptions.defaults(), RecordChecks.NONE);
      assertThat(report.isClean()).as("%s: %s", where, report).isTrue();
    }
  }

  private static boolean isThere(Space entries, Space rows, long number) {
    return isInEntries(entries, number) == CrashingWriter.isInEntries(number)
        && isInRows(rows, number) == CrashingWriter.isInRows(number);
  }

  private static boolean isInEntries(Space entries, long number) {
    return entries.get(CrashingWriter.key(number), Space.NO_SORT_KEY) != null;
  }

  private static boolean isInRows(Space rows, long number) {
    return rows.get(CrashingWriter.row(number), CrashingWriter.key(number)) != null;
  }

  /** What went to both spaces at once is in both or in none, acknowledged or not. */
  private static BitSet halves(Space entries, Space rows) {
    BitSet halves = new BitSet();
    for (Space space : List.of(entries, rows)) {
      try (Cursor cursor = space.scanAll()) {
        while (cursor.next()) {
          int number = (int) ByteBuffer.wrap(cursor.value()).getLong();
          boolean both = CrashingWriter.isInEntries(number) && CrashingWriter.isInRows(number);
          halves.set(number, both && isInEntries(entries, number) != isInRows(rows, number));
        }
      }
    }
    return halves;
  }

  private static long records(Space rows, byte[] row) {
    long records = 0;
    try (Cursor cursor = rows.scan(row, SortRange.all(), Direction.FORWARD, Integer.MAX_VALUE)) {
      while (cursor.next()) {
        records++;
      }
    }
    return records;
  }
}
