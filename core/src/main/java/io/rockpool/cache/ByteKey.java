package io.rockpool.cache;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A key, compared by its encoded bytes: instances of some key types are mutable, or their {@code
 * equals} compares something else.
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

  /** The encoded key, which is the hash key in the store. */
  final byte[] bytes() {
    return bytes;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof ByteKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  /** The hash of the bytes. It does not depend on the class loader of the key. */
  @Override
  public final int hashCode() {
    return hash;
  }
}
