package io.rockpool.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.testing.FakeClock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the adversary finds out, and what it does to those it lets through. */
final class AdversaryTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] KEY = bytes("key");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Space space(MemoryEngine.Builder builder) {
    return builder
        .clock(new FakeClock())
        .build()
        .create(new SpaceSpec("space", Layout.ROWS, Map.of()));
  }

  private static Space adverse(long seed) {
    return space(MemoryEngine.builder().adversary(seed));
  }

  private static int number(Row row) {
    var record = row.get(KEY);
    return record == null
        ? 0
        : Integer.parseInt(new String(record.value(), StandardCharsets.UTF_8));
  }

  private static void set(Row row, int number) {
    row.put(KEY, bytes(Integer.toString(number)), Expiry.NEVER);
  }

  private static int number(Space space) {
    return space.transact(ROW, row -> number(row));
  }

  private static void assertCaught(RowTransaction<?> impure) {
    for (long seed = 0; seed < 10; seed++) {
      Space space = adverse(seed);
      assertThatThrownBy(() -> space.transact(ROW, impure))
          .as("seed %d", seed)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("space")
          .hasMessageContaining("seed " + seed)
          .hasMessageContaining("Nothing was changed");
      assertThat(number(space)).isZero();
      assertThat(space.count(ROW)).isZero();
    }
  }

  @Test
  void aTransactionThatWritesWhatItCountsItselfIsCaught() {
    AtomicInteger runs = new AtomicInteger();
    assertCaught(
        row -> {
          set(row, runs.incrementAndGet());
          return "same";
        });
  }

  @Test
  void aTransactionThatWritesRandomNumbersIsCaught() {
    Random random = new Random(1);
    assertCaught(
        row -> {
          row.put(KEY, bytes(Long.toString(random.nextLong())), Expiry.NEVER);
          return "same";
        });
  }

  @Test
  void aTransactionThatReadsTheClockIsCaught() {
    FakeClock clock = new FakeClock();
    assertCaught(
        row -> {
          clock.advanceMillis(1);
          row.put(KEY, bytes("v"), clock.millis() + 100);
          return "same";
        });
  }

  @Test
  void aTransactionThatTakesFromAnIteratorOutsideIsCaught() {
    Iterator<Integer> outside = IntStream.iterate(0, i -> i + 1).iterator();
    assertCaught(
        row -> {
          row.putCounted(bytes("key" + outside.next()), bytes("v"), Expiry.NEVER);
          return "same";
        });
  }

  @Test
  void aTransactionThatDeletesOnlyInItsFirstRunIsCaught() {
    AtomicInteger runs = new AtomicInteger();
    assertCaught(
        row -> {
          if (runs.getAndIncrement() % 2 == 0) {
            row.delete(KEY);
          }
          return "same";
        });
  }

  @Test
  void aTransactionThatReturnsSomethingElseEachTimeIsCaught() {
    AtomicInteger runs = new AtomicInteger();
    assertCaught(row -> runs.incrementAndGet());
    assertCaught(row -> "run " + runs.incrementAndGet());
    assertCaught(row -> bytes("run " + runs.incrementAndGet()));
    assertCaught(row -> List.of("run", runs.incrementAndGet()));
    assertCaught(row -> runs.incrementAndGet() % 2 == 0 ? null : "odd");
    assertCaught(
        row -> {
          row.put(bytes("k"), bytes("v"), runs.incrementAndGet() + 4_000_000_000_000L);
          return row.get(bytes("k"));
        });
  }

  @Test
  void aTransactionThatThrowsOnlySometimesIsCaught() {
    AtomicInteger runs = new AtomicInteger();
    assertCaught(
        row -> {
          if (runs.incrementAndGet() % 2 == 0) {
            throw new IllegalArgumentException("every second time");
          }
          return "same";
        });
  }

  @Test
  void aPureTransactionPasses() {
    for (long seed = 0; seed < 10; seed++) {
      Space space = adverse(seed);
      for (int i = 0; i < 100; i++) {
        int before =
            space.transact(
                ROW,
                row -> {
                  int number = number(row);
                  set(row, number + 1);
                  return number;
                });
        assertThat(before).as("seed %d", seed).isEqualTo(i);
      }
      assertThat(number(space)).isEqualTo(100);
    }
  }

  /** What objects of a type without equality are, nobody can tell; they pass. */
  @Test
  void aResultThatCannotBeComparedPasses() {
    assertThat(adverse(1).<Object>transact(ROW, row -> new Object())).isNotNull();
    assertThat(adverse(1).<Object>transact(ROW, row -> new AtomicInteger(1))).isNotNull();
    assertThat(adverse(1).<List<byte[]>>transact(ROW, row -> List.of(bytes("a")))).hasSize(1);
  }

  /** What leaks from a discarded run shows: the run saw the row as it had been. */
  @Test
  void runsOnAStaleRowHappenAndAreDiscarded() {
    Space space = adverse(3);
    int stale = 0;
    for (int i = 0; i < 50; i++) {
      List<Integer> seen = new ArrayList<>();
      space.<@Nullable Void>transact(
          ROW,
          row -> {
            seen.add(number(row));
            set(row, number(row) + 1);
            return null;
          });
      assertThat(seen.get(seen.size() - 1)).isEqualTo(i);
      stale += seen.contains(i - 1) ? 1 : 0;
    }
    assertThat(number(space)).isEqualTo(50);
    assertThat(stale).isBetween(5, 45);
  }

  @Test
  void aReadersBufferIsOverwrittenOnceItHasReturned() {
    Space space = adverse(1);
    space.put(ROW, KEY, bytes("value"), Expiry.NEVER);
    byte[] kept = space.get(ROW, KEY, (bytes, offset, length, expiryMillis) -> bytes);
    assertThat(kept).isNotNull().containsOnly((byte) ~0x55);
  }

  @Test
  void outcomesAreUnknownBothWays() {
    Space space = space(MemoryEngine.builder().adversary(1).unknownOutcomes(0.3));
    int unknownApplied = 0;
    int unknownNotApplied = 0;
    for (int i = 1; i <= 200; i++) {
      byte[] key = bytes("key" + i);
      boolean unknown = false;
      try {
        if (i % 2 == 0) {
          space.put(ROW, key, bytes("v"), Expiry.NEVER);
        } else {
          space.<@Nullable Void>transact(
              ROW,
              row -> {
                row.put(key, bytes("v"), Expiry.NEVER);
                return null;
              });
        }
      } catch (OutcomeUnknownException e) {
        assertThat(e).hasMessageContaining("seed 1");
        unknown = true;
      }
      boolean applied = space.get(ROW, key) != null;
      assertThat(applied || unknown).isTrue();
      unknownApplied += unknown && applied ? 1 : 0;
      unknownNotApplied += unknown && !applied ? 1 : 0;
    }
    assertThat(unknownApplied).isBetween(10, 60);
    assertThat(unknownNotApplied).isBetween(10, 60);
  }

  @Test
  void everyKindOfWriteMayHaveAnUnknownOutcome() {
    Space space = space(MemoryEngine.builder().unknownOutcomes(1));
    var record = new RowRecord(ROW, KEY, bytes("v"), Expiry.NEVER);
    var place = new RecordKey(ROW, KEY);
    List<Runnable> writes =
        List.of(
            () -> space.put(ROW, KEY, bytes("v"), Expiry.NEVER),
            () -> space.delete(ROW, KEY),
            () -> space.putAll(List.of(record)),
            () -> space.deleteAll(List.of(place)),
            () -> space.transact(ROW, row -> putAndReturn(row)),
            space::clear);
    for (Runnable write : writes) {
      assertThatThrownBy(write::run).isInstanceOf(OutcomeUnknownException.class);
    }
  }

  private static String putAndReturn(Row row) {
    set(row, 1);
    return "put";
  }

  @Test
  void readsAndTransactionsThatOnlyReadHaveAnOutcome() {
    Space space = space(MemoryEngine.builder().unknownOutcomes(1));
    assertThat(space.get(ROW, KEY)).isNull();
    assertThat(number(space)).isZero();
    space.putAll(List.of());
  }

  @Test
  void aBulkWriteOfUnknownOutcomeStopsInItsMidst() {
    Space space = space(MemoryEngine.builder().unknownOutcomes(0.05));
    List<RowRecord> records = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      records.add(
          new RowRecord(
              ROW, bytes(String.format(Locale.ROOT, "%04d", i)), bytes("v"), Expiry.NEVER));
    }
    assertThatThrownBy(() -> space.putAll(records)).isInstanceOf(OutcomeUnknownException.class);
    int put = 0;
    try (var cursor = space.scanAll()) {
      while (cursor.next()) {
        put++;
      }
    }
    assertThat(put).isBetween(1, 999);
  }

  @Test
  void aProbabilityIsOne() {
    for (double none : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> MemoryEngine.builder().unknownOutcomes(none))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
