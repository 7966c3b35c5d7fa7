package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import io.rockpool.testing.MaySkip;
import io.rockpool.testing.Threads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** To reclaim changes nothing that can be seen, but makes counts exact. */
interface ReclaimContract extends EngineUnderTest {
  private long count() {
    return rows().count(bytes(ROW));
  }

  @Test
  default void nothingIsReclaimedWhereThereIsNothing() {
    assertThat(engine().reclaim()).isEqualTo(Reclaimed.NOTHING);
    putCounted(rows(), ROW, "a", "v", clock().millis() + 1);
    put(rows(), ROW, "b", "v");
    put(entries(), ROW, "", "v", clock().millis() + 1);
    assertThat(engine().reclaim()).isEqualTo(Reclaimed.NOTHING);
    assertThat(upkeep().reclaimState()).isEqualTo(new ReclaimState(0, 0, 0, 0, Reclaimed.NOTHING));
    assertThat(scan(rows(), ROW)).containsExactly("a", "b");
    assertThat(get(entries(), ROW, "")).isEqualTo("v");
  }

  @Test
  default void countsAreExactAfterwards() {
    long start = clock().millis();
    for (int i = 0; i < 3_000; i++) {
      putCounted(rows(), ROW, "r" + i, "v", start + 1 + i % 3);
    }
    putCounted(rows(), ROW, "forever", "v");
    putCounted(rows(), "other", "a", "v", start + 2);
    put(rows(), ROW, "uncounted", "v", start + 1);
    for (int i = 0; i <= 3; i++) {
      clock().setMillis(start + i);
      engine().reclaim();
      assertThat(count()).isEqualTo(1 + 1_000 * (3 - i));
      assertThat(rows().transact(bytes(ROW), Row::count)).isEqualTo(1 + 1_000 * (3 - i));
      assertThat(rows().count(bytes("other"))).isEqualTo(i < 2 ? 1 : 0);
    }
    assertThat(scanAll(rows())).containsExactly("row/forever=v");
    assertThat(engine().reclaim()).isEqualTo(Reclaimed.NOTHING);
    assertThat(upkeep().reclaimState().overdueMillis()).isZero();
  }

  @Test
  default void whatWasPutAgainStays() {
    long start = clock().millis();
    for (String sortKey : new String[] {"longer", "forever", "blind", "moved", "deleted", "same"}) {
      putCounted(rows(), ROW, sortKey, "1", start + 5);
    }
    putCounted(rows(), ROW, "longer", "2", start + 100);
    putCounted(rows(), ROW, "forever", "2");
    putCounted(rows(), ROW, "same", "2", start + 5);
    change(rows(), ROW, row -> row.put(bytes("blind"), bytes("1"), start + 5));
    put(rows(), ROW, "blind", "2", start + 100);
    change(rows(), ROW, row -> row.delete(bytes("deleted")));
    change(
        rows(),
        ROW,
        row -> {
          row.delete(bytes("moved"));
          row.putCounted(bytes("moved to"), bytes("2"), start + 100);
        });
    clock().setMillis(start + 5);
    engine().reclaim();
    assertThat(scanAll(rows()))
        .containsExactlyInAnyOrder(
            "row/longer=2", "row/forever=2", "row/blind=2", "row/moved to=2");
    assertThat(count()).isEqualTo(3);
    clock().setMillis(start + 100);
    engine().reclaim();
    assertThat(count()).isEqualTo(1);
  }

  @Test
  default void whatHadExpiredWhenItWasPutGoesToo() {
    putCounted(rows(), ROW, "a", "v", clock().millis() + 1);
    clock().advanceMillis(1_000);
    engine().reclaim();
    putCounted(rows(), ROW, "b", "v", 0);
    putCounted(rows(), ROW, "c", "v", clock().millis() - 500);
    engine().reclaim();
    assertThat(count()).isZero();
  }

  @Test
  default void aPlaceThatWasSweptIsFreeForAnyRecord() {
    putCounted(rows(), ROW, "a", "v", clock().millis() + 1);
    clock().advanceMillis(1);
    engine().reclaim();
    put(rows(), ROW, "a", "blind");
    assertThat(get(rows(), ROW, "a")).isEqualTo("blind");
    assertThat(count()).isZero();
  }

  @Test
  default void spacesAfterClearAndDropHoldWhatWasPutSince() {
    assume(Capability.COLLECTIONS);
    Space other = engine().create(spec("other", Layout.ROWS));
    for (int round = 0; round < 3; round++) {
      putCounted(rows(), ROW, "a" + round, "v");
      putCounted(rows(), ROW, "due", "v", clock().millis() + 1_000);
      put(entries(), ROW, "", "v" + round);
      put(other, ROW, "a", "v" + round);
      rows().clear();
      engine().drop("other");
      other = engine().create(spec("other", round == 1 ? Layout.ENTRIES : Layout.ROWS));
      putCounted(rows(), ROW, "kept", "v" + round);
      engine().reclaim();
      assertThat(scanAll(rows())).containsExactly("row/kept=v" + round);
      assertThat(count()).isEqualTo(1);
      assertThat(get(entries(), ROW, "")).isEqualTo("v" + round);
      assertThat(scanAll(other)).isEmpty();
      if (round == 1) {
        engine().drop("other");
        other = engine().create(spec("other", Layout.ROWS));
      }
    }
    assertThat(upkeep().reclaimState().pendingClears()).isZero();
  }

  @Test
  default void aSpaceThatExpiredAsAWholeIsEmptyAfterwardsToo() {
    putCounted(rows(), ROW, "a", "v");
    rows().expireAt(clock().millis() + 10);
    clock().advanceMillis(10);
    engine().reclaim();
    assertThat(rows().info().expiresMillis()).isEqualTo(Expiry.NEVER);
    assertThat(count()).isZero();
    putCounted(rows(), ROW, "b", "v");
    assertThat(scanAll(rows())).containsExactly("row/b=v");
    assertThat(count()).isEqualTo(1);
  }

  @Test
  @MaySkip("an engine may have no snapshots")
  default void aSnapshotGoesOnShowingItsInstant() {
    assume(Capability.SNAPSHOTS);
    putCounted(rows(), ROW, "a", "v");
    putCounted(rows(), ROW, "b", "v", clock().millis() + 10);
    try (SpaceSnapshot snapshot = rows().snapshot()) {
      clock().advanceMillis(10);
      engine().reclaim();
      rows().clear();
      engine().reclaim();
      putCounted(rows(), ROW, "c", "v");
      engine().drop("rows");
      engine().reclaim();
      assertThat(snapshot.count(bytes(ROW))).isEqualTo(2);
      try (Cursor cursor =
          snapshot.scan(bytes(ROW), SortRange.all(), Direction.FORWARD, Integer.MAX_VALUE)) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.next()).isFalse();
      }
    }
    engine().reclaim();
    assertThat(upkeep().reclaimState().pendingClears()).isZero();
  }

  @Test
  default void transactionsMayNotReclaim() {
    assertThatThrownBy(() -> change(entries(), ROW, row -> engine().reclaim()))
        .isInstanceOf(IllegalStateException.class);
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    assertThatThrownBy(() -> atomically(() -> engine().reclaim()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("atomically");
  }

  @Test
  default void aClosedEngineReclaimsNothing() {
    engine().close();
    assertThatThrownBy(() -> engine().reclaim()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> upkeep().reclaimState()).isInstanceOf(IllegalStateException.class);
  }

  /** Writers renew, delete and add records, and clear a space, while all is reclaimed. */
  @Test
  default void writersAndReclaimingDoNotMeet() throws Exception {
    assume(Capability.COLLECTIONS);
    int records = 40;
    long longMillis = 1_000_000;
    Set<String> living = ConcurrentHashMap.newKeySet();
    AtomicBoolean writing = new AtomicBoolean(true);
    Space cleared = engine().create(spec("cleared", Layout.ROWS));
    rows();
    Threads.run(
        6,
        thread -> {
          if (thread == 0) {
            while (writing.get()) {
              clock().advanceMillis(1);
              engine().reclaim();
            }
          } else if (thread == 1) {
            try {
              for (int i = 0; i < 200; i++) {
                putCounted(cleared, ROW, "a" + i, "v", clock().millis() + i % 3);
                cleared.clear();
              }
            } finally {
              writing.set(false);
            }
          } else {
            while (writing.get()) {
              String sortKey = thread + "-" + ThreadLocalRandom.current().nextInt(records);
              if (thread != 3) {
                putCounted(rows(), ROW, sortKey, "short", clock().millis() + 2);
              }
              if (thread != 2) {
                putCounted(rows(), ROW, sortKey, "long", clock().millis() + longMillis);
                living.add(sortKey);
              }
            }
          }
        });
    assertThat(cleared.count(bytes(ROW))).isZero();
    engine().reclaim();
    assertThat(scan(rows(), ROW)).containsAll(living);
    assertThat(count()).isEqualTo(scan(rows(), ROW).size());
    clock().advanceMillis(longMillis);
    engine().reclaim();
    assertThat(count()).isZero();
    assertThat(scan(rows(), ROW)).isEmpty();
    assertThat(upkeep().reclaimState().overdueMillis()).isZero();
  }
}
