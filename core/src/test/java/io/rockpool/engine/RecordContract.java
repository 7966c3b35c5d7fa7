package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.key;
import static io.rockpool.engine.EngineUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.store.Durability;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Single records: get, put, delete, and rows and spaces that don't touch each other. */
interface RecordContract extends EngineUnderTest {
  @Test
  default void whatWasNeverPutIsNull() {
    assertThat(rows().get(bytes(ROW), bytes("a"))).isNull();
  }

  @Test
  default void getReturnsWhatWasPut() {
    long expiryMillis = clock().millis() + 1_000;
    put(rows(), ROW, "a", "1", expiryMillis);

    RowRecord found = Objects.requireNonNull(rows().get(bytes(ROW), bytes("a")));
    assertThat(text(found.hashKey())).isEqualTo(ROW);
    assertThat(text(found.sortKey())).isEqualTo("a");
    assertThat(text(found.value())).isEqualTo("1");
    assertThat(found.expiryMillis()).isEqualTo(expiryMillis);
  }

  @Test
  default void putReplaces() {
    put(rows(), ROW, "a", "1");
    put(rows(), ROW, "a", "22");
    assertThat(get(rows(), ROW, "a")).isEqualTo("22");
  }

  @Test
  default void deleteRemovesOneRecord() {
    Space space = rowOf("a", "b");
    space.delete(bytes(ROW), bytes("a"));
    assertThat(get(space, ROW, "a")).isNull();
    assertThat(get(space, ROW, "b")).isEqualTo("v");
  }

  @Test
  default void deletingWhatIsNotThereDoesNothing() {
    rows().delete(bytes(ROW), bytes("a"));
    assertThat(scanAll(rows())).isEmpty();
  }

  @Test
  default void anEmptyValueIsAValue() {
    put(rows(), ROW, "a", "");
    put(entries(), ROW, "", "");
    assertThat(get(rows(), ROW, "a")).isEmpty();
    assertThat(get(entries(), ROW, "")).isEmpty();
  }

  @Test
  default void everyByteComesBack() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    rows().put(all, all, all, Expiry.NEVER);
    entries().put(all, Space.NO_SORT_KEY, all, Expiry.NEVER);
    assertThat(get(rows(), text(all), text(all))).isEqualTo(text(all));
    assertThat(get(entries(), text(all), "")).isEqualTo(text(all));
  }

  @Test
  default void aValueLargerThanABatchComesBack() {
    byte[] value = new byte[2 * Limits.MAX_BATCH_BYTES + 1];
    new Random(1).nextBytes(value);
    for (Space space : spaces()) {
      space.put(bytes(ROW), Space.NO_SORT_KEY, value, Expiry.NEVER);
      RowRecord found = Objects.requireNonNull(space.get(bytes(ROW), Space.NO_SORT_KEY));
      assertThat(Arrays.equals(found.value(), value)).isTrue();
    }
  }

  @Test
  default void aReaderGetsTheValueWhereItLies() {
    long expiryMillis = clock().millis() + 1;
    put(rows(), ROW, "a", "value", expiryMillis);
    put(entries(), ROW, "", "entry");
    RecordReader<String> reader =
        (bytes, offset, length, expiry) ->
            text(Arrays.copyOfRange(bytes, offset, offset + length)) + "@" + expiry;

    assertThat(rows().get(bytes(ROW), bytes("a"), reader)).isEqualTo("value@" + expiryMillis);
    assertThat(entries().get(bytes(ROW), bytes(""), reader)).isEqualTo("entry@" + Expiry.NEVER);
  }

  @Test
  default void aReaderIsNotCalledForNothing() {
    RecordReader<String> reader =
        (bytes, offset, length, expiry) -> {
          throw new AssertionError("There is nothing to read.");
        };
    assertThat(rows().get(bytes(ROW), bytes("a"), reader)).isNull();
  }

  @Test
  default void aReaderMayReturnNullOrThrow() {
    put(rows(), ROW, "a", "1");
    RuntimeException failure = new RuntimeException("reader");
    RecordReader<String> throwing =
        (bytes, offset, length, expiry) -> {
          throw failure;
        };
    RecordReader<String> nothing = (bytes, offset, length, expiry) -> null;

    assertThat(rows().get(bytes(ROW), bytes("a"), nothing)).isNull();
    assertThatThrownBy(() -> rows().get(bytes(ROW), bytes("a"), throwing)).isSameAs(failure);
    assertThat(get(rows(), ROW, "a")).isEqualTo("1");
  }

  /** Hash keys that begin with one another, and splits of the same bytes, must not meet. */
  @Test
  default void rowsAreApart() {
    Space space = rows();
    List<String> hashKeys =
        List.of(
            "",
            "\0",
            "\0\0",
            "\1",
            "\1\0",
            "\1\0\0",
            "\1\1",
            "\1\377",
            "\377",
            "\377\377",
            "\0\377",
            "\0\1");
    List<String> sortKeys = List.of("", "\0", "\0\0", "\1", "\377", "\0\1", "\0\377", "\377\0");
    for (String hashKey : hashKeys) {
      for (String sortKey : sortKeys) {
        put(space, hashKey, sortKey, hashKey + "|" + sortKey);
      }
    }
    space.delete(bytes("\1\0"), bytes("\0"));

    for (String hashKey : hashKeys) {
      for (String sortKey : sortKeys) {
        boolean deleted = hashKey.equals("\1\0") && sortKey.equals("\0");
        assertThat(get(space, hashKey, sortKey))
            .isEqualTo(deleted ? null : hashKey + "|" + sortKey);
      }
      assertThat(scan(space, hashKey)).hasSize(hashKey.equals("\1\0") ? 7 : 8).isSorted();
    }
    assertThat(scanAll(space)).hasSize(hashKeys.size() * sortKeys.size() - 1);
  }

  @Test
  default void entriesAreApart() {
    List<String> hashKeys = List.of("", "\0", "\0\0", "\1", "\1\0", "\1\0\0", "\377", "\377\377");
    for (String hashKey : hashKeys) {
      put(entries(), hashKey, "", "of" + hashKey);
    }
    entries().delete(bytes("\1\0"), Space.NO_SORT_KEY);
    for (String hashKey : hashKeys) {
      assertThat(get(entries(), hashKey, ""))
          .isEqualTo(hashKey.equals("\1\0") ? null : "of" + hashKey);
    }
  }

  @Test
  default void spacesAreApart() {
    Space one = engine().create(EngineUnderTest.spec("one", layout()));
    Space other = engine().create(EngineUnderTest.spec("other", layout()));
    put(one, ROW, "", "1");
    put(other, ROW, "", "2");
    one.clear();
    assertThat(scanAll(one)).isEmpty();
    assertThat(scanAll(other)).containsExactly("row/=2");
  }

  @Test
  default void allHandlesOfANameAreOneSpace() {
    Space first = rows();
    Space second = rows();
    put(first, ROW, "a", "1");
    assertThat(get(second, ROW, "a")).isEqualTo("1");
    second.clear();
    assertThat(get(first, ROW, "a")).isNull();
    put(first, ROW, "a", "2");
    assertThat(get(second, ROW, "a")).isEqualTo("2");
  }

  @Test
  default void durabilityChangesNothingThatIsRead() {
    for (Durability durability : Durability.values()) {
      Space space = rows().withDurability(durability);
      put(space, ROW, durability.name(), "blind");
      putCounted(space, ROW, durability.name() + "+", "counted");
      assertThat(get(rows(), ROW, durability.name())).isEqualTo("blind");
      assertThat(get(space, ROW, durability.name() + "+")).isEqualTo("counted");
      assertThat(space.name()).isEqualTo("rows");
    }
    assertThat(rows().count(bytes(ROW))).isEqualTo(Durability.values().length);
  }

  @Test
  default void getAllAnswersInTheOrderOfTheKeys() {
    Space space = rows();
    put(space, "x", "a", "1");
    put(space, "y", "b", "2", clock().millis() + 5);

    List<RowRecord> found =
        space.getAll(List.of(key("y", "b"), key("x", "b"), key("x", "a"), key("y", "b")));
    assertThat(found).hasSize(4);
    assertThat(found.stream().map(this::value)).containsExactly("2", null, "1", "2");
    RowRecord first = found.get(0);
    assertThat(text(first.hashKey()) + text(first.sortKey())).isEqualTo("yb");
    assertThat(first.expiryMillis()).isEqualTo(clock().millis() + 5);
  }

  @Test
  default void getAllOfNothingIsEmpty() {
    assertThat(rows().getAll(List.of())).isEmpty();
  }

  @Test
  default void getAllOfEntries() {
    put(entries(), "x", "", "1");
    assertThat(entries().getAll(List.of(key("y", ""), key("x", ""))).stream().map(this::value))
        .containsExactly(null, "1");
  }

  @Test
  default void arraysPassedInMayBeUsedAgain() {
    for (Space space : spaces()) {
      byte[] hashKey = bytes("h");
      byte[] value = bytes("1");
      space.put(hashKey, Space.NO_SORT_KEY, value, Expiry.NEVER);
      hashKey[0] = 'x';
      value[0] = 'x';
      assertThat(get(space, "h", "")).isEqualTo("1");
      assertThat(get(space, "x", "")).isNull();
    }
    byte[] sortKey = bytes("s");
    rows().put(bytes("h"), sortKey, bytes("2"), Expiry.NEVER);
    sortKey[0] = 'x';
    assertThat(scan(rows(), "h")).containsExactly("", "s");
  }

  @Test
  default void entriesHaveNoOtherSortKeyThanTheEmptyOne() {
    Space space = entries();
    put(space, ROW, "", "kept");
    byte[] other = bytes("a");
    List<Runnable> refused =
        List.of(
            () -> space.get(bytes(ROW), other),
            () -> space.getAll(List.of(key(ROW, ""), key(ROW, "a"))),
            () -> space.put(bytes(ROW), other, bytes("v"), Expiry.NEVER),
            () -> space.delete(bytes(ROW), other),
            () -> space.scanAll(key(ROW, "a")).close(),
            () -> space.scanAll(null, key(ROW, "a")).close(),
            () -> space.putAll(List.of(EngineUnderTest.record(ROW, "a", "v"))),
            () -> space.deleteAll(List.of(key(ROW, "a"))),
            () -> change(space, ROW, row -> row.get(other)),
            () -> change(space, ROW, row -> row.put(other, bytes("v"), Expiry.NEVER)),
            () -> change(space, ROW, row -> row.delete(other)));
    for (Runnable operation : refused) {
      assertThatThrownBy(operation::run).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(scanAll(space)).containsExactly("row/=kept");
  }
}
