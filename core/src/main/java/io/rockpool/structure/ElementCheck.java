package io.rockpool.structure;

import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.CorruptStoreException;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the records of a structure with one record per element: each is counted, is in the row of
 * its key, and has no key or value if the structure has none.
 */
final class ElementCheck implements RecordCheck {
  private final @Nullable Buckets buckets;
  private final boolean hasKeys;
  private final boolean hasValues;
  private final Decoding decoding;

  private ElementCheck(
      @Nullable Buckets buckets, boolean hasKeys, boolean hasValues, Decoding decoding) {
    this.buckets = buckets;
    this.hasKeys = hasKeys;
    this.hasValues = hasValues;
    this.decoding = decoding;
  }

  /** Checks a map. */
  static ElementCheck ofBuckets(Map<String, String> shape, Decoding decoding) {
    return new ElementCheck(Buckets.of(shape), true, true, decoding);
  }

  /** Checks a set. */
  static ElementCheck ofElements(Map<String, String> shape, Decoding decoding) {
    return new ElementCheck(Buckets.of(shape), true, false, decoding);
  }

  /** Checks a single value. */
  static ElementCheck ofOne(Decoding decoding) {
    return new ElementCheck(Buckets.of(Buckets.ONE_ROW_SHAPE), false, true, decoding);
  }

  /** Checks a table. It can have any rows. */
  static ElementCheck ofTable(Decoding decoding) {
    return new ElementCheck(null, true, true, decoding);
  }

  @Override
  public void check(RowRecord record, boolean counted) {
    if (!counted) {
      throw new CorruptStoreException("an element is not counted", null);
    }
    if (buckets != null && !Arrays.equals(buckets.rowOf(record.sortKey()), record.hashKey())) {
      throw new CorruptStoreException(
          "an element lies in another row than that of its key, where it is not found", null);
    }
    if (!hasKeys && record.sortKey().length > 0) {
      throw new CorruptStoreException("a single value has a second record", null);
    }
    if (!hasValues && record.value().length > 0) {
      throw new CorruptStoreException("an element of a set has a value", null);
    }
    decoding.decode(record);
  }

  @Override
  public void end() {}
}
