package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;

/**
 * Unsigned LEB128 numbers: seven bits a byte, lowest first, the high bit set in all bytes but the
 * last. Only the shortest form of a number is written, and only that one is read, so that equal
 * numbers are equal bytes.
 */
final class Leb128 {
  /** The most bytes a non-negative int takes. */
  static final int MAX_INT_BYTES = 5;

  private static final int MORE = 0x80;
  private static final int PAYLOAD = 0x7F;
  private static final int PAYLOAD_BITS = 7;

  private Leb128() {}

  /** How many bytes {@code value} takes. */
  static int length(int value) {
    int length = 1;
    for (int rest = value >>> PAYLOAD_BITS; rest != 0; rest >>>= PAYLOAD_BITS) {
      length++;
    }
    return length;
  }

  /** Writes {@code value} and returns the offset past it. */
  static int put(byte[] bytes, int offset, int value) {
    int at = offset;
    int rest = value;
    while (rest > PAYLOAD) {
      bytes[at++] = (byte) (rest & PAYLOAD | MORE);
      rest >>>= PAYLOAD_BITS;
    }
    bytes[at++] = (byte) rest;
    return at;
  }

  /**
   * Reads the number at {@code offset}; {@link #length} of it says where it ends.
   *
   * @throws CorruptStoreException if {@code bytes[offset, limit)} does not begin with a
   *     non-negative int in its shortest form
   */
  static int get(byte[] bytes, int offset, int limit) {
    int value = 0;
    int end = Math.min(limit, offset + MAX_INT_BYTES);
    for (int at = offset; at < end; at++) {
      int shift = (at - offset) * PAYLOAD_BITS;
      value |= (bytes[at] & PAYLOAD) << shift;
      if ((bytes[at] & MORE) == 0) {
        if (value < 0 || length(value) != at - offset + 1) {
          break;
        }
        return value;
      }
    }
    throw new CorruptStoreException(
        "a length is not an unsigned LEB128 number in its shortest form", null);
  }
}
