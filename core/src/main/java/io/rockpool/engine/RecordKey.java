package io.rockpool.engine;

import java.util.Objects;

/** The hash key and sort key of a record. The arrays are not copied and must not be changed. */
public final class RecordKey {
  private final byte[] hashKey;
  private final byte[] sortKey;

  /** Creates a key. */
  public RecordKey(byte[] hashKey, byte[] sortKey) {
    this.hashKey = Objects.requireNonNull(hashKey, "hashKey");
    this.sortKey = Objects.requireNonNull(sortKey, "sortKey");
  }

  /** {@return the hash key} */
  public byte[] hashKey() {
    return hashKey;
  }

  /** {@return the sort key} */
  public byte[] sortKey() {
    return sortKey;
  }
}
