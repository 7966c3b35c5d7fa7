package io.rockpool.internal.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Fixed-width numbers in byte arrays, most significant byte first. */
final class BigEndian {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BigEndian() {}

  static int getInt(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  static void putInt(byte[] bytes, int offset, int value) {
    INT.set(bytes, offset, value);
  }

  static long getLong(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  static void putLong(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }
}
