package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.key;
import static io.rockpool.engine.EngineUnderTest.record;
import static io.rockpool.engine.EngineUnderTest.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.store.Registration;
import io.rockpool.testing.MaySkip;
import io.rockpool.testing.Threads;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an engine that keeps entries only must do as well as one with collections. */
interface EntriesContract extends EngineUnderTest {
  private @Nullable String write(RecordWrite write) {
    return value(entries().transact(bytes(ROW), write));
  }

  private static RecordWrite put(String value) {
    return RecordWrite.put(Space.NO_SORT_KEY, bytes(value), Expiry.NEVER);
  }

  @Test
  default void collectionsAreRefusedWithTheWayOut() {
    if (!engine().capabilities().contains(Capability.COLLECTIONS)) {
      assertThatThrownBy(() -> engine().create(spec("map", Layout.ROWS)))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining(engine().description())
          .hasMessageContaining("embedded store");
      assertThat(engine().describe("map")).isNull();
    }
  }

  @Test
  default void aWriteOfAnEntryReturnsTheOneBefore() {
    assertThat(write(put("1"))).isNull();
    assertThat(write(put("2"))).isEqualTo("1");
    assertThat(write(put("3").ifAbsent())).isEqualTo("2");
    assertThat(get(entries(), ROW, "")).isEqualTo("2");
    RecordWrite delete = RecordWrite.delete(Space.NO_SORT_KEY);
    assertThat(write(delete)).isEqualTo("2");
    assertThat(write(delete)).isNull();
    assertThat(write(put("4").ifAbsent())).isNull();
    assertThat(get(entries(), ROW, "")).isEqualTo("4");
  }

  @Test
  default void anEntryIsReplacedIfItIsTheSame() {
    RowRecord other = record(ROW, "", "other");
    assertThat(write(put("1").ifSame(other))).isNull();
    assertThat(get(entries(), ROW, "")).isNull();
    put(entries(), ROW, "", "1", clock().millis() + 1_000);
    assertThat(write(put("2").ifSame(record(ROW, "", "1")))).isEqualTo("1");
    RowRecord there = entries().get(bytes(ROW), Space.NO_SORT_KEY);
    RecordWrite same = put("2").ifSame(there);
    assertThat(same.isMadeOver(entries().transact(bytes(ROW), same))).isTrue();
    there = entries().get(bytes(ROW), Space.NO_SORT_KEY);
    assertThat(write(RecordWrite.delete(Space.NO_SORT_KEY).ifSame(other))).isEqualTo("2");
    assertThat(write(RecordWrite.delete(Space.NO_SORT_KEY).ifSame(there))).isEqualTo("2");
    assertThat(get(entries(), ROW, "")).isNull();
  }

  @Test
  default void anExpiredEntryIsAbsentForConditions() {
    put(entries(), ROW, "", "1", clock().millis() + 1_000);
    clock().advanceMillis(1_000);
    assertThat(write(put("2").ifAbsent())).isNull();
    assertThat(get(entries(), ROW, "")).isEqualTo("2");
    put(entries(), ROW, "", "3", clock().millis() + 1_000);
    clock().advanceMillis(1_000);
    assertThat(write(put("4"))).isNull();
  }

  @Test
  default void clearedEntriesAreAbsentForConditions() {
    put(entries(), ROW, "", "1");
    entries().clear();
    assertThat(write(put("2").ifAbsent())).isNull();
    put(entries(), "other", "", "1");
    assertThat(scanAll(entries())).containsExactlyInAnyOrder("row/=2", "other/=1");
    entries().clear();
    assertThat(scanAll(entries())).isEmpty();
    assertThat(write(RecordWrite.delete(Space.NO_SORT_KEY))).isNull();
  }

  @Test
  default void transactionsOfAnEntryAreSerial() throws Exception {
    put(entries(), ROW, "", "0");
    int rounds = 50;
    Threads.run(
        Threads.CONTENDERS,
        thread -> {
          for (int i = 0; i < rounds; i++) {
            change(
                entries(),
                ROW,
                row ->
                    row.put(
                        Space.NO_SORT_KEY,
                        bytes("" + (Long.parseLong(value(row.get(Space.NO_SORT_KEY))) + 1)),
                        Expiry.NEVER));
          }
        });
    assertThat(get(entries(), ROW, "")).isEqualTo("" + rounds * Threads.CONTENDERS);
  }

  /** Runs a test with a second handle, and what it is notified of. */
  private void withAnother(Consumer<Engine> test) {
    assume(Capability.SHARED);
    try (Engine other = openAnother()) {
      test.accept(other);
    }
  }

  private static Space open(Engine engine) {
    return Objects.requireNonNull(engine.open("entries"));
  }

  @Test
  @MaySkip(ChangeContract.ONE_HANDLE)
  default void anotherHandleSeesEntriesAtOnce() {
    Space mine = entries();
    put(mine, ROW, "", "1");
    withAnother(
        other -> {
          Space theirs = open(other);
          put(theirs, ROW, "", "2");
          assertThat(get(mine, ROW, "")).isEqualTo("2");
          mine.clear();
          assertThat(get(theirs, ROW, "")).isNull();
          put(theirs, ROW, "", "3");
          assertThat(get(mine, ROW, "")).isEqualTo("3");
          theirs.expireAt(clock().millis() + 1_000);
          assertThat(get(mine, ROW, "")).isEqualTo("3");
          clock().advanceMillis(1_000);
          assertThat(get(mine, ROW, "")).isNull();
          put(mine, ROW, "", "4");
          assertThat(get(theirs, ROW, "")).isEqualTo("4");
          assertThat(other.drop("entries")).isTrue();
          assertThatThrownBy(() -> put(mine, ROW, "", "5"))
              .isInstanceOf(IllegalStateException.class);
          assertThatThrownBy(mine::info).isInstanceOf(IllegalStateException.class);
          assertThatThrownBy(mine::clear).isInstanceOf(IllegalStateException.class);
        });
  }

  @Test
  @MaySkip(ChangeContract.ONE_HANDLE)
  default void everyChangeOfAnEntryIsReported() {
    entries();
    withAnother(
        other -> {
          Space theirs = open(other);
          ChangeContract.Reports reports = new ChangeContract.Reports();
          try (Registration registration = engine().onChange(reports)) {
            put(theirs, "put", "", "1");
            theirs.delete(bytes("delete"), Space.NO_SORT_KEY);
            theirs.putAll(List.of(record("p1", "", "1"), record("p2", "", "1")));
            theirs.deleteAll(List.of(key("p3", "")));
            change(theirs, "tx", row -> row.put(Space.NO_SORT_KEY, bytes("1"), Expiry.NEVER));
            theirs.transact(bytes("rw"), put("1"));
            theirs.transact(bytes("rd"), RecordWrite.delete(Space.NO_SORT_KEY));
            change(theirs, "td", row -> row.delete(Space.NO_SORT_KEY));
            reports.await(
                "entries/put", "entries/delete", "entries/p1", "entries/p2", "entries/p3");
            reports.await("entries/tx", "entries/rw", "entries/td");
            theirs.clear();
            reports.await("all of entries");
            Space fresh = other.reset(new SpaceSpec("entries", Layout.ENTRIES, Map.of("a", "b")));
            reports.await("end of entries");
            put(fresh, ROW, "", "1");
            assertThat(get(entries(), ROW, "")).isEqualTo("1");
            other.drop("entries");
            assertThat(engine().describe("entries")).isNull();
          }
        });
  }

  @Test
  @MaySkip(ChangeContract.ONE_HANDLE)
  default void ownPutsAreNotReported() {
    Space mine = entries();
    withAnother(
        other -> {
          Space theirs = open(other);
          ChangeContract.Reports reports = new ChangeContract.Reports();
          try (Registration registration = engine().onChange(reports)) {
            mine.clear(); // first: an entry that has gone since may be reported, to be safe
            put(mine, "mine", "", "1");
            mine.delete(bytes("mine2"), Space.NO_SORT_KEY);
            change(mine, "mine3", row -> row.put(Space.NO_SORT_KEY, bytes("1"), Expiry.NEVER));
            mine.transact(bytes("mine4"), put("1"));
            put(theirs, "theirs", "", "1");
            reports.await("entries/theirs");
            assertThat(reports.all()).containsExactly("entries/theirs");
          }
        });
  }
}
