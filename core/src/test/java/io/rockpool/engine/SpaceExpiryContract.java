package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.key;
import static io.rockpool.engine.EngineUnderTest.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.store.Durability;
import io.rockpool.testing.Threads;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The expiry of a whole space. */
interface SpaceExpiryContract extends EngineUnderTest {
  private long in(long millis) {
    return clock().millis() + millis;
  }

  private void assertEmpty(Space space) {
    assertThat(get(space, ROW, "")).isNull();
    assertThat(space.getAll(List.of(key(ROW, ""), key("other", "")))).containsOnlyNulls();
    assertThat(scan(space, ROW)).isEmpty();
    assertThat(scanAll(space)).isEmpty();
    assertThat(scanAll(space, key("", ""))).isEmpty();
    if (space.info().layout() == Layout.ROWS) {
      assertThat(space.count(bytes(ROW))).isZero();
    }
  }

  private void assertExpires(Space space, long expiryMillis) {
    assertThat(space.info().expiresMillis()).isEqualTo(expiryMillis);
    SpaceInfo described = Objects.requireNonNull(engine().describe(space.name()));
    assertThat(described.expiresMillis()).isEqualTo(expiryMillis);
    assertThat(engine().list(space.name()).get(0).expiresMillis()).isEqualTo(expiryMillis);
  }

  @Test
  default void allRecordsEndAtTheInstant() {
    for (Space space : spaces()) {
      long end = in(100);
      assertExpires(space, Expiry.NEVER);
      put(space, ROW, "", "before");
      space.expireAt(end);
      put(space, "other", "", "after");
      if (space.info().layout() == Layout.ROWS) {
        putCounted(space, ROW, "c", "counted");
      }
      assertExpires(space, end);
      clock().setMillis(end - 1);
      assertThat(get(space, ROW, "")).isEqualTo("before");
      assertThat(get(space, "other", "")).isEqualTo("after");
      RowRecord record = Objects.requireNonNull(space.get(bytes(ROW), Space.NO_SORT_KEY));
      assertThat(record.expiryMillis()).isEqualTo(Expiry.NEVER);
      clock().setMillis(end);
      assertEmpty(space);
      assertExpires(space, Expiry.NEVER);
      clock().advanceMillis(1_000_000);
      assertEmpty(space);
    }
  }

  @Test
  default void writesAfterTheInstantStay() {
    List<java.util.function.Consumer<Space>> writes =
        List.of(
            space -> put(space, ROW, "", "new"),
            space -> put(space, ROW, "", "new", in(1_000_000)),
            space -> change(space, ROW, row -> row.put(bytes(""), bytes("new"), Expiry.NEVER)),
            space -> space.putAll(List.of(record(ROW, "", "new"))),
            space -> {
              space.delete(bytes("other"), Space.NO_SORT_KEY);
              space.deleteAll(List.of(key("other", "")));
              put(space, ROW, "", "new");
            },
            space -> {
              if (engine().capabilities().contains(Capability.MULTI_ROW_TRANSACTIONS)) {
                atomically(
                    () -> {
                      assertThat(get(space, "other", "")).isNull();
                      put(space, ROW, "", "new");
                    });
              } else {
                put(space, ROW, "", "new");
              }
            });
    for (Space space : spaces()) {
      for (var write : writes) {
        put(space, ROW, "", "old");
        put(space, "other", "", "old");
        space.expireAt(in(10));
        clock().advanceMillis(10);
        write.accept(space);
        assertThat(scanAll(space)).containsExactly("row/=new");
        assertExpires(space, Expiry.NEVER);
        clock().advanceMillis(1_000);
        assertThat(scanAll(space)).containsExactly("row/=new");
        space.clear();
      }
    }
  }

  @Test
  default void aTransactionAfterTheInstantSeesNothing() {
    Space space = rowOf("a");
    putCounted(space, ROW, "c", "v");
    space.expireAt(in(10));
    clock().advanceMillis(10);
    change(
        space,
        ROW,
        row -> {
          assertThat(row.get(bytes("a"))).isNull();
          assertThat(row.count()).isZero();
          assertThat(row.scan(SortRange.all(), Direction.FORWARD, 9)).isEmpty();
          row.putCounted(bytes("d"), bytes("v"), Expiry.NEVER);
        });
    assertThat(space.count(bytes(ROW))).isEqualTo(1);
    assertThat(scan(space, ROW)).containsExactly("d");
  }

  @Test
  default void theInstantCanBeMovedAndTakenBack() {
    Space space = rowOf("a");
    space.expireAt(in(10));
    space.expireAt(in(20));
    clock().advanceMillis(10);
    assertThat(scan(space, ROW)).containsExactly("a");
    space.expireAt(Expiry.NEVER);
    assertExpires(space, Expiry.NEVER);
    clock().advanceMillis(10);
    assertThat(scan(space, ROW)).containsExactly("a");
    space.expireAt(Expiry.MAX_MILLIS + 1);
    assertExpires(space, Expiry.NEVER);
    space.expireAt(Expiry.MAX_MILLIS);
    assertExpires(space, Expiry.MAX_MILLIS);
    assertThat(scan(space, ROW)).containsExactly("a");
  }

  @Test
  default void anInstantThatIsPastClears() {
    Space space = rowOf("a");
    for (long past : new long[] {clock().millis(), clock().millis() - 1, 0, -1, Long.MIN_VALUE}) {
      put(space, ROW, "", "v");
      space.expireAt(past);
      assertEmpty(space);
      assertExpires(space, Expiry.NEVER);
      put(space, ROW, "b", "v");
      assertThat(scan(space, ROW)).containsExactly("b");
    }
  }

  /** A new instant does not bring back what the one before has ended. */
  @Test
  default void anInstantAfterAnotherConcernsWhatIsThere() {
    Space space = rowOf("a");
    space.expireAt(in(10));
    clock().advanceMillis(10);
    space.expireAt(in(10));
    assertEmpty(space);
    put(space, ROW, "b", "v");
    assertExpires(space, in(10));
    clock().advanceMillis(10);
    assertEmpty(space);
  }

  @Test
  default void clearKeepsTheExpiryAndResetDoesNot() {
    Space space = rowOf("a");
    long end = in(10);
    space.expireAt(end);
    space.clear();
    put(space, ROW, "b", "v");
    assertExpires(space, end);
    engine().setAttributes("rows", java.util.Map.of("x", "y"));
    assertExpires(space, end);
    clock().setMillis(end);
    assertEmpty(space);

    space.expireAt(in(10));
    Space fresh = engine().reset(EngineUnderTest.spec("rows", Layout.ROWS));
    assertExpires(fresh, Expiry.NEVER);
    put(fresh, ROW, "c", "v");
    clock().advanceMillis(10);
    assertThat(scan(fresh, ROW)).containsExactly("c");
    assertThatThrownBy(() -> space.expireAt(in(10))).isInstanceOf(IllegalStateException.class);
  }

  @Test
  default void itIsOneExpiryForAllHandles() {
    Space space = rowOf("a");
    Space other = Objects.requireNonNull(engine().open("rows"));
    space.withDurability(Durability.SYNC).expireAt(in(10));
    assertExpires(other, in(10));
    clock().advanceMillis(10);
    put(other, ROW, "b", "v");
    assertThat(scan(space, ROW)).containsExactly("b");
    space.expireAt(in(10));
    clock().advanceMillis(10);
    Space opened = Objects.requireNonNull(engine().open("rows"));
    assertEmpty(opened);
    assertExpires(opened, Expiry.NEVER);
    put(opened, ROW, "c", "v");
    assertThat(scan(space, ROW)).containsExactly("c");
  }

  @Test
  default void itSurvivesAReopen() {
    put(rows(), ROW, "", "v");
    put(entries(), ROW, "", "v");
    long end = in(10);
    rows().expireAt(end);
    entries().expireAt(end);
    reopen();
    assertExpires(rows(), end);
    assertThat(get(rows(), ROW, "")).isEqualTo("v");
    clock().setMillis(end);
    assertEmpty(rows());
    put(rows(), ROW, "", "new");
    reopen();
    assertThat(get(rows(), ROW, "")).isEqualTo("new");
    assertExpires(rows(), Expiry.NEVER);
    assertEmpty(entries());
    assertExpires(entries(), Expiry.NEVER);
    reopen();
    put(entries(), "other", "", "v");
    clock().advanceMillis(1_000);
    assertThat(scanAll(entries())).containsExactly("other/=v");
  }

  /**
   * Writers meet the instant again and again: what was written before is gone, what was written
   * after stays.
   */
  @Test
  default void writersAtTheInstantLoseNothingThatCameAfter() throws Exception {
    Space space = rows();
    for (int round = 0; round < 30; round++) {
      String prefix = "r" + round + "-";
      put(space, ROW, prefix + "before", "v");
      long end = in(10);
      space.expireAt(end);
      AtomicInteger after = new AtomicInteger();
      Threads.run(
          4,
          thread -> {
            if (thread == 0) {
              clock().setMillis(end);
              return;
            }
            for (int i = 0; i < 20; i++) {
              String sortKey = prefix + thread + "-" + i;
              boolean late = clock().millis() >= end;
              if (thread == 1) {
                change(space, ROW, row -> row.put(bytes(sortKey), bytes("v"), Expiry.NEVER));
              } else {
                put(space, ROW, sortKey, "v");
              }
              if (late) {
                after.incrementAndGet();
                assertThat(get(space, ROW, sortKey)).isEqualTo("v");
              }
            }
          });
      assertThat(get(space, ROW, prefix + "before")).isNull();
      assertThat(scan(space, ROW)).hasSizeGreaterThanOrEqualTo(after.get());
      space.clear();
    }
  }
}
