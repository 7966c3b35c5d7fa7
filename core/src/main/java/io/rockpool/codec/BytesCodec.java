package io.rockpool.codec;

import java.util.Arrays;

/** Byte arrays as they are, in unsigned lexicographic order. */
final class BytesCodec implements HeadroomCodec<byte[]>, OrderedCodec<byte[]> {
  static final BytesCodec INSTANCE = new BytesCodec();

  private BytesCodec() {}

  @Override
  public String id() {
    return "bytes";
  }

  @Override
  public byte[] encode(byte[] value, int headroom) {
    byte[] out = new byte[headroom + value.length];
    System.arraycopy(value, 0, out, headroom, value.length);
    return out;
  }

  @Override
  public byte[] decode(byte[] bytes, int offset, int length) {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }

  @Override
  public boolean immutable() {
    return false;
  }

  @Override
  public int compare(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b);
  }
}
