package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.bytes.Leb128;
import java.util.Arrays;

/** Bytes that grow: numbers of bytes and elements are unsigned LEB128. */
final class KeyBytes {
  private static final int TYPICAL_BYTES = 48;

  private byte[] bytes = new byte[TYPICAL_BYTES];
  private int size;

  void put(byte b) {
    reserve(1);
    bytes[size++] = b;
  }

  void putAll(byte[] more) {
    reserve(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
  }

  /** Puts a number that is not negative. */
  void putNumber(int value) {
    reserve(Leb128.MAX_INT_BYTES);
    size = Leb128.put(bytes, size, value);
  }

  void putCounted(byte[] more) {
    putNumber(more.length);
    putAll(more);
  }

  void putText(String text) {
    putCounted(StringCodec.INSTANCE.encode(text));
  }

  void putInt(int value) {
    reserve(Integer.BYTES);
    BigEndian.putInt(bytes, size, value);
    size += Integer.BYTES;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void reserve(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length * 2));
    }
  }
}
