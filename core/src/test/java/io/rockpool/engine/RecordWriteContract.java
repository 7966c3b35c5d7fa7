package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.record;
import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Writes of one record that the engine may decide by itself. */
interface RecordWriteContract extends EngineUnderTest {
  private @Nullable String write(RecordWrite write) {
    return value(rows().transact(bytes(ROW), write));
  }

  private static RecordWrite put(String value) {
    return RecordWrite.put(bytes("a"), bytes(value), Expiry.NEVER);
  }

  @Test
  default void aWriteReturnsTheRecordBefore() {
    assertThat(write(put("1"))).isNull();
    assertThat(write(put("2"))).isEqualTo("1");
    assertThat(write(RecordWrite.delete(bytes("a")))).isEqualTo("2");
    assertThat(write(RecordWrite.delete(bytes("a")))).isNull();
    assertThat(get(rows(), ROW, "a")).isNull();
  }

  @Test
  default void aWriteIfAbsentLeavesARecord() {
    RecordWrite one = put("1").ifAbsent();
    assertThat(one.isMadeOver(rows().transact(bytes(ROW), one))).isTrue();
    RecordWrite two = put("2").ifAbsent();
    RowRecord before = rows().transact(bytes(ROW), two);
    assertThat(value(before)).isEqualTo("1");
    assertThat(two.isMadeOver(before)).isFalse();
    assertThat(get(rows(), ROW, "a")).isEqualTo("1");
  }

  @Test
  default void aWriteIfSameReturnsAnotherRecord() {
    RowRecord other = record(ROW, "a", "other");
    assertThat(write(put("1").ifSame(other))).isNull();
    assertThat(get(rows(), ROW, "a")).isNull();
    write(put("1"));
    RowRecord there = rows().get(bytes(ROW), bytes("a"));
    assertThat(write(put("2").ifSame(other))).isEqualTo("1");
    assertThat(write(RecordWrite.delete(bytes("a")).ifSame(other))).isEqualTo("1");
    RecordWrite same = put("2").ifSame(there);
    assertThat(same.isMadeOver(rows().transact(bytes(ROW), same))).isTrue();
    assertThat(write(RecordWrite.delete(bytes("a")).ifSame(there))).isEqualTo("2");
    assertThat(get(rows(), ROW, "a")).isEqualTo("2");
  }

  @Test
  default void anotherExpiryIsAnotherRecord() {
    put(rows(), ROW, "a", "1", clock().millis() + 1_000);
    assertThat(write(put("2").ifSame(record(ROW, "a", "1")))).isEqualTo("1");
    assertThat(get(rows(), ROW, "a")).isEqualTo("1");
    clock().advanceMillis(1_000);
    RecordWrite absent = put("3").ifAbsent();
    assertThat(absent.isMadeOver(rows().transact(bytes(ROW), absent))).isTrue();
    assertThat(get(rows(), ROW, "a")).isEqualTo("3");
  }

  @Test
  default void countedRecordsAreCounted() {
    RecordWrite counted = RecordWrite.putCounted(bytes("a"), bytes("1"), Expiry.NEVER);
    write(counted);
    write(counted);
    write(counted.ifAbsent());
    assertThat(rows().count(bytes(ROW))).isEqualTo(1);
    write(put("2"));
    assertThat(rows().count(bytes(ROW))).isZero();
    write(counted);
    write(RecordWrite.delete(bytes("a")));
    assertThat(rows().count(bytes(ROW))).isZero();
  }

  @Test
  default void aWriteJoinsATransaction() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rowOf("a");
    String[] before = new String[1];
    atomically(
        () -> {
          put(space, ROW, "a", "2");
          before[0] = value(space.transact(bytes(ROW), put("3")));
        });
    assertThat(before[0]).isEqualTo("2");
    assertThat(get(space, ROW, "a")).isEqualTo("3");
  }
}
