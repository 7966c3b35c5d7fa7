package io.rockpool.codec;

import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.bytes.BigEndian;
import java.util.Date;

/**
 * {@link Date}: its milliseconds since 1970, in their order. Dates can change, so none is shared;
 * the subclasses of {@code java.sql} are types of their own.
 */
@SuppressWarnings("JavaUtilDate") // it is what applications have
final class DateCodec extends FixedWidthCodec<Date> {
  DateCodec() {
    super("ordered:javadate", Long.BYTES);
  }

  @Override
  void write(byte[] out, int at, Date value) {
    if (value.getClass() != Date.class) {
      throw new UnencodableValueException(
          "A value of "
              + value.getClass()
              + " was given where java.util.Date was declared; declare the class it has.",
          null);
    }
    BigEndian.putOrderedLong(out, at, value.getTime());
  }

  @Override
  Date read(byte[] in, int at) {
    return new Date(BigEndian.getOrderedLong(in, at));
  }

  @Override
  public boolean immutable() {
    return false;
  }
}
