package io.rockpool.codec;

import java.time.DateTimeException;

/**
 * An ordered codec all of whose values take the same number of bytes. Such values need no end mark
 * inside a record.
 */
abstract class FixedWidthCodec<T extends Comparable<? super T>> implements NaturalCodec<T> {
  private final String id;
  private final int width;

  FixedWidthCodec(String id, int width) {
    this.id = id;
    this.width = width;
  }

  /** Writes the value's bytes at a place where there is room for them. */
  abstract void write(byte[] out, int at, T value);

  /** Reads the value at a place that holds enough bytes. */
  abstract T read(byte[] in, int at);

  final int width() {
    return width;
  }

  @Override
  public final String id() {
    return id;
  }

  @Override
  public byte[] encode(T value, int headroom) {
    byte[] out = new byte[headroom + width];
    write(out, headroom, value);
    return out;
  }

  @Override
  public T decode(byte[] bytes, int offset, int length) {
    if (length != width) {
      throw Undecodable.width(id, width, length);
    }
    try {
      return read(bytes, offset);
    } catch (DateTimeException e) {
      throw Undecodable.damaged(id, String.valueOf(e.getMessage()), e);
    }
  }
}
