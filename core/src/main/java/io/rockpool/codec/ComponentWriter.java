package io.rockpool.codec;

import java.util.Arrays;

/**
 * The bytes of a record's components, one after the other, so that they sort component by
 * component. A component of fixed width stands as it is, and so does the last one. Any other is
 * escaped and ended: {@code 00} within it becomes {@code 00 FF}, and {@code 00 00} ends it, which
 * sorts before everything that could go on there.
 */
final class ComponentWriter {
  static final byte ESCAPED = (byte) 0xFF;
  private static final int TYPICAL_BYTES = 32;

  private byte[] bytes;
  private int size;

  ComponentWriter(int headroom) {
    this.bytes = new byte[headroom + TYPICAL_BYTES];
    this.size = headroom;
  }

  <C extends Comparable<? super C>> void putFixed(FixedWidthCodec<C> codec, C value) {
    reserve(codec.width());
    codec.write(bytes, size, value);
    size += codec.width();
  }

  void putLast(byte[] component) {
    reserve(component.length);
    System.arraycopy(component, 0, bytes, size, component.length);
    size += component.length;
  }

  void putEnded(byte[] component) {
    reserve(Math.addExact(Math.multiplyExact(2, component.length), 2));
    for (byte b : component) {
      bytes[size++] = b;
      if (b == 0) {
        bytes[size++] = ESCAPED;
      }
    }
    bytes[size++] = 0;
    bytes[size++] = 0;
  }

  byte[] toBytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }

  private void reserve(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length * 2));
    }
  }
}
