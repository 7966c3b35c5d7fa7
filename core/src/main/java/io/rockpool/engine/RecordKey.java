package io.rockpool.engine;

import java.util.Objects;

/** Where a record lies. The arrays are not copied; whoever holds one must not change it. */
public final class RecordKey {
  private final byte[] hashKey;
  private final byte[] sortKey;

  /**
   * A place.
   *
   * @param hashKey the row
   * @param sortKey the place in the row
   */
  public RecordKey(byte[] hashKey, byte[] sortKey) {
    this.hashKey = Objects.requireNonNull(hashKey, "hashKey");
    this.sortKey = Objects.requireNonNull(sortKey, "sortKey");
  }

  /** {@return the row} */
  public byte[] hashKey() {
    return hashKey;
  }

  /** {@return the place in the row} */
  public byte[] sortKey() {
    return sortKey;
  }
}
