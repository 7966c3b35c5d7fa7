package io.rockpool.cache;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A key by its encoded bytes, for key types whose instances may change or whose {@code equals} says
 * something else.
 */
sealed class ByteKey permits EntryKey {
  private final byte[] bytes;
  private final int hash;

  ByteKey(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  ByteKey(ByteKey other) {
    this.bytes = other.bytes;
    this.hash = other.hash;
  }

  /** As encoded: the hash key in the store. */
  final byte[] bytes() {
    return bytes;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof ByteKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  /** Of the bytes, so that it is the same whatever class loader the key came from. */
  @Override
  public final int hashCode() {
    return hash;
  }
}
