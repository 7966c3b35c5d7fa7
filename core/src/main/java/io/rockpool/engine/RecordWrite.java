package io.rockpool.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link RowTransaction} that writes or deletes one record, and returns the record that was
 * there. The engine can decide it by itself: pass it to {@link Space#transact}, and an engine on a
 * server recognizes it and needs one round trip. Any other engine runs it. Immutable; the arrays
 * are not copied and must not be changed.
 */
public final class RecordWrite implements RowTransaction<@Nullable RowRecord> {
  private final byte[] sortKey;
  private final byte @Nullable [] value;
  private final long expiryMillis;
  private final boolean counted;
  private final boolean conditional;
  private final @Nullable RowRecord expected;

  private RecordWrite(
      byte[] sortKey,
      byte @Nullable [] value,
      long expiryMillis,
      boolean counted,
      boolean conditional,
      @Nullable RowRecord expected) {
    this.sortKey = Objects.requireNonNull(sortKey, "sortKey");
    this.value = value;
    this.expiryMillis = expiryMillis;
    this.counted = counted;
    this.conditional = conditional;
    this.expected = expected;
  }

  /** Puts a record, as {@link Row#put} does. */
  public static RecordWrite put(byte[] sortKey, byte[] value, long expiryMillis) {
    Objects.requireNonNull(value, "value");
    return new RecordWrite(sortKey, value, expiryMillis, false, false, null);
  }

  /** Puts a counted record, as {@link Row#putCounted} does. */
  public static RecordWrite putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
    Objects.requireNonNull(value, "value");
    return new RecordWrite(sortKey, value, expiryMillis, true, false, null);
  }

  /** Deletes a record, counted or not. Writes nothing if there is none. */
  public static RecordWrite delete(byte[] sortKey) {
    return new RecordWrite(sortKey, null, Expiry.NEVER, false, false, null);
  }

  /** The same write, made only if there is no record. */
  public RecordWrite ifAbsent() {
    return ifSame(null);
  }

  /**
   * The same write, made only if the record is still the same, see {@link RowRecord#isSame}.
   *
   * @param read the record as it was read, or null if there was none
   */
  public RecordWrite ifSame(@Nullable RowRecord read) {
    return new RecordWrite(sortKey, value, expiryMillis, counted, true, read);
  }

  /** The sort key of the record. */
  public byte[] sortKey() {
    return sortKey;
  }

  /** The value to put; null to delete the record. */
  public byte @Nullable [] value() {
    return value;
  }

  /** The expiry of the record to put. */
  public long expiryMillis() {
    return expiryMillis;
  }

  /** Whether the record to put is counted. */
  public boolean isCounted() {
    return counted;
  }

  /** Whether the write is made only if the record is {@link #expected}. */
  public boolean isConditional() {
    return conditional;
  }

  /** The record that a conditional write expects; null for none. */
  public @Nullable RowRecord expected() {
    return expected;
  }

  /**
   * Whether the write was made.
   *
   * @param before what the transaction returned
   */
  public boolean isMadeOver(@Nullable RowRecord before) {
    return !conditional || RowRecord.isSame(before, expected);
  }

  @Override
  @SuppressWarnings("NullAway") // the type argument allows null
  public @Nullable RowRecord run(Row row) {
    // Both reads are as of the run's one moment, so what is returned is not what was expected.
    if (conditional && !row.isUnchanged(sortKey, expected)) {
      return row.get(sortKey);
    }
    RowRecord before = conditional ? expected : row.get(sortKey);
    if (value == null) {
      if (before != null) {
        row.delete(sortKey);
      }
    } else if (counted) {
      row.putCounted(sortKey, value, expiryMillis);
    } else {
      row.put(sortKey, value, expiryMillis);
    }
    return before;
  }
}
