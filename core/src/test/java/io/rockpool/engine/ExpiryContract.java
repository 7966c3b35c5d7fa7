package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.key;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Records end to the millisecond, wherever they are read. */
interface ExpiryContract extends EngineUnderTest {
  @Test
  default void aRecordIsSeenUntilTheMillisecondBeforeItsExpiry() {
    long expiryMillis = clock().millis() + 100;
    put(rows(), ROW, "a", "1", expiryMillis);
    put(entries(), ROW, "", "1", expiryMillis);

    for (Space space : spaces()) {
      String sortKey = space.info().layout() == Layout.ROWS ? "a" : "";
      String record = "row/" + sortKey + "=1";
      clock().setMillis(expiryMillis - 1);
      assertThat(get(space, ROW, sortKey)).isEqualTo("1");
      assertThat(value(space.getAll(List.of(key(ROW, sortKey))).get(0))).isEqualTo("1");
      assertThat(scan(space, ROW)).containsExactly(sortKey);
      assertThat(scanAll(space)).containsExactly(record);
      assertThat(seenInTransaction(space, sortKey)).isEqualTo("1, scanned 1");

      clock().setMillis(expiryMillis);
      assertThat(get(space, ROW, sortKey)).isNull();
      assertThat(space.getAll(List.of(key(ROW, sortKey)))).containsOnlyNulls();
      assertThat(scan(space, ROW)).isEmpty();
      assertThat(scanAll(space)).isEmpty();
      assertThat(seenInTransaction(space, sortKey)).isEqualTo("null, scanned 0");
    }
  }

  private String seenInTransaction(Space space, String sortKey) {
    return space.transact(
        bytes(ROW),
        row ->
            value(row.get(bytes(sortKey)))
                + ", scanned "
                + row.scan(SortRange.all(), Direction.FORWARD, 10).size());
  }

  @Test
  default void aReaderIsNotCalledForWhatHasExpired() {
    put(rows(), ROW, "a", "1", clock().millis() + 1);
    clock().advanceMillis(1);
    RecordReader<String> reader =
        (bytes, offset, length, expiry) -> {
          throw new AssertionError("An expired record was read.");
        };
    assertThat(rows().get(bytes(ROW), bytes("a"), reader)).isNull();
  }

  @Test
  default void overwritingExtendsShortensAndRemovesTheExpiry() {
    long start = clock().millis();
    Space space = rows();
    for (String sortKey : List.of("longer", "shorter", "never", "first")) {
      put(space, ROW, sortKey, "1", sortKey.equals("first") ? Expiry.NEVER : start + 100);
    }
    put(space, ROW, "longer", "2", start + 200);
    put(space, ROW, "shorter", "2", start + 50);
    put(space, ROW, "never", "2");
    put(space, ROW, "first", "2", start + 70);

    clock().setMillis(start + 49);
    assertThat(scan(space, ROW)).containsExactly("first", "longer", "never", "shorter");
    clock().setMillis(start + 50);
    assertThat(scan(space, ROW)).containsExactly("first", "longer", "never");
    clock().setMillis(start + 70);
    assertThat(scan(space, ROW)).containsExactly("longer", "never");
    clock().setMillis(start + 199);
    assertThat(scan(space, ROW)).containsExactly("longer", "never");
    clock().setMillis(start + 200);
    assertThat(scan(space, ROW)).containsExactly("never");
  }

  @Test
  default void overwritingAnEntryChangesItsExpiry() {
    long start = clock().millis();
    put(entries(), "longer", "", "1", start + 100);
    put(entries(), "longer", "", "2", start + 200);
    put(entries(), "never", "", "1", start + 100);
    put(entries(), "never", "", "2");
    put(entries(), "shorter", "", "1");
    put(entries(), "shorter", "", "2", start + 100);

    clock().setMillis(start + 100);
    assertThat(scanAll(entries())).containsExactlyInAnyOrder("longer/=2", "never/=2");
    clock().setMillis(start + 200);
    assertThat(scanAll(entries())).containsExactly("never/=2");
  }

  @Test
  default void aRecordPutAgainAfterItsExpiryIsThere() {
    long start = clock().millis();
    put(rows(), ROW, "a", "1", start + 10);
    putCounted(rows(), ROW, "b", "1", start + 10);
    clock().setMillis(start + 10);
    put(rows(), ROW, "a", "2");
    putCounted(rows(), ROW, "b", "2");
    assertThat(scanAll(rows())).containsExactly("row/a=2", "row/b=2");
    assertThat(rows().count(bytes(ROW))).isEqualTo(1);
  }

  @Test
  default void whatIsPutWithAPastExpiryIsGoneAtOnceAndReplacesWhatWasThere() {
    long now = clock().millis();
    for (long past : new long[] {now, now - 1, 1, 0, -1, Long.MIN_VALUE}) {
      put(rows(), ROW, "a", "old");
      put(rows(), ROW, "a", "new", past);
      put(entries(), ROW, "", "old");
      put(entries(), ROW, "", "new", past);
      assertThat(get(rows(), ROW, "a")).isNull();
      assertThat(get(entries(), ROW, "")).isNull();
      assertThat(scanAll(rows())).isEmpty();
      assertThat(scanAll(entries())).isEmpty();
    }
  }

  @Test
  default void theLastExpiryIsKeptAndALaterOneIsNever() {
    for (Space space : spaces()) {
      assertThat(expiryAfterPut(space, Expiry.MAX_MILLIS)).isEqualTo(Expiry.MAX_MILLIS);
      assertThat(expiryAfterPut(space, Expiry.MAX_MILLIS + 1)).isEqualTo(Expiry.NEVER);
      assertThat(expiryAfterPut(space, Expiry.NEVER - 1)).isEqualTo(Expiry.NEVER);
      assertThat(expiryAfterPut(space, Expiry.NEVER)).isEqualTo(Expiry.NEVER);
    }
  }

  private long expiryAfterPut(Space space, long expiryMillis) {
    put(space, ROW, "", "v", expiryMillis);
    return Objects.requireNonNull(space.get(bytes(ROW), Space.NO_SORT_KEY)).expiryMillis();
  }

  @Test
  default void expiriesInATransaction() {
    long start = clock().millis();
    putCounted(rows(), ROW, "a", "1", start + 10);
    change(
        rows(),
        ROW,
        row -> {
          assertThat(Objects.requireNonNull(row.get(bytes("a"))).expiryMillis())
              .isEqualTo(start + 10);
          row.put(bytes("b"), bytes("2"), start + 20);
          assertThat(Objects.requireNonNull(row.get(bytes("b"))).expiryMillis())
              .isEqualTo(start + 20);
          row.put(bytes("c"), bytes("3"), start);
          assertThat(row.get(bytes("c"))).isNull();
        });
    clock().setMillis(start + 19);
    assertThat(scan(rows(), ROW)).containsExactly("b");
    clock().setMillis(start + 20);
    assertThat(scan(rows(), ROW)).isEmpty();
  }

  @Test
  default void aLimitCountsOnlyWhatIsSeen() {
    long start = clock().millis();
    for (int i = 0; i < 20; i++) {
      put(
          rows(),
          ROW,
          String.format(Locale.ROOT, "%02d", i),
          "v",
          i % 4 == 0 ? Expiry.NEVER : start + i);
    }
    clock().setMillis(start + 20);
    assertThat(scan(rows(), ROW, SortRange.all(), Direction.FORWARD, 3))
        .containsExactly("00", "04", "08");
    assertThat(scan(rows(), ROW, SortRange.all(), Direction.BACKWARD, 3))
        .containsExactly("16", "12", "08");
  }
}
