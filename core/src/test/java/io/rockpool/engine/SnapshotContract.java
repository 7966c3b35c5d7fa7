package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.key;
import static io.rockpool.engine.EngineUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.testing.MaySkip;
import io.rockpool.testing.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Snapshots of a space. */
@MaySkip("an engine may have no snapshots")
interface SnapshotContract extends EngineUnderTest {
  @Test
  default void anEngineWithoutSnapshotsSaysSo() {
    if (!engine().capabilities().contains(Capability.SNAPSHOTS)) {
      assertThatThrownBy(() -> entries().snapshot())
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining(engine().description());
    }
  }

  /** A space of rows with something of everything. */
  private Space filled() {
    Space space = rowOf("a", "b");
    putCounted(space, ROW, "c", "counted");
    put(space, "other", "d", "2", clock().millis() + 10);
    put(space, "other", "e", "gone", clock().millis());
    return space;
  }

  private void assertAsFilled(SpaceView view) {
    assertThat(view.name()).isEqualTo("rows");
    assertThat(shown(view.scanAll()))
        .containsExactlyInAnyOrder("row/a=v", "row/b=v", "row/c=counted", "other/d=2");
    assertThat(shown(view.scan(bytes(ROW), SortRange.all(), Direction.BACKWARD, 2)))
        .containsExactly("row/c=counted", "row/b=v");
    assertThat(shown(view.scan(bytes("new"), SortRange.all(), Direction.FORWARD, 2))).isEmpty();
    assertThat(view.count(bytes(ROW))).isEqualTo(1);
    assertThat(value(view.get(bytes(ROW), bytes("a")))).isEqualTo("v");
    assertThat(value(view.get(bytes("other"), bytes("d")))).isEqualTo("2");
    assertThat(view.get(bytes("other"), bytes("e"))).isNull();
    assertThat(view.get(bytes("new"), bytes(""))).isNull();
    assertThat(
            view.getAll(List.of(key(ROW, "b"), key("new", ""), key("other", "d"))).stream()
                .map(this::value))
        .containsExactly("v", null, "2");
    List<String> all = shown(view.scanAll());
    String first = all.get(0);
    RecordKey firstKey =
        key(
            first.substring(0, first.indexOf('/')),
            first.substring(first.indexOf('/') + 1, first.indexOf('=')));
    assertThat(shown(view.scanAll(firstKey))).isEqualTo(all.subList(1, all.size()));
  }

  private List<String> shown(Cursor cursor) {
    List<String> found = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        found.add(
            text(cursor.hashKey()) + "/" + text(cursor.sortKey()) + "=" + text(cursor.value()));
      }
    }
    return found;
  }

  @Test
  default void aSnapshotDoesNotChange() {
    assume(Capability.SNAPSHOTS);
    Space space = filled();
    List<Runnable> changes = new ArrayList<>();
    changes.add(() -> {});
    changes.add(
        () -> {
          put(space, ROW, "a", "changed");
          put(space, "new", "", "new");
          space.delete(bytes(ROW), bytes("b"));
        });
    changes.add(
        () ->
            change(
                space,
                ROW,
                row -> {
                  row.delete(bytes("c"));
                  row.putCounted(bytes("f"), bytes("x"), Expiry.NEVER);
                  row.putCounted(bytes("g"), bytes("x"), Expiry.NEVER);
                }));
    changes.add(() -> clock().advanceMillis(20));
    changes.add(() -> space.expireAt(clock().millis() + 5));
    changes.add(() -> clock().advanceMillis(20));
    changes.add(() -> put(space, "new", "", "new"));
    changes.add(space::clear);
    changes.add(() -> put(space, "new", "", "newer"));
    changes.add(() -> engine().reset(EngineUnderTest.spec("rows", Layout.ENTRIES)));
    changes.add(() -> engine().drop("rows"));
    changes.add(() -> put(rows(), "new", "", "another space"));
    long taken = clock().millis();
    try (SpaceSnapshot snapshot = space.snapshot()) {
      for (Runnable change : changes) {
        change.run();
        assertAsFilled(snapshot);
        assertThat(snapshot.takenMillis()).isEqualTo(taken);
      }
    }
  }

  @Test
  default void entriesHaveSnapshotsToo() {
    assume(Capability.SNAPSHOTS);
    Space space = entries();
    put(space, "a", "", "1");
    try (SpaceSnapshot snapshot = space.snapshot()) {
      put(space, "a", "", "2");
      put(space, "b", "", "3");
      assertThat(value(snapshot.get(bytes("a"), Space.NO_SORT_KEY))).isEqualTo("1");
      assertThat(shown(snapshot.scanAll())).containsExactly("a/=1");
      assertThatThrownBy(() -> snapshot.count(bytes("a")))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> snapshot.get(bytes("a"), bytes("x")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> snapshot.scan(bytes("a"), SortRange.all(), Direction.FORWARD, -1))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(scanAll(space)).containsExactly("a/=2", "b/=3");
  }

  @Test
  default void manySnapshotsShowManyInstants() {
    assume(Capability.SNAPSHOTS);
    Space space = rows();
    List<SpaceSnapshot> snapshots = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      put(space, ROW, "n", Integer.toString(i));
      snapshots.add(space.snapshot());
    }
    for (int i = 0; i < 20; i += 2) {
      snapshots.get(i).close();
    }
    for (int i = 1; i < 20; i += 2) {
      assertThat(value(snapshots.get(i).get(bytes(ROW), bytes("n"))))
          .isEqualTo(Integer.toString(i));
      snapshots.get(i).close();
    }
  }

  private static List<Runnable> uses(SpaceSnapshot snapshot, Cursor cursor) {
    return List.of(
        () -> snapshot.get(bytes(ROW), bytes("a")),
        () -> snapshot.getAll(List.of()),
        () -> snapshot.count(bytes(ROW)),
        () -> snapshot.scan(bytes(ROW), SortRange.all(), Direction.FORWARD, 1),
        snapshot::scanAll,
        () -> snapshot.splits(2),
        cursor::next,
        cursor::hashKey,
        cursor::sortKey,
        cursor::value,
        cursor::expiryMillis);
  }

  @Test
  default void aClosedSnapshotIsRefused() {
    assume(Capability.SNAPSHOTS);
    Space space = rowOf("a", "b");
    SpaceSnapshot snapshot = space.snapshot();
    Cursor cursor = snapshot.scanAll();
    assertThat(cursor.next()).isTrue();
    snapshot.close();
    snapshot.close();
    for (Runnable use : uses(snapshot, cursor)) {
      assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class);
    }
    assertThat(snapshot.name()).isEqualTo("rows");
    cursor.close();
    assertThat(scan(space, ROW)).containsExactly("a", "b");
  }

  @Test
  default void aSnapshotOfAClosedEngineIsRefused() {
    assume(Capability.SNAPSHOTS);
    SpaceSnapshot snapshot = rowOf("a", "b").snapshot();
    Cursor cursor = snapshot.scanAll();
    assertThat(cursor.next()).isTrue();
    engine().close();
    for (Runnable use : uses(snapshot, cursor)) {
      assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class);
    }
    cursor.close();
    snapshot.close();
  }

  @Test
  default void noSnapshotIsTakenOfWhatIsNoMore() {
    assume(Capability.SNAPSHOTS);
    Space space = rows();
    engine().drop("rows");
    assertThatThrownBy(space::snapshot).isInstanceOf(IllegalStateException.class);
    Space other = entries();
    engine().close();
    assertThatThrownBy(other::snapshot).isInstanceOf(IllegalStateException.class);
  }

  @Test
  default void aSnapshotStandsBesideATransaction() {
    assume(Capability.SNAPSHOTS);
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rowOf("a");
    try (SpaceSnapshot snapshot = space.snapshot()) {
      atomically(
          () -> {
            put(space, ROW, "a", "changed");
            assertThat(value(snapshot.get(bytes(ROW), bytes("a")))).isEqualTo("v");
            assertThat(shown(snapshot.scanAll())).containsExactly("row/a=v");
          });
      assertThat(value(snapshot.get(bytes(ROW), bytes("a")))).isEqualTo("v");
    }
  }

  /** Of what is written as one, a snapshot has all or nothing. */
  @Test
  default void aSnapshotHasAllOfATransactionOrNothing() throws Exception {
    assume(Capability.SNAPSHOTS);
    Space space = rows();
    boolean many = engine().capabilities().contains(Capability.MULTI_ROW_TRANSACTIONS);
    AtomicBoolean done = new AtomicBoolean();
    Threads.run(
        3,
        thread -> {
          try {
            for (int i = 0; thread == 0 ? i < 200 : !done.get(); i++) {
              String number = Integer.toString(i);
              if (thread != 0) {
                try (SpaceSnapshot snapshot = space.snapshot()) {
                  String a = valueOf(snapshot, ROW, "a");
                  assertThat(valueOf(snapshot, ROW, "b")).isEqualTo(a);
                  assertThat(valueOf(snapshot, "other", "c")).isEqualTo(many ? a : null);
                }
              } else if (many) {
                atomically(
                    () -> {
                      put(space, ROW, "a", number);
                      put(space, ROW, "b", number);
                      put(space, "other", "c", number);
                    });
              } else {
                change(
                    space,
                    ROW,
                    row -> {
                      row.put(bytes("a"), bytes(number), Expiry.NEVER);
                      row.put(bytes("b"), bytes(number), Expiry.NEVER);
                    });
              }
            }
          } finally {
            if (thread == 0) {
              done.set(true);
            }
          }
        });
  }

  private @Nullable String valueOf(SpaceSnapshot snapshot, String hashKey, String sortKey) {
    return value(snapshot.get(bytes(hashKey), bytes(sortKey)));
  }

  /** Whoever reads while another thread closes gets records or a refusal. */
  @Test
  default void closingWaitsForNobodyAndBreaksNothing() throws Exception {
    assume(Capability.SNAPSHOTS);
    Space space = rowOf("a", "b", "c");
    for (int round = 0; round < 50; round++) {
      SpaceSnapshot snapshot = space.snapshot();
      Threads.run(
          4,
          thread -> {
            if (thread == 0) {
              snapshot.close();
              return;
            }
            try {
              for (int i = 0; i < 100; i++) {
                assertThat(valueOf(snapshot, ROW, "a")).isEqualTo("v");
                assertThat(shown(snapshot.scanAll())).hasSize(3);
              }
            } catch (IllegalStateException e) {
              assertThat(e).hasMessageContaining("closed");
            }
          });
    }
  }
}
