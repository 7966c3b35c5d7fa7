package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Lease;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.engine.RowRecord;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A change to make if nothing has changed since the decision, and the condition holds.
 *
 * @param expected the record that must still be there; null for none
 * @param live whether the change was decided on the entry of that record, which must not have
 *     expired since
 * @param lease must not have ended; null if {@code expected} says enough. By default that of the
 *     load that the value comes from
 */
record PlannedWrite<V>(
    EntryKey key,
    @Nullable RowRecord expected,
    boolean live,
    Change<V> change,
    BooleanSupplier condition,
    @Nullable Lease lease) {
  PlannedWrite(
      EntryKey key,
      @Nullable RowRecord expected,
      boolean live,
      Change<V> change,
      BooleanSupplier condition) {
    this(key, expected, live, change, condition, change.leaseOfLoad());
  }

  /** A change that was not decided on a live entry. */
  PlannedWrite(
      EntryKey key, @Nullable RowRecord expected, Change<V> change, BooleanSupplier condition) {
    this(key, expected, false, change, condition);
  }

  /** A change that was not decided on a live entry, with a lease or null. */
  PlannedWrite(
      EntryKey key,
      @Nullable RowRecord expected,
      Change<V> change,
      BooleanSupplier condition,
      @Nullable Lease lease) {
    this(key, expected, false, change, condition, lease);
  }

  /** The write under the lease: it puts {@code encoded}, or deletes if that is null. */
  LeasedWrite leased(@Nullable EncodedEntry encoded) {
    Lease held = Objects.requireNonNull(lease);
    return encoded == null
        ? new LeasedWrite(held, null, Expiry.NEVER)
        : new LeasedWrite(held, encoded.value(), encoded.expiryMillis());
  }
}
