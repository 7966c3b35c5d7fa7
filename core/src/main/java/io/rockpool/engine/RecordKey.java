package io.rockpool.engine;

import java.util.Objects;

/** Where a record lies. The arrays are not copied; whoever holds one must not change it. */
public final class RecordKey {
  private final byte[] hashKey;
  private final byte[] sortKey;

  /** The record at {@code sortKey} in the row {@code hashKey}. */
  public RecordKey(byte[] hashKey, byte[] sortKey) {
    this.hashKey = Objects.requireNonNull(hashKey, "hashKey");
    this.sortKey = Objects.requireNonNull(sortKey, "sortKey");
  }

  /** The row. */
  public byte[] hashKey() {
    return hashKey;
  }

  /** The place in the row. */
  public byte[] sortKey() {
    return sortKey;
  }
}
