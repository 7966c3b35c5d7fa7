package io.rockpool.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link RowTransaction} that puts or deletes an entry if a lease on it has not ended, and
 * returns whether it did. An engine on a server recognizes it, as it does a {@link RecordWrite},
 * and needs one round trip. Immutable; the array is not copied and must not be changed.
 */
public final class LeasedWrite implements RowTransaction<Boolean> {
  private final Lease lease;
  private final byte @Nullable [] value;
  private final long expiryMillis;

  /**
   * Creates the transaction.
   *
   * @param lease from {@link Space#lease}, of the same key
   * @param value the value to put; null to delete
   * @param expiryMillis the expiry of the record to put, or {@link Expiry#NEVER}
   */
  public LeasedWrite(Lease lease, byte @Nullable [] value, long expiryMillis) {
    this.lease = Objects.requireNonNull(lease, "lease");
    this.value = value;
    this.expiryMillis = expiryMillis;
  }

  /** The lease that the write needs. */
  public Lease lease() {
    return lease;
  }

  /** The value to put; null to delete. */
  public byte @Nullable [] value() {
    return value;
  }

  /** The expiry of the record to put. */
  public long expiryMillis() {
    return expiryMillis;
  }

  @Override
  public Boolean run(Row row) {
    boolean holds = row.holds(lease);
    byte[] put = value;
    if (holds && put == null) {
      row.delete(Space.NO_SORT_KEY);
    } else if (holds && put != null) {
      row.put(Space.NO_SORT_KEY, put, expiryMillis);
    }
    return holds;
  }
}
