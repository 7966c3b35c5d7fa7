package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/**
 * {@link ZonedDateTime} in the order of its {@code compareTo}: the instant, then the local time
 * (which at one instant grows with the offset), then the zone's name. Where the JDK's time zone
 * data has changed since a value was written, it comes back with the instant it had and the offset
 * that the zone has now.
 */
final class ZonedDateTimeCodec
    implements HeadroomCodec<ZonedDateTime>, OrderedCodec<ZonedDateTime> {
  private static final int NANOS_AT = Long.BYTES;
  private static final int OFFSET_AT = NANOS_AT + Integer.BYTES;
  private static final int ZONE_AT = OFFSET_AT + Integer.BYTES;

  @Override
  public String id() {
    return "ordered:zoneddatetime";
  }

  @Override
  public byte[] encode(ZonedDateTime value, int headroom) {
    byte[] zone = value.getZone().getId().getBytes(StandardCharsets.US_ASCII);
    byte[] out = new byte[headroom + ZONE_AT + zone.length];
    BigEndian.putOrderedLong(out, headroom, value.toEpochSecond());
    BigEndian.putInt(out, headroom + NANOS_AT, value.getNano());
    BigEndian.putOrderedInt(out, headroom + OFFSET_AT, value.getOffset().getTotalSeconds());
    System.arraycopy(zone, 0, out, headroom + ZONE_AT, zone.length);
    return out;
  }

  @Override
  public ZonedDateTime decode(byte[] bytes, int offset, int length) {
    if (length <= ZONE_AT) {
      throw Undecodable.damaged(id(), "only " + length + " bytes", null);
    }
    int nanos = TimeCodecs.readNanos(id(), bytes, offset + NANOS_AT);
    long seconds = BigEndian.getOrderedLong(bytes, offset);
    int offsetSeconds = BigEndian.getOrderedInt(bytes, offset + OFFSET_AT);
    String zone = new String(bytes, offset + ZONE_AT, length - ZONE_AT, StandardCharsets.US_ASCII);
    try {
      ZoneOffset written = ZoneOffset.ofTotalSeconds(offsetSeconds);
      LocalDateTime local = LocalDateTime.ofEpochSecond(seconds, nanos, written);
      return ZonedDateTime.ofInstant(local, written, ZoneId.of(zone));
    } catch (DateTimeException e) {
      // Without the cause, which shows all of what should be a zone.
      throw Undecodable.damaged(id(), "there is no such time or zone", null);
    }
  }

  @Override
  public boolean immutable() {
    return true;
  }

  @Override
  public int compare(ZonedDateTime a, ZonedDateTime b) {
    return a.compareTo(b);
  }
}
