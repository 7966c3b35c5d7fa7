package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;

/** The boxed primitives other than {@link Long}, each in the order of its {@code compareTo}. */
final class NumberCodecs {
  private NumberCodecs() {}

  static final class OfBoolean extends FixedWidthCodec<Boolean> {
    OfBoolean() {
      super("ordered:boolean", 1);
    }

    @Override
    void write(byte[] out, int at, Boolean value) {
      out[at] = (byte) (value ? 1 : 0);
    }

    @Override
    Boolean read(byte[] in, int at) {
      if ((in[at] & ~1) != 0) {
        throw Undecodable.damaged(id(), "neither 0 nor 1", null);
      }
      return in[at] == 1;
    }
  }

  static final class OfByte extends FixedWidthCodec<Byte> {
    OfByte() {
      super("ordered:byte", Byte.BYTES);
    }

    @Override
    void write(byte[] out, int at, Byte value) {
      out[at] = (byte) (value ^ Byte.MIN_VALUE);
    }

    @Override
    Byte read(byte[] in, int at) {
      return (byte) (in[at] ^ Byte.MIN_VALUE);
    }
  }

  static final class OfShort extends FixedWidthCodec<Short> {
    OfShort() {
      super("ordered:short", Short.BYTES);
    }

    @Override
    void write(byte[] out, int at, Short value) {
      BigEndian.putOrderedShort(out, at, value);
    }

    @Override
    Short read(byte[] in, int at) {
      return BigEndian.getOrderedShort(in, at);
    }
  }

  static final class OfCharacter extends FixedWidthCodec<Character> {
    OfCharacter() {
      super("ordered:char", Character.BYTES);
    }

    @Override
    void write(byte[] out, int at, Character value) {
      BigEndian.putChar(out, at, value);
    }

    @Override
    Character read(byte[] in, int at) {
      return BigEndian.getChar(in, at);
    }
  }

  static final class OfInteger extends FixedWidthCodec<Integer> {
    OfInteger() {
      super("ordered:int", Integer.BYTES);
    }

    @Override
    void write(byte[] out, int at, Integer value) {
      BigEndian.putOrderedInt(out, at, value);
    }

    @Override
    Integer read(byte[] in, int at) {
      return BigEndian.getOrderedInt(in, at);
    }
  }

  /**
   * Order of {@link Float#compare}: −0.0 before 0.0, NaN last. A positive number's bits sort as
   * they are once the sign is flipped; a negative's sort the other way round, so all are flipped.
   * Every NaN is written as the canonical one.
   */
  static final class OfFloat extends FixedWidthCodec<Float> {
    OfFloat() {
      super("ordered:float", Float.BYTES);
    }

    @Override
    void write(byte[] out, int at, Float value) {
      int bits = Float.floatToIntBits(value);
      BigEndian.putInt(out, at, bits ^ (bits >> (Integer.SIZE - 1) | Integer.MIN_VALUE));
    }

    @Override
    Float read(byte[] in, int at) {
      int bits = BigEndian.getInt(in, at);
      return Float.intBitsToFloat(bits ^ (~bits >> (Integer.SIZE - 1) | Integer.MIN_VALUE));
    }
  }

  /** Order of {@link Double#compare}, as {@link OfFloat}. */
  static final class OfDouble extends FixedWidthCodec<Double> {
    OfDouble() {
      super("ordered:double", Double.BYTES);
    }

    @Override
    void write(byte[] out, int at, Double value) {
      long bits = Double.doubleToLongBits(value);
      BigEndian.putLong(out, at, bits ^ (bits >> (Long.SIZE - 1) | Long.MIN_VALUE));
    }

    @Override
    Double read(byte[] in, int at) {
      long bits = BigEndian.getLong(in, at);
      return Double.longBitsToDouble(bits ^ (~bits >> (Long.SIZE - 1) | Long.MIN_VALUE));
    }
  }
}
