package io.rockpool.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.Row;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.testing.FakeClock;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the memory engine does beyond the contract: it refuses what others may not notice. */
final class MemoryEngineTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] KEY = bytes("key");

  private final FakeClock clock = new FakeClock();
  private final MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
  private final Space space = engine.create(new SpaceSpec("space", Layout.ROWS, Map.of()));

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void change(Consumer<Row> change) {
    space.<@Nullable Void>transact(
        ROW,
        row -> {
          change.accept(row);
          return null;
        });
  }

  @Test
  void itCountsExactlyAndNoMore() {
    assertThat(engine.capabilities())
        .containsExactlyInAnyOrder(
            Capability.COLLECTIONS,
            Capability.EXACT_COUNTS,
            Capability.MULTI_ROW_TRANSACTIONS,
            Capability.RENAMES,
            Capability.SNAPSHOTS);
    assertThat(engine.diskBytes()).isZero();
  }

  @Test
  void anEngineByTheSystemsClockWorks() {
    try (MemoryEngine system = MemoryEngine.open()) {
      Space other = system.create(new SpaceSpec("space", Layout.ENTRIES, Map.of()));
      other.put(ROW, Space.NO_SORT_KEY, bytes("v"), system.clock().millis() + 3_600_000);
      assertThat(other.get(ROW, Space.NO_SORT_KEY)).isNotNull();
    }
  }

  @Test
  void aBlindWriteOverACountedRecordIsRefused() {
    change(row -> row.putCounted(KEY, bytes("v"), clock.millis() + 10));
    List<Runnable> writes =
        List.of(
            () -> space.put(ROW, KEY, bytes("blind"), Expiry.NEVER), () -> space.delete(ROW, KEY));
    for (int i = 0; i < 2; i++) {
      for (Runnable write : writes) {
        assertThatThrownBy(write::run)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("blind")
            .hasMessageContaining("counted")
            .hasMessageContaining("\"space\"");
      }
      clock.advanceMillis(10);
    }
    change(row -> row.put(KEY, bytes("plain"), Expiry.NEVER));
    space.delete(ROW, KEY);
    assertThat(space.get(ROW, KEY)).isNull();
    assertThat(space.count(ROW)).isZero();
  }

  @Test
  void theEngineIsNotCalledFromInsideATransaction() {
    List<Runnable> calls =
        List.of(
            () -> space.get(ROW, KEY),
            () -> space.getAll(List.of()),
            () -> space.put(ROW, KEY, bytes("v"), Expiry.NEVER),
            () -> space.delete(ROW, KEY),
            () -> space.count(bytes("other row")),
            () -> space.scanAll().close(),
            () -> space.splits(2),
            space::clear,
            space::info,
            () -> engine.open("space"),
            () -> engine.drop("space"),
            engine::flush,
            engine::close);
    for (Runnable call : calls) {
      assertThatThrownBy(() -> change(row -> call.run()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("inside");
    }
    change(row -> row.put(KEY, bytes("v"), Expiry.NEVER));
    assertThat(space.get(ROW, KEY)).isNotNull();
  }

  @Test
  void theEngineIsNotCalledFromInsideAReader() {
    space.put(ROW, KEY, bytes("v"), Expiry.NEVER);
    RecordReader<Object> reader = (bytes, offset, length, expiry) -> space.info();
    assertThatThrownBy(() -> space.get(ROW, KEY, reader))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inside");
  }

  @Test
  void anotherEngineMayBeCalledFromInside() {
    Space other = MemoryEngine.open().create(new SpaceSpec("other", Layout.ROWS, Map.of()));
    change(row -> assertThat(other.get(ROW, KEY)).isNull());
  }

  /** A transaction runs again only if something that it read has changed. */
  @Test
  void onlyAChangeOfWhatWasReadIsAConflict() {
    assertThat(runs(row -> {}, "elsewhere")).isEqualTo(1);
    assertThat(runs(row -> row.get(KEY), "elsewhere")).isEqualTo(1);
    assertThat(runs(row -> row.get(KEY), "key")).isEqualTo(2);
    assertThat(runs(row -> scan(row, "a", "m", 9), "z")).isEqualTo(1);
    assertThat(runs(row -> scan(row, "a", "m", 9), "m")).isEqualTo(1);
    assertThat(runs(row -> scan(row, "a", "m", 9), "b")).isEqualTo(2);
    assertThat(runs(Row::count, "plain")).isEqualTo(1);
    space.put(ROW, bytes("a"), bytes("v"), Expiry.NEVER);
    assertThat(runs(row -> scan(row, "a", "m", 1), "b")).isEqualTo(1);
    assertThat(runs(row -> scan(row, "a", "m", 1), "a")).isEqualTo(2);
  }

  private static void scan(Row row, String from, String to, int limit) {
    row.scan(
        SortRange.all().from(bytes(from), true).to(bytes(to), false), Direction.FORWARD, limit);
  }

  /**
   * How often a transaction runs if another thread puts {@code sortKey} in the midst of the first
   * run.
   */
  private int runs(Consumer<Row> reads, String sortKey) {
    AtomicInteger runs = new AtomicInteger();
    change(
        row -> {
          reads.accept(row);
          if (runs.incrementAndGet() == 1) {
            inAnotherThread(() -> space.put(ROW, bytes(sortKey), bytes("v"), Expiry.NEVER));
          }
          row.put(bytes("result"), bytes("v"), Expiry.NEVER);
        });
    return runs.get();
  }

  private static void inAnotherThread(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void reopeningHandsOverTheDataAndClosesTheOldEngine() {
    space.put(ROW, KEY, bytes("v"), Expiry.NEVER);
    try (MemoryEngine reopened = engine.reopen()) {
      assertThat(reopened.clock()).isSameAs(clock);
      Space again = Objects.requireNonNull(reopened.open("space"));
      assertThat(again.get(ROW, KEY)).isNotNull();
      assertThatThrownBy(() -> space.get(ROW, KEY)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(engine::flush).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void whatComesOutIsNotWhatIsKept() {
    byte[] value = bytes("v");
    space.put(ROW, KEY, value, Expiry.NEVER);
    value[0] = 'x';
    Objects.requireNonNull(space.get(ROW, KEY)).value()[0] = 'x';
    change(row -> Objects.requireNonNull(row.get(KEY)).value()[0] = 'x');
    try (var cursor = space.scanAll()) {
      assertThat(cursor.next()).isTrue();
      cursor.value()[0] = 'x';
      cursor.sortKey()[0] = 'x';
    }
    assertThat(Objects.requireNonNull(space.get(ROW, KEY)).value()).isEqualTo(bytes("v"));
  }
}
