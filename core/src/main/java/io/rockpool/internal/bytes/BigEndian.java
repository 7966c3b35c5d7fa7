package io.rockpool.internal.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Numbers in byte arrays, most significant byte first, so that unsigned numbers sort as their
 * bytes. The {@code ordered} ones flip the sign bit, so that signed numbers do too.
 */
public final class BigEndian {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle CHAR = view(char[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private BigEndian() {}

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
  }

  public static char getChar(byte[] bytes, int at) {
    return (char) CHAR.get(bytes, at);
  }

  public static void putChar(byte[] bytes, int at, char value) {
    CHAR.set(bytes, at, value);
  }

  public static short getOrderedShort(byte[] bytes, int at) {
    return (short) ((short) SHORT.get(bytes, at) ^ Short.MIN_VALUE);
  }

  public static void putOrderedShort(byte[] bytes, int at, short value) {
    SHORT.set(bytes, at, (short) (value ^ Short.MIN_VALUE));
  }

  public static int getInt(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  public static void putInt(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  public static int getOrderedInt(byte[] bytes, int at) {
    return getInt(bytes, at) ^ Integer.MIN_VALUE;
  }

  public static void putOrderedInt(byte[] bytes, int at, int value) {
    putInt(bytes, at, value ^ Integer.MIN_VALUE);
  }

  public static long getLong(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  public static void putLong(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }

  public static long getOrderedLong(byte[] bytes, int at) {
    return getLong(bytes, at) ^ Long.MIN_VALUE;
  }

  public static void putOrderedLong(byte[] bytes, int at, long value) {
    putLong(bytes, at, value ^ Long.MIN_VALUE);
  }
}
