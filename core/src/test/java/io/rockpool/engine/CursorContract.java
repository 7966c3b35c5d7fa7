package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How a cursor is used, and misused. */
interface CursorContract extends EngineUnderTest {
  @Test
  default void aCursorShowsAllOfARecord() {
    long expiryMillis = clock().millis() + 9;
    put(rows(), ROW, "a", "1", expiryMillis);
    put(rows(), ROW, "b", "2");
    try (Cursor cursor = rows().scan(bytes(ROW), SortRange.all(), Direction.FORWARD, 9)) {
      assertThat(cursor.next()).isTrue();
      assertThat(text(cursor.hashKey())).isEqualTo(ROW);
      assertThat(text(cursor.sortKey())).isEqualTo("a");
      assertThat(text(cursor.value())).isEqualTo("1");
      assertThat(cursor.expiryMillis()).isEqualTo(expiryMillis);
      assertThat(cursor.next()).isTrue();
      assertThat(text(cursor.value())).isEqualTo("2");
      assertThat(cursor.expiryMillis()).isEqualTo(Expiry.NEVER);
      assertThat(cursor.next()).isFalse();
    }
  }

  @Test
  default void aCursorOfEntriesShowsAllOfARecord() {
    long expiryMillis = clock().millis() + 9;
    put(entries(), "a", "", "1", expiryMillis);
    try (Cursor cursor = entries().scanAll(null)) {
      assertThat(cursor.next()).isTrue();
      assertThat(text(cursor.hashKey())).isEqualTo("a");
      assertThat(cursor.sortKey()).isEmpty();
      assertThat(text(cursor.value())).isEqualTo("1");
      assertThat(cursor.expiryMillis()).isEqualTo(expiryMillis);
    }
  }

  @Test
  default void arraysOfACursorStayAsTheyAre() {
    rowOf("a", "b");
    try (Cursor cursor = rows().scanAll(null)) {
      assertThat(cursor.next()).isTrue();
      byte[] hashKey = cursor.hashKey();
      byte[] sortKey = cursor.sortKey();
      byte[] value = cursor.value();
      assertThat(cursor.next()).isTrue();
      assertThat(text(hashKey) + text(sortKey) + text(value)).isEqualTo("rowav");
    }
  }

  @Test
  default void thereIsNoRecordBeforeTheFirstAndAfterTheLast() {
    rowOf("a");
    try (Cursor cursor = rows().scanAll(null)) {
      assertNoRecord(cursor);
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.next()).isFalse();
      assertNoRecord(cursor);
      assertThat(cursor.next()).isFalse();
    }
  }

  @Test
  default void aClosedCursorIsOfNoUse() {
    rowOf("a", "b");
    Cursor cursor = rows().scanAll(null);
    assertThat(cursor.next()).isTrue();
    cursor.close();
    cursor.close();
    assertNoRecord(cursor);
    assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
  }

  @Test
  default void closingTheEngineClosesItsCursors() {
    rowOf("a", "b");
    Cursor begun = rows().scanAll(null);
    assertThat(begun.next()).isTrue();
    Cursor fresh = rows().scan(bytes(ROW), SortRange.all(), Direction.BACKWARD, 9);
    engine().close();
    for (Cursor cursor : List.of(begun, fresh)) {
      assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
      assertNoRecord(cursor);
      cursor.close();
    }
  }

  @Test
  default void manyCursorsAtOnce() {
    rowOf("a", "b", "c");
    try (Cursor forward = rows().scan(bytes(ROW), SortRange.all(), Direction.FORWARD, 9);
        Cursor backward = rows().scan(bytes(ROW), SortRange.all(), Direction.BACKWARD, 9);
        Cursor all = rows().scanAll(null)) {
      for (String expected : List.of("aca", "bbb", "cac")) {
        assertThat(forward.next() && backward.next() && all.next()).isTrue();
        assertThat(text(forward.sortKey()) + text(backward.sortKey()) + text(all.sortKey()))
            .isEqualTo(expected);
      }
    }
  }

  @Test
  default void arraysPassedToAScanMayBeUsedAgain() {
    rowOf("a", "b", "c", "d");
    byte[] hashKey = bytes(ROW);
    byte[] from = bytes("b");
    byte[] to = bytes("d");
    SortRange range = SortRange.all().from(from, true).to(to, false);
    for (Direction direction : Direction.values()) {
      try (Cursor cursor = rows().scan(hashKey, range, direction, 9)) {
        hashKey[0] = 'x';
        from[0] = 'x';
        to[0] = 'a';
        assertThat(cursor.next()).isTrue();
        assertThat(text(cursor.sortKey())).isEqualTo(direction == Direction.FORWARD ? "b" : "c");
        assertThat(cursor.next()).isTrue();
        assertThat(text(cursor.sortKey())).isEqualTo(direction == Direction.FORWARD ? "c" : "b");
        assertThat(cursor.next()).isFalse();
      }
      hashKey[0] = 'r';
      from[0] = 'b';
      to[0] = 'd';
    }
  }

  private void assertNoRecord(Cursor cursor) {
    assertThatThrownBy(cursor::hashKey).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(cursor::sortKey).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(cursor::expiryMillis).isInstanceOf(IllegalStateException.class);
  }
}
