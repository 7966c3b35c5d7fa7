package io.rockpool.internal.bytes;

import io.rockpool.error.CorruptStoreException;

/**
 * Unsigned LEB128 numbers: seven bits per byte, lowest first, the high bit set in all bytes except
 * the last. Only the shortest form is written and accepted, so equal numbers have equal bytes.
 */
public final class Leb128 {
  /** The maximum length of a non-negative int. */
  public static final int MAX_INT_BYTES = 5;

  /** The maximum length of a non-negative long: 63 bits, seven per byte. */
  public static final int MAX_LONG_BYTES = 9;

  private static final int MORE = 0x80;
  private static final int PAYLOAD = 0x7F;
  private static final int PAYLOAD_BITS = 7;

  private Leb128() {}

  /** The length of {@code value}, which is not negative. */
  public static int length(long value) {
    int length = 1;
    for (long rest = value >>> PAYLOAD_BITS; rest != 0; rest >>>= PAYLOAD_BITS) {
      length++;
    }
    return length;
  }

  /** Writes {@code value}, which is not negative, and returns the offset after it. */
  public static int put(byte[] bytes, int offset, long value) {
    int at = offset;
    long rest = value;
    while (rest > PAYLOAD) {
      bytes[at++] = (byte) ((rest & PAYLOAD) | MORE);
      rest >>>= PAYLOAD_BITS;
    }
    bytes[at++] = (byte) rest;
    return at;
  }

  /**
   * Reads the number at {@code offset}; its {@link #length} says where it ends.
   *
   * @throws CorruptStoreException if {@code bytes[offset, limit)} does not start with a
   *     non-negative int in its shortest form
   */
  public static int get(byte[] bytes, int offset, int limit) {
    long value = getLong(bytes, offset, limit);
    if (value > Integer.MAX_VALUE) {
      throw malformed();
    }
    return (int) value;
  }

  /**
   * Like {@link #get}, for a long.
   *
   * @throws CorruptStoreException if it is not a non-negative long in its shortest form
   */
  public static long getLong(byte[] bytes, int offset, int limit) {
    long value = 0;
    int shift = 0;
    int end = Math.min(limit, offset + MAX_LONG_BYTES);
    for (int at = offset; at < end; at++) {
      value |= (long) (bytes[at] & PAYLOAD) << shift;
      shift += PAYLOAD_BITS;
      if ((bytes[at] & MORE) == 0) {
        boolean isShortest = bytes[at] != 0 || at == offset;
        if (isShortest) {
          return value;
        }
        break;
      }
    }
    throw malformed();
  }

  private static CorruptStoreException malformed() {
    return new CorruptStoreException(
        "a number is not in unsigned LEB128 in its shortest form", null);
  }
}
