package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.LimitExceededException;
import io.rockpool.testing.MaySkip;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * Every operation takes what is at a limit, and refuses what is past it before it changes anything.
 */
interface LimitContract extends EngineUnderTest {
  /** The longest value that a build on a small machine can be asked to hold a few times over. */
  int MODEST_VALUE_BYTES = 16 << 20;

  private static byte[] filled(int length, int last) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 0xFF);
    bytes[length - 1] = (byte) last;
    return bytes;
  }

  @Test
  default void theEnginesLimitsAreWithinTheContracts() {
    EngineLimits limits = engine().limits();
    assertThat(limits.maxHashKeyBytes()).isBetween(1, Limits.MAX_HASH_KEY_BYTES);
    assertThat(limits.maxSortKeyBytes()).isBetween(1, Limits.MAX_SORT_KEY_BYTES);
    assertThat(limits.maxValueBytes()).isBetween(1, Limits.MAX_VALUE_BYTES);
    engine().close();
    assertThat(engine().limits()).isEqualTo(limits);
  }

  @Test
  default void keysAtTheirLimits() {
    byte[] hashKey = filled(maxHashKeyBytes(), 1);
    byte[] low = filled(maxSortKeyBytes(), 1);
    byte[] high = filled(maxSortKeyBytes(), 0xFF);
    Space space = rows();
    space.put(hashKey, low, bytes("1"), Expiry.NEVER);
    space.putAll(List.of(new RowRecord(hashKey, high, bytes("2"), clock().millis() + 5)));
    assertThat(value(space.get(hashKey, low))).isEqualTo("1");
    assertThat(space.getAll(List.of(new RecordKey(hashKey, high))).stream().map(this::value))
        .containsExactly("2");
    space.<Boolean>transact(
        hashKey,
        row -> {
          row.putCounted(low, bytes("3"), Expiry.NEVER);
          assertThat(row.scan(SortRange.all(), Direction.BACKWARD, 9)).hasSize(2);
          return true;
        });
    assertThat(space.count(hashKey)).isEqualTo(1);
    assertThat(scanAll(space)).hasSize(2);
    space.delete(hashKey, high);
    assertThat(space.get(hashKey, high)).isNull();

    entries().put(hashKey, Space.NO_SORT_KEY, bytes("4"), Expiry.NEVER);
    assertThat(value(entries().get(hashKey, Space.NO_SORT_KEY))).isEqualTo("4");
    assertThat(scanAll(entries())).hasSize(1);
  }

  /** The bound that continues after the longest sort key is one byte longer than any sort key. */
  @Test
  default void aScanContinuesAfterASortKeyAtItsLimit() {
    byte[] longest = filled(maxSortKeyBytes(), 0xFE);
    byte[] next = filled(maxSortKeyBytes(), 0xFF);
    Space space = rows();
    space.put(bytes(ROW), longest, bytes("1"), Expiry.NEVER);
    space.put(bytes(ROW), next, bytes("2"), Expiry.NEVER);
    SortRange after = SortRange.all().from(longest, false);
    SortRange upTo = SortRange.all().to(longest, true);
    for (Direction direction : Direction.values()) {
      try (Cursor cursor = space.scan(bytes(ROW), after, direction, 9)) {
        assertThat(cursor.next()).isTrue();
        assertThat(EngineUnderTest.text(cursor.value())).isEqualTo("2");
        assertThat(cursor.next()).isFalse();
      }
      try (Cursor cursor = space.scan(bytes(ROW), upTo, direction, 9)) {
        assertThat(cursor.next()).isTrue();
        assertThat(EngineUnderTest.text(cursor.value())).isEqualTo("1");
        assertThat(cursor.next()).isFalse();
      }
      change(
          space,
          ROW,
          row -> assertThat(value(row.scan(after, direction, 9).get(0))).isEqualTo("2"));
    }
  }

  @Test
  default void aHashKeyPastItsLimitIsRefused() {
    byte[] tooLong = new byte[maxHashKeyBytes() + 1];
    byte[] none = Space.NO_SORT_KEY;
    byte[] value = bytes("v");
    for (Space space : spaces()) {
      assertRefused(
          space,
          "hash key",
          maxHashKeyBytes(),
          List.of(
              () -> space.get(tooLong, none),
              () -> space.get(tooLong, none, (bytes, offset, length, expiry) -> "read"),
              () -> space.getAll(List.of(new RecordKey(tooLong, none))),
              () -> space.put(tooLong, none, value, Expiry.NEVER),
              () -> space.delete(tooLong, none),
              () -> space.putAll(List.of(new RowRecord(tooLong, none, value, Expiry.NEVER))),
              () -> space.deleteAll(List.of(new RecordKey(tooLong, none))),
              () -> space.transact(tooLong, row -> "ran"),
              () -> space.scan(tooLong, SortRange.all(), Direction.FORWARD, 1).close()));
    }
    assertRefused(rows(), "hash key", maxHashKeyBytes(), List.of(() -> rows().count(tooLong)));
  }

  @Test
  default void aSortKeyPastItsLimitIsRefused() {
    byte[] tooLong = new byte[maxSortKeyBytes() + 1];
    byte[] row = bytes(ROW);
    byte[] value = bytes("v");
    Space space = rows();
    assertRefused(
        space,
        "sort key",
        maxSortKeyBytes(),
        List.of(
            () -> space.get(row, tooLong),
            () -> space.get(row, tooLong, (bytes, offset, length, expiry) -> "read"),
            () -> space.getAll(List.of(new RecordKey(row, tooLong))),
            () -> space.put(row, tooLong, value, Expiry.NEVER),
            () -> space.delete(row, tooLong),
            () -> space.putAll(List.of(new RowRecord(row, tooLong, value, Expiry.NEVER))),
            () -> space.deleteAll(List.of(new RecordKey(row, tooLong))),
            () -> change(space, ROW, r -> r.get(tooLong)),
            () -> change(space, ROW, r -> r.put(tooLong, value, Expiry.NEVER)),
            () -> change(space, ROW, r -> r.putCounted(tooLong, value, Expiry.NEVER)),
            () -> change(space, ROW, r -> r.delete(tooLong))));
  }

  /** A place of a scan may be behind every record that the engine takes. */
  @Test
  default void aPlacePastTheContractsLimitIsRefused() {
    Space space = rows();
    byte[] hashKey = new byte[Limits.MAX_HASH_KEY_BYTES];
    byte[] sortKey = new byte[Limits.MAX_SORT_KEY_BYTES];
    space.scanAll(new RecordKey(hashKey, sortKey)).close();
    space.scanAll(null, new RecordKey(hashKey, sortKey)).close();
    RecordKey longRow = new RecordKey(new byte[Limits.MAX_HASH_KEY_BYTES + 1], sortKey);
    assertRefused(
        space,
        "hash key",
        Limits.MAX_HASH_KEY_BYTES,
        List.of(() -> space.scanAll(longRow).close(), () -> space.scanAll(null, longRow).close()));
    RecordKey longKey = new RecordKey(hashKey, new byte[Limits.MAX_SORT_KEY_BYTES + 1]);
    assertRefused(
        space,
        "sort key",
        Limits.MAX_SORT_KEY_BYTES,
        List.of(() -> space.scanAll(longKey).close(), () -> space.scanAll(null, longKey).close()));
  }

  @Test
  @MaySkip("some engines allow values of gigabytes")
  default void aValuePastItsLimitIsRefused() {
    assumeRoomForValues();
    byte[] tooLong = new byte[maxValueBytes() + 1];
    byte[] row = bytes(ROW);
    byte[] none = Space.NO_SORT_KEY;
    for (Space space : spaces()) {
      assertRefused(
          space,
          "value",
          maxValueBytes(),
          List.of(
              () -> space.put(row, none, tooLong, Expiry.NEVER),
              () -> space.putAll(List.of(new RowRecord(row, none, tooLong, Expiry.NEVER))),
              () -> change(space, ROW, r -> r.put(none, tooLong, Expiry.NEVER))));
    }
  }

  @Test
  @MaySkip("some engines allow values of gigabytes")
  default void aValueAtItsLimitComesBack() {
    assumeRoomForValues();
    byte[] value = filled(maxValueBytes(), 1);
    for (Space space : spaces()) {
      space.put(bytes(ROW), Space.NO_SORT_KEY, value, Expiry.NEVER);
      RowRecord found = Objects.requireNonNull(space.get(bytes(ROW), Space.NO_SORT_KEY));
      assertThat(Arrays.equals(found.value(), value)).isTrue();
      space.delete(bytes(ROW), Space.NO_SORT_KEY);
    }
  }

  private void assumeRoomForValues() {
    Assumptions.assumeTrue(
        maxValueBytes() <= MODEST_VALUE_BYTES || Boolean.getBoolean("rockpool.test.hugeValues"),
        "takes gigabytes of heap; run it with -Drockpool.test.hugeValues=true");
  }

  private void assertRefused(Space space, String what, int limit, List<Runnable> operations) {
    for (Runnable operation : operations) {
      assertThatThrownBy(operation::run)
          .isInstanceOf(LimitExceededException.class)
          .hasMessageContaining(what)
          .hasMessageContaining(Integer.toString(limit));
    }
    assertThat(scanAll(space)).isEmpty();
  }

  @Test
  default void aNameAtItsLimit() {
    String name = "\u20ac".repeat(Limits.MAX_NAME_BYTES / 3) + "x";
    Space space = engine().create(spec(name, layout()));
    put(space, ROW, "", "1");
    assertThat(engine().list("").stream().map(SpaceInfo::name)).containsExactly(name);
    assertThat(scanAll(Objects.requireNonNull(engine().open(name)))).containsExactly("row/=1");
    assertThat(engine().drop(name)).isTrue();
  }

  @Test
  default void aNamePastItsLimitIsRefused() {
    String name = "\u20ac".repeat(Limits.MAX_NAME_BYTES / 3) + "xy";
    assertThatThrownBy(() -> engine().create(spec(name, layout())))
        .isInstanceOf(LimitExceededException.class)
        .hasMessageContaining("1024");
  }

  @Test
  default void whatIsNoNameIsRefused() {
    for (String name : List.of("", "/", "/a", "a/", "a//b", "a\nb", "\0", "a\ud83d")) {
      assertThatThrownBy(() -> engine().create(spec(name, layout())))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(engine().list("")).isEmpty();
  }
}
