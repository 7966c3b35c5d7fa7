package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;

/** The boxed primitives, each in the order of its {@code compareTo}. */
final class NumberCodecs {
  private NumberCodecs() {}

  static final FixedWidthCodec<Boolean> BOOLEAN =
      new FixedWidthCodec<>("ordered:boolean", 1) {
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
      };

  static final FixedWidthCodec<Byte> BYTE =
      new FixedWidthCodec<>("ordered:byte", Byte.BYTES) {
        @Override
        void write(byte[] out, int at, Byte value) {
          out[at] = (byte) (value ^ Byte.MIN_VALUE);
        }

        @Override
        Byte read(byte[] in, int at) {
          return (byte) (in[at] ^ Byte.MIN_VALUE);
        }
      };

  static final FixedWidthCodec<Short> SHORT =
      new FixedWidthCodec<>("ordered:short", Short.BYTES) {
        @Override
        void write(byte[] out, int at, Short value) {
          BigEndian.putOrderedShort(out, at, value);
        }

        @Override
        Short read(byte[] in, int at) {
          return BigEndian.getOrderedShort(in, at);
        }
      };

  static final FixedWidthCodec<Character> CHARACTER =
      new FixedWidthCodec<>("ordered:char", Character.BYTES) {
        @Override
        void write(byte[] out, int at, Character value) {
          BigEndian.putChar(out, at, value);
        }

        @Override
        Character read(byte[] in, int at) {
          return BigEndian.getChar(in, at);
        }
      };

  static final FixedWidthCodec<Integer> INTEGER =
      new FixedWidthCodec<>("ordered:int", Integer.BYTES) {
        @Override
        void write(byte[] out, int at, Integer value) {
          BigEndian.putOrderedInt(out, at, value);
        }

        @Override
        Integer read(byte[] in, int at) {
          return BigEndian.getOrderedInt(in, at);
        }
      };

  static final FixedWidthCodec<Long> LONG =
      new FixedWidthCodec<>("ordered:long", Long.BYTES) {
        @Override
        void write(byte[] out, int at, Long value) {
          BigEndian.putOrderedLong(out, at, value);
        }

        @Override
        Long read(byte[] in, int at) {
          return BigEndian.getOrderedLong(in, at);
        }
      };

  /**
   * Order of {@link Float#compare}: −0.0 before 0.0, NaN last. A positive number's bits sort as
   * they are once the sign is flipped; a negative's sort the other way round, so all are flipped.
   * Every NaN is written as the canonical one.
   */
  static final FixedWidthCodec<Float> FLOAT =
      new FixedWidthCodec<>("ordered:float", Float.BYTES) {
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
      };

  /** Order of {@link Double#compare}, as {@link #FLOAT}. */
  static final FixedWidthCodec<Double> DOUBLE =
      new FixedWidthCodec<>("ordered:double", Double.BYTES) {
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
      };
}
