package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.key;
import static io.rockpool.engine.EngineUnderTest.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.LimitExceededException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** putAll and deleteAll. */
interface BulkContract extends EngineUnderTest {
  @Test
  default void putAllPutsEach() {
    long expiryMillis = clock().millis() + 10;
    RowRecord expiring = new RowRecord(bytes("y"), bytes("b"), bytes("2"), expiryMillis);
    rows().putAll(List.of(record("x", "a", "1"), expiring));
    assertThat(scanAll(rows())).containsExactlyInAnyOrder("x/a=1", "y/b=2");
    clock().setMillis(expiryMillis);
    assertThat(scanAll(rows())).containsExactly("x/a=1");
  }

  @Test
  default void ofTwoRecordsForOnePlaceTheLaterStays() {
    rows().putAll(List.of(record(ROW, "a", "1"), record(ROW, "a", "2")));
    assertThat(get(rows(), ROW, "a")).isEqualTo("2");
  }

  @Test
  default void nothingAtAllIsFine() {
    rows().putAll(List.of());
    rows().deleteAll(List.of());
    assertThat(scanAll(rows())).isEmpty();
  }

  @Test
  default void moreThanABatchIsPutAndDeleted() {
    for (Space space : spaces()) {
      int count = 120;
      byte[] value = new byte[Limits.MAX_BATCH_BYTES / 40];
      new Random(2).nextBytes(value);
      List<RowRecord> records = new ArrayList<>();
      List<RecordKey> keys = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        byte[] hashKey = bytes("row" + i);
        records.add(new RowRecord(hashKey, Space.NO_SORT_KEY, value, Expiry.NEVER));
        keys.add(new RecordKey(hashKey, Space.NO_SORT_KEY));
      }
      put(space, "other", "", "kept");

      space.putAll(records);
      List<@Nullable RowRecord> found = space.getAll(keys);
      assertThat(found).hasSize(count);
      for (RowRecord record : found) {
        assertThat(record != null && Arrays.equals(record.value(), value)).isTrue();
      }

      space.deleteAll(keys);
      assertThat(space.getAll(keys)).containsOnlyNulls();
      assertThat(scanAll(space)).containsExactly("other/=kept");
    }
  }

  @Test
  default void manySmallRecordsOfOneRowArePutAndDeleted() {
    List<RowRecord> records = new ArrayList<>();
    List<RecordKey> keys = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      String sortKey = String.format(Locale.ROOT, "%06d", i);
      records.add(record(ROW, sortKey, "v"));
      keys.add(key(ROW, sortKey));
    }
    rows().putAll(records);
    assertThat(scan(rows(), ROW)).hasSize(5_000).isSorted();
    rows().deleteAll(keys.subList(0, 4_999));
    assertThat(scan(rows(), ROW)).containsExactly("004999");
  }

  @Test
  default void oneRecordPastALimitStopsAllBeforeTheFirst() {
    byte[] tooLong = new byte[Limits.MAX_SORT_KEY_BYTES + 1];
    put(rows(), ROW, "there", "v");
    List<RowRecord> records =
        List.of(
            record(ROW, "a", "1"), new RowRecord(bytes(ROW), tooLong, bytes("2"), Expiry.NEVER));
    List<RecordKey> keys = List.of(key(ROW, "there"), new RecordKey(bytes(ROW), tooLong));

    assertThatThrownBy(() -> rows().putAll(records)).isInstanceOf(LimitExceededException.class);
    assertThatThrownBy(() -> rows().deleteAll(keys)).isInstanceOf(LimitExceededException.class);
    assertThat(scanAll(rows())).containsExactly("row/there=v");
  }

  @Test
  default void arraysOfABulkWriteMayBeUsedAgain() {
    byte[] sortKey = bytes("a");
    byte[] value = bytes("1");
    rows().putAll(List.of(new RowRecord(bytes(ROW), sortKey, value, Expiry.NEVER)));
    sortKey[0] = 'x';
    value[0] = 'x';
    assertThat(scanAll(rows())).containsExactly("row/a=1");
  }
}
