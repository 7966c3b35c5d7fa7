package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.key;
import static io.rockpool.engine.EngineUnderTest.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.testing.MaySkip;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Leases on entries, of several handles. */
interface LeaseContract extends EngineUnderTest {
  private LeasedRead lease(Space space) {
    return space.lease(List.of(bytes(ROW))).get(0);
  }

  private static LeasedWrite put(LeasedRead read, String value) {
    return new LeasedWrite(Objects.requireNonNull(read.lease()), bytes(value), Expiry.NEVER);
  }

  private static boolean write(Space space, LeasedWrite write) {
    return space.transact(bytes(ROW), write);
  }

  private @Nullable String entry() {
    return get(entries(), ROW, "");
  }

  /** Runs a test with the space of another handle. */
  private void withAnother(Consumer<Space> test) {
    assume(Capability.SHARED);
    entries();
    try (Engine other = openAnother()) {
      test.accept(Objects.requireNonNull(other.open(entries().name())));
    }
  }

  /** What ends a lease, whether the key has an entry or not. */
  private static Map<String, Consumer<Space>> writes() {
    Map<String, Consumer<Space>> writes = new LinkedHashMap<>();
    byte[] row = bytes(ROW);
    byte[] none = Space.NO_SORT_KEY;
    writes.put("put", space -> space.put(row, none, bytes("1"), Expiry.NEVER));
    writes.put("delete", space -> space.delete(row, none));
    writes.put("putAll", space -> space.putAll(List.of(record(ROW, "", "1"))));
    writes.put("deleteAll", space -> space.deleteAll(List.of(key(ROW, ""))));
    writes.put(
        "RecordWrite.put", space -> space.transact(row, RecordWrite.put(none, bytes("1"), 0)));
    writes.put("RecordWrite.delete", space -> space.transact(row, RecordWrite.delete(none)));
    writes.put(
        "a transaction that deletes",
        space ->
            space.transact(
                row,
                there -> {
                  there.delete(none);
                  return true;
                }));
    writes.put("clear", Space::clear);
    writes.put(
        "put and delete",
        space -> {
          space.put(row, none, bytes("1"), Expiry.NEVER);
          space.delete(row, none);
        });
    writes.put(
        "another leased write",
        space -> {
          LeasedRead read = space.lease(List.of(row)).get(0);
          space.transact(row, new LeasedWrite(Objects.requireNonNull(read.lease()), null, 0));
        });
    return writes;
  }

  @Test
  default void withoutOtherHandlesThereIsNoLease() {
    if (!engine().capabilities().contains(Capability.SHARED)) {
      assertThat(lease(entries())).isEqualTo(new LeasedRead(null, null));
      put(entries(), ROW, "", "1");
      assertThat(value(lease(entries()).record())).isEqualTo("1");
      assertThat(lease(entries()).lease()).isNull();
    }
  }

  @Test
  @MaySkip(ChangeContract.ONE_HANDLE)
  default void aLeaseIsSharedAndInvisible() {
    withAnother(
        theirs -> {
          LeasedRead mine = lease(entries());
          assertThat(mine.record()).isNull();
          LeasedRead same = lease(theirs);
          assertThat(same.record()).isNull();
          assertThat(entry()).isNull();
          assertThat(entries().getAll(List.of(key(ROW, "")))).containsOnlyNulls();
          assertThat(scanAll(theirs)).isEmpty();
          RowRecord none = theirs.transact(bytes(ROW), row -> row.get(Space.NO_SORT_KEY));
          assertThat(none).isNull();
          assertThat(write(theirs, put(same, "1"))).isTrue();
          assertThat(write(entries(), put(mine, "2"))).isFalse();
          assertThat(entry()).isEqualTo("1");
        });
  }

  @Test
  @MaySkip(ChangeContract.ONE_HANDLE)
  default void everyWriteOfAHandleEndsTheLeasesOfAll() {
    withAnother(
        theirs -> {
          for (boolean present : new boolean[] {false, true}) {
            writes()
                .forEach(
                    (name, write) -> {
                      for (Space writer : List.of(theirs, entries())) {
                        entries().delete(bytes(ROW), Space.NO_SORT_KEY);
                        if (present) {
                          put(entries(), ROW, "", "1");
                        }
                        LeasedRead read = lease(entries());
                        assertThat(read.record() != null).isEqualTo(present);
                        write.accept(writer);
                        String after = entry();
                        assertThat(write(entries(), put(read, "old")))
                            .as(name + ", present: " + present)
                            .isFalse();
                        assertThat(entry()).isEqualTo(after);
                      }
                    });
          }
        });
  }

  @Test
  @MaySkip(ChangeContract.ONE_HANDLE)
  default void aLeasedWritePutsOrDeletesOnce() {
    withAnother(
        theirs -> {
          LeasedRead absent = lease(entries());
          assertThat(write(entries(), put(absent, "1"))).isTrue();
          assertThat(write(entries(), put(absent, "2"))).isFalse();
          LeasedRead present = lease(theirs);
          assertThat(value(present.record())).isEqualTo("1");
          assertThat(write(theirs, put(present, "3"))).isTrue();
          LeasedRead last = lease(entries());
          Lease lease = Objects.requireNonNull(last.lease());
          assertThat(write(entries(), new LeasedWrite(lease, null, Expiry.NEVER))).isTrue();
          assertThat(entry()).isNull();
          assertThat(write(entries(), new LeasedWrite(lease, null, Expiry.NEVER))).isFalse();
        });
  }

  @Test
  @MaySkip(ChangeContract.ONE_HANDLE)
  default void aLeaseFollowsAnEndedEntry() {
    withAnother(
        theirs -> {
          put(theirs, ROW, "", "1", clock().millis() + 1_000);
          clock().advanceMillis(1_000);
          LeasedRead expired = lease(entries());
          assertThat(expired.record()).isNull();
          assertThat(write(entries(), put(expired, "2"))).isTrue();
          assertThat(entry()).isEqualTo("2");
          theirs.clear();
          LeasedRead cleared = lease(entries());
          assertThat(cleared.record()).isNull();
          assertThat(write(entries(), put(cleared, "3"))).isTrue();
          assertThat(entry()).isEqualTo("3");
        });
  }

  @Test
  @MaySkip(ChangeContract.ONE_HANDLE)
  default void manyAreLeasedAndWrittenTogether() {
    withAnother(
        theirs -> {
          put(theirs, "b", "", "there");
          List<byte[]> keys = List.of(bytes("c"), bytes("b"), bytes("a"));
          List<LeasedRead> reads = entries().lease(keys);
          assertThat(reads).extracting(this::valueOf).containsExactly(null, "there", null);
          theirs.delete(bytes("a"), Space.NO_SORT_KEY);
          List<LeasedWrite> writes = reads.stream().map(read -> put(read, "new")).toList();
          assertThat(entries().writeLeased(keys, writes)).containsExactly(true, true, false);
          assertThat(scanAll(theirs)).containsExactlyInAnyOrder("b/=new", "c/=new");
          assertThat(entries().writeLeased(List.of(), List.of())).isEmpty();
        });
  }

  private @Nullable String valueOf(LeasedRead read) {
    return value(read.record());
  }

  @Test
  @MaySkip(ChangeContract.ONE_HANDLE)
  default void aSweepLeavesALease() {
    withAnother(
        theirs -> {
          LeasedRead read = lease(entries());
          engine().reclaim();
          assertThat(write(entries(), put(read, "1"))).isTrue();
        });
  }

  @Test
  @MaySkip(ChangeContract.ONE_HANDLE)
  default void aTransactionTakesNoLease() {
    assume(Capability.SHARED);
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = entries();
    assertThatThrownBy(() -> engine().atomically(() -> lease(space)))
        .isInstanceOf(IllegalStateException.class);
  }
}
