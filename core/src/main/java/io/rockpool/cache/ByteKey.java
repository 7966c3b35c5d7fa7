package io.rockpool.cache;

import java.util.Arrays;

/**
 * A key by its encoded bytes, for key types whose instances may change or whose {@code equals} says
 * something else.
 */
final class ByteKey {
  private final byte[] bytes;
  private final int hash;

  ByteKey(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
