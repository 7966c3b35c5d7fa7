package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.key;
import static io.rockpool.engine.EngineUnderTest.range;
import static io.rockpool.engine.EngineUnderTest.record;
import static io.rockpool.engine.EngineUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.store.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Transactions over several rows and spaces, one at a time. */
interface AtomicallyContract extends EngineUnderTest {
  private boolean isTransactional() {
    return engine().capabilities().contains(Capability.MULTI_ROW_TRANSACTIONS);
  }

  @Test
  default void anEngineWithoutTransactionsSaysSo() {
    assertThat(engine().inTransaction()).isFalse();
    if (!isTransactional()) {
      assertThatThrownBy(() -> engine().atomically(() -> "never"))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining(engine().description());
    }
  }

  @Test
  default void itReturnsWhatTheWorkReturns() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    put(rows(), ROW, "a", "1");
    Space space = rows();
    assertThat(engine().<@Nullable String>atomically(() -> get(space, ROW, "a"))).isEqualTo("1");
    assertThat(engine().<@Nullable String>atomically(() -> null)).isNull();
  }

  @Test
  default void changesOfManyRowsAndSpacesAreMadeTogether() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space rows = rowOf("old");
    Space entries = entries();
    put(entries, "gone", "", "x");
    atomically(
        () -> {
          put(rows, ROW, "a", "1");
          put(rows, "other", "b", "2");
          put(entries, "e", "", "3");
          entries.delete(bytes("gone"), Space.NO_SORT_KEY);
          rows.delete(bytes(ROW), bytes("old"));
          putCounted(rows, "counted", "c", "4");
          assertThat(inAnotherThread(() -> get(rows, "other", "b"))).isNull();
        });
    assertThat(scanAll(rows)).containsExactlyInAnyOrder("row/a=1", "other/b=2", "counted/c=4");
    assertThat(scanAll(entries)).containsExactly("e/=3");
    assertThat(rows.count(bytes("counted"))).isEqualTo(1);
    reopen();
    assertThat(scanAll(rows())).containsExactlyInAnyOrder("row/a=1", "other/b=2", "counted/c=4");
    assertThat(scanAll(entries())).containsExactly("e/=3");
  }

  /** The result of a read in a thread that is in no transaction; it waits for no lock. */
  private static <R> @Nullable R inAnotherThread(java.util.function.Supplier<@Nullable R> read) {
    AtomicReference<@Nullable R> result = new AtomicReference<>();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(() -> result.set(read.get()));
    thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(failure.get()).isNull();
    return result.get();
  }

  @Test
  default void nothingIsChangedIfItThrows() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space rows = rowOf("a");
    Space entries = entries();
    for (Throwable failure : List.of(new RuntimeException("no"), new AssertionError("no"))) {
      assertThatThrownBy(
              () ->
                  atomically(
                      () -> {
                        put(rows, ROW, "a", "new");
                        putCounted(rows, "other", "b", "new");
                        put(entries, "e", "", "new");
                        if (failure instanceof Error error) {
                          throw error;
                        }
                        throw (RuntimeException) failure;
                      }))
          .isSameAs(failure);
      assertThat(engine().inTransaction()).isFalse();
      assertThat(scanAll(rows)).containsExactly("row/a=v");
      assertThat(rows.count(bytes("other"))).isZero();
      assertThat(scanAll(entries)).isEmpty();
    }
    put(rows, ROW, "a", "later");
    assertThat(get(rows, ROW, "a")).isEqualTo("later");
  }

  @Test
  default void itSeesItsOwnChanges() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rowOf("b", "d", "f");
    putCounted(space, ROW, "h", "v");
    atomically(
        () -> {
          put(space, ROW, "a", "1");
          assertThat(get(space, ROW, "a")).isEqualTo("1");
          space.delete(bytes(ROW), bytes("d"));
          assertThat(get(space, ROW, "d")).isNull();
          putCounted(space, ROW, "i", "2");
          assertThat(space.count(bytes(ROW))).isEqualTo(2);
          space.putAll(List.of(record(ROW, "j", "3"), record("other", "k", "4")));
          space.deleteAll(List.of(key(ROW, "f"), key("other", "none")));

          assertThat(scan(space, ROW)).containsExactly("a", "b", "h", "i", "j");
          assertThat(scan(space, ROW, SortRange.all(), Direction.BACKWARD, 3))
              .containsExactly("j", "i", "h");
          assertThat(scan(space, ROW, range("b", "i"), Direction.FORWARD, 9))
              .containsExactly("b", "h");
          assertThat(scan(space, ROW, SortRange.all(), Direction.FORWARD, 0)).isEmpty();
          assertThat(scan(space, "other")).containsExactly("k");
          assertThat(
                  space.getAll(List.of(key("other", "k"), key(ROW, "f"), key(ROW, "b"))).stream()
                      .map(this::value))
              .containsExactly("4", null, "v");
          change(
              space,
              ROW,
              row -> {
                assertThat(value(row.get(bytes("a")))).isEqualTo("1");
                assertThat(row.count()).isEqualTo(2);
                row.put(bytes("a"), bytes("5"), Expiry.NEVER);
              });
          assertThat(get(space, ROW, "a")).isEqualTo("5");
        });
    assertThat(scan(space, ROW)).containsExactly("a", "b", "h", "i", "j");
    assertThat(get(space, ROW, "a")).isEqualTo("5");
    assertThat(space.count(bytes(ROW))).isEqualTo(2);
  }

  @Test
  default void aLongScanShowsEverythingOnce() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rows();
    int count = 2 * Limits.MAX_PAGE_RECORDS + 100;
    List<String> keys = new ArrayList<>();
    List<RowRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add("k" + (10_000 + i));
      records.add(record(ROW, keys.get(i), "v"));
    }
    space.putAll(records);
    atomically(
        () -> {
          space.delete(bytes(ROW), bytes("k10050"));
          put(space, ROW, "k10050a", "v");
          assertThat(scan(space, ROW)).hasSize(count).doesNotContain("k10050").contains("k10050a");
          assertThat(scan(space, ROW, SortRange.all(), Direction.BACKWARD, 1_500))
              .hasSize(1_500)
              .doesNotHaveDuplicates()
              .startsWith("k" + (10_000 + count - 1));
        });
  }

  @Test
  default void expiredRecordsAreNotSeen() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rows();
    long now = clock().millis();
    put(space, ROW, "gone", "v", now);
    put(space, ROW, "there", "v", now + 1);
    atomically(
        () -> {
          assertThat(get(space, ROW, "gone")).isNull();
          put(space, ROW, "mine", "v", now);
          assertThat(get(space, ROW, "mine")).isNull();
          RowRecord there = space.get(bytes(ROW), bytes("there"));
          assertThat(there).isNotNull();
          assertThat(there.expiryMillis()).isEqualTo(now + 1);
          assertThat(scan(space, ROW)).containsExactly("there");
        });
    clock().advanceMillis(1);
    assertThat(scan(space, ROW)).isEmpty();
  }

  @Test
  default void oneInsideAnotherJoinsIt() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rows();
    assertThatThrownBy(
            () ->
                atomically(
                    () -> {
                      put(space, ROW, "a", "1");
                      atomically(
                          () -> {
                            assertThat(get(space, ROW, "a")).isEqualTo("1");
                            put(space, "other", "b", "2");
                          });
                      assertThat(engine().inTransaction()).isTrue();
                      assertThat(get(space, "other", "b")).isEqualTo("2");
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(scanAll(space)).isEmpty();
  }

  @Test
  default void aPartThatThrowsUndoesItsOwnChangesOnly() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rows();
    putCounted(space, ROW, "a", "0");
    List<Runnable> parts =
        List.of(
            () ->
                atomically(
                    () -> {
                      put(space, ROW, "a", "no");
                      put(space, "other", "b", "no");
                      space.delete(bytes(ROW), bytes("mine"));
                      throw new IllegalArgumentException("no");
                    }),
            () ->
                change(
                    space,
                    ROW,
                    row -> {
                      row.put(bytes("a"), bytes("no"), Expiry.NEVER);
                      row.put(bytes("a"), bytes("no no"), Expiry.NEVER);
                      row.putCounted(bytes("b"), bytes("no"), Expiry.NEVER);
                      assertThat(row.count()).isEqualTo(1);
                      row.delete(bytes("mine"));
                      throw new IllegalArgumentException("no");
                    }));
    for (Runnable part : parts) {
      atomically(
          () -> {
            put(space, ROW, "mine", "1");
            assertThatThrownBy(part::run).isInstanceOf(IllegalArgumentException.class);
            assertThat(get(space, ROW, "mine")).isEqualTo("1");
            assertThat(get(space, ROW, "a")).isEqualTo("0");
            assertThat(space.count(bytes(ROW))).isEqualTo(1);
            put(space, "after", "c", "2");
          });
      assertThat(scanAll(space)).containsExactlyInAnyOrder("row/a=0", "row/mine=1", "after/c=2");
      assertThat(space.count(bytes(ROW))).isEqualTo(1);
    }
  }

  @Test
  default void aRowTransactionInsideIsAllThereIsOfTheEngine() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rows();
    List<Runnable> inner =
        List.of(
            () -> change(space, "other", row -> {}),
            () -> put(space, "other", "b", "1"),
            () -> atomically(() -> {}));
    for (Runnable call : inner) {
      assertThatThrownBy(
              () ->
                  atomically(
                      () ->
                          change(
                              space,
                              ROW,
                              row -> {
                                row.put(bytes("a"), bytes("1"), Expiry.NEVER);
                                call.run();
                              })))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> change(space, ROW, row -> call.run()))
          .isInstanceOf(IllegalStateException.class);
      assertThat(scanAll(space)).isEmpty();
      assertThat(engine().inTransaction()).isFalse();
    }
    AtomicReference<@Nullable Row> escaped = new AtomicReference<>();
    atomically(
        () -> {
          change(space, ROW, escaped::set);
          assertThatThrownBy(() -> escaped.get().count()).isInstanceOf(IllegalStateException.class);
        });
  }

  @Test
  default void whatConcernsMoreThanItsRowsIsRefused() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rowOf("a");
    List<Runnable> refused =
        List.of(
            () -> space.scanAll().close(),
            () -> space.splits(2),
            space::clear,
            () -> space.expireAt(clock().millis() + 1),
            () -> engine().create(EngineUnderTest.spec("new", Layout.ROWS)),
            () -> engine().open("rows"),
            () -> engine().reset(EngineUnderTest.spec("rows", Layout.ROWS)),
            () -> engine().drop("rows"),
            () -> engine().dropAll(""),
            () -> engine().setAttributes("rows", Map.of()),
            () -> engine().runWithDurability(Durability.SYNC, () -> put(space, ROW, "c", "v")),
            () -> engine().close());
    atomically(
        () -> {
          put(space, ROW, "b", "v");
          for (Runnable operation : refused) {
            assertThatThrownBy(operation::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("transaction");
          }
          if (engine().capabilities().contains(Capability.SNAPSHOTS)) {
            assertThatThrownBy(space::snapshot).isInstanceOf(IllegalStateException.class);
          }
          assertThat(engine().describe("rows")).isEqualTo(space.info());
          assertThat(engine().list("")).hasSize(1);
          engine().flush();
        });
    assertThat(scanAll(space)).containsExactly("row/a=v", "row/b=v");
  }

  @Test
  default void itsCursorsEndWithIt() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rowOf("a", "b", "c");
    AtomicReference<@Nullable Cursor> escaped = new AtomicReference<>();
    atomically(
        () -> {
          Cursor cursor = space.scan(bytes(ROW), SortRange.all(), Direction.FORWARD, 9);
          assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
          assertThat(cursor.next()).isTrue();
          assertThat(text(cursor.hashKey()) + text(cursor.sortKey()) + text(cursor.value()))
              .isEqualTo("rowav");
          assertThat(cursor.expiryMillis()).isEqualTo(Expiry.NEVER);
          escaped.set(cursor);

          Cursor closed = space.scan(bytes(ROW), SortRange.all(), Direction.FORWARD, 9);
          closed.close();
          closed.close();
          assertThatThrownBy(closed::next).isInstanceOf(IllegalStateException.class);
        });
    assertThatThrownBy(() -> escaped.get().next()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> escaped.get().value()).isInstanceOf(IllegalStateException.class);
    escaped.get().close();
  }

  @Test
  default void aCursorFromBeforeShowsWhatItShowedBefore() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rowOf("a", "b");
    try (Cursor cursor = space.scanAll()) {
      assertThat(cursor.next()).isTrue();
      AtomicReference<@Nullable Boolean> moved = new AtomicReference<>();
      atomically(
          () -> {
            put(space, ROW, "c", "v");
            if (moved.get() == null) { // the work may run again, the cursor not
              moved.set(cursor.next());
              assertThat(text(cursor.sortKey())).isEqualTo("b");
            }
          });
      assertThat(moved.get()).isTrue();
    }
  }

  @Test
  default void argumentsAreCheckedAsOutside() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space rows = rows();
    Space entries = entries();
    assertThatThrownBy(() -> engine().atomically(null)).isInstanceOf(NullPointerException.class);
    atomically(
        () -> {
          assertThatThrownBy(() -> put(entries, ROW, "a", "v"))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> entries.count(bytes(ROW)))
              .isInstanceOf(UnsupportedOperationException.class);
          assertThatThrownBy(() -> putCounted(entries, ROW, "", "v"))
              .isInstanceOf(UnsupportedOperationException.class);
          assertThatThrownBy(() -> rows.scan(bytes(ROW), SortRange.all(), Direction.FORWARD, -1))
              .isInstanceOf(IllegalArgumentException.class);
        });
  }

  @Test
  default void aSpaceThatIsDroppedMeanwhileMakesItFail() throws Exception {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space rows = rows();
    Space entries = entries();
    assertThatThrownBy(
            () ->
                atomically(
                    () -> {
                      put(rows, ROW, "a", "v");
                      put(entries, ROW, "", "v");
                      inAnotherThread(() -> engine().drop("rows"));
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(scanAll(entries)).isEmpty();
  }

  @Test
  default void aSpaceThatIsClearedMeanwhileMakesItRunAgain() throws Exception {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space rows = rowOf("a");
    Space entries = entries();
    AtomicReference<@Nullable Boolean> cleared = new AtomicReference<>();
    atomically(
        () -> {
          String seen = get(rows, ROW, "a");
          put(entries, "seen", "", String.valueOf(seen));
          if (cleared.getAndSet(true) == null) {
            inAnotherThread(
                () -> {
                  rows.clear();
                  return null;
                });
          }
        });
    assertThat(scanAll(entries)).containsExactly("seen/=null");
  }

  @Test
  default void bothDurabilitiesJoin() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space rows = rows();
    atomically(
        () -> {
          put(rows.withDurability(Durability.BUFFERED), ROW, "a", "1");
          put(rows.withDurability(Durability.SYNC), ROW, "b", "2");
        });
    assertThat(scan(rows, ROW)).containsExactly("a", "b");
  }
}
