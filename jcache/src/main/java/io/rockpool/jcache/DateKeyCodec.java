package io.rockpool.jcache;

import io.rockpool.codec.Codec;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.nio.ByteBuffer;
import java.util.Date;

/**
 * Dates as keys: their milliseconds since the epoch, 8 bytes, big-endian. Dates can change, so none
 * is shared.
 */
@SuppressWarnings("JavaUtilDate") // it is what applications have
final class DateKeyCodec implements Codec<Date> {
  @Override
  public String id() {
    return "jcache:date";
  }

  @Override
  public byte[] encode(Date value) {
    if (value.getClass() != Date.class) {
      throw new UnencodableValueException(
          "A key of "
              + value.getClass()
              + " was given where java.util.Date was declared; declare the class it has.",
          null);
    }
    return ByteBuffer.allocate(Long.BYTES).putLong(value.getTime()).array();
  }

  @Override
  public Date decode(byte[] bytes, int offset, int length) {
    if (length != Long.BYTES) {
      throw new UndecodableValueException(
          "A date has " + Long.BYTES + " bytes and " + length + " were found: the key is damaged.",
          null);
    }
    return new Date(ByteBuffer.wrap(bytes, offset, length).getLong());
  }

  @Override
  public boolean immutable() {
    return false;
  }
}
