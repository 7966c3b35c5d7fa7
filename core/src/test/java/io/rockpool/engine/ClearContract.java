package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.store.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Clear, reset and drop take effect at once, and cost the same whatever they remove. */
interface ClearContract extends EngineUnderTest {
  /**
   * What a clear of many records may take longer than one of few: pauses of a busy machine, not
   * work per record.
   */
  long CLEAR_SLACK_NANOS = 250_000_000;

  @Test
  default void clearRemovesEverythingAtOnce() {
    for (Space space : spaces()) {
      put(space, "x", "", "1");
      put(space, "y", "", "2", clock().millis() + 5);
      space.clear();
      assertThat(get(space, "x", "")).isNull();
      assertThat(space.getAll(List.of(key("x", ""), key("y", "")))).containsOnlyNulls();
      assertThat(scan(space, "x")).isEmpty();
      assertThat(scanAll(space)).isEmpty();
      change(space, "x", row -> assertThat(row.get(Space.NO_SORT_KEY)).isNull());
      space.clear();
      assertThat(scanAll(space)).isEmpty();
    }
  }

  @Test
  default void aClearedSpaceGoesOnAsTheSameSpace() {
    Space space = rowOf("a", "b");
    SpaceInfo before = space.info();
    space.clear();
    put(space, ROW, "b", "new");
    assertThat(scanAll(space)).containsExactly("row/b=new");
    assertThat(space.info()).isEqualTo(before);
    space.clear();
    assertThat(scanAll(space)).isEmpty();
  }

  @Test
  default void clearSurvivesReopening() {
    put(rows(), ROW, "a", "1");
    put(entries(), ROW, "", "1");
    rows().clear();
    entries().clear();
    put(rows(), ROW, "b", "2");
    reopen();
    assertThat(scanAll(rows())).containsExactly("row/b=2");
    assertThat(scanAll(entries())).isEmpty();
  }

  @Test
  default void clearTakesAsLongForManyRecordsAsForFew() {
    for (Space space : spaces()) {
      fill(space, 10);
      long few = clearNanos(space);
      fill(space, 100_000);
      long many = clearNanos(space);
      assertThat(many).isLessThan(10 * few + CLEAR_SLACK_NANOS);
      assertThat(scanAll(space)).isEmpty();
    }
  }

  private void fill(Space space, int count) {
    List<RowRecord> records = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      records.add(EngineUnderTest.record("row" + i, "", "v"));
    }
    space.putAll(records);
  }

  private long clearNanos(Space space) {
    long start = System.nanoTime();
    space.clear();
    return System.nanoTime() - start;
  }

  @Test
  default void resetReplacesASpaceByAnEmptyOne() {
    Space old = rowOf("a");
    putCounted(old, ROW, "b", "v");
    SpaceInfo before = old.info();
    clock().advanceMillis(10);

    Space fresh = engine().reset(new SpaceSpec("rows", Layout.ENTRIES, Map.of("type", "cache")));
    assertThat(scanAll(fresh)).isEmpty();
    SpaceInfo after = fresh.info();
    assertThat(after)
        .isEqualTo(
            new SpaceInfo(
                "rows",
                Layout.ENTRIES,
                Map.of("type", "cache"),
                before.createdMillis(),
                clock().millis(),
                before.resets() + 1,
                Expiry.NEVER));
    assertThat(engine().describe("rows")).isEqualTo(after);
    put(fresh, ROW, "", "1");
    assertThat(scanAll(fresh)).containsExactly("row/=1");

    Space again = engine().reset(EngineUnderTest.spec("rows", Layout.ROWS));
    assertThat(again.info().resets()).isEqualTo(2);
    assertThat(scanAll(again)).isEmpty();
    assertThat(again.count(bytes(ROW))).isZero();
  }

  @Test
  default void resetNeedsASpace() {
    assertThatThrownBy(() -> engine().reset(EngineUnderTest.spec("nothing", layout())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nothing");
    assertThat(engine().describe("nothing")).isNull();
  }

  @Test
  default void resetEndsHandlesOpenedBefore() {
    Space old = rowOf("a");
    Space durable = old.withDurability(Durability.SYNC);
    Space fresh = engine().reset(EngineUnderTest.spec("rows", Layout.ROWS));
    assertEnded(old);
    assertEnded(durable);
    put(fresh, ROW, "b", "1");
    assertThat(scanAll(fresh)).containsExactly("row/b=1");
    assertEnded(old);
  }

  @Test
  default void dropEndsHandlesOpenedBeforeAndFreesTheName() {
    Space old = rowOf("a");
    putCounted(old, ROW, "b", "1");
    assertThat(engine().drop("rows")).isTrue();
    assertThat(engine().drop("rows")).isFalse();
    assertThat(engine().open("rows")).isNull();
    assertThat(engine().describe("rows")).isNull();
    assertEnded(old);

    clock().advanceMillis(5);
    Space fresh = engine().create(EngineUnderTest.spec("rows", Layout.ROWS));
    assertThat(scanAll(fresh)).isEmpty();
    assertThat(fresh.count(bytes(ROW))).isZero();
    assertThat(fresh.info().resets()).isZero();
    assertThat(fresh.info().createdMillis()).isEqualTo(clock().millis());
    assertEnded(old);
  }

  @Test
  default void aScanOfADroppedSpaceEndsOrIsRefused() {
    Space space = rowOf("a", "b", "c");
    try (Cursor cursor = space.scanAll(null)) {
      assertThat(cursor.next()).isTrue();
      engine().drop("rows");
      Space fresh = rowOf("z");
      int shown = 0;
      try {
        while (cursor.next()) {
          assertThat(EngineUnderTest.text(cursor.sortKey())).isNotEqualTo("z");
          shown++;
        }
      } catch (IllegalStateException dropped) {
        assertThat(dropped).hasMessageContaining("rows");
      }
      assertThat(shown).isLessThanOrEqualTo(2);
      assertThat(scanAll(fresh)).containsExactly("row/z=v");
    }
  }

  @Test
  default void aSpaceResetInsteadOfClearedForgetsItsOldRecordsAfterReopening() {
    rowOf("a");
    engine().reset(EngineUnderTest.spec("rows", Layout.ROWS));
    put(rows(), ROW, "b", "1");
    engine().create(EngineUnderTest.spec("dropped", Layout.ROWS));
    engine().drop("dropped");
    reopen();
    assertThat(scanAll(rows())).containsExactly("row/b=1");
    assertThat(Objects.requireNonNull(engine().describe("rows")).resets()).isEqualTo(1);
    assertThat(engine().open("dropped")).isNull();
  }

  private void assertEnded(Space space) {
    byte[] row = bytes(ROW);
    byte[] sortKey = bytes("a");
    List<Runnable> operations =
        List.of(
            space::info,
            () -> space.get(row, sortKey),
            () -> space.get(row, sortKey, (bytes, offset, length, expiry) -> "read"),
            () -> space.getAll(List.of(key(ROW, "a"))),
            () -> space.put(row, sortKey, bytes("late"), Expiry.NEVER),
            () -> space.delete(row, sortKey),
            () -> space.putAll(List.of(EngineUnderTest.record(ROW, "a", "late"))),
            () -> space.deleteAll(List.of(key(ROW, "a"))),
            () -> space.transact(row, r -> "ran"),
            () -> space.count(row),
            () -> scan(space, ROW),
            () -> scanAll(space),
            space::clear);
    for (Runnable operation : operations) {
      assertThatThrownBy(operation::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("rows");
    }
  }
}
