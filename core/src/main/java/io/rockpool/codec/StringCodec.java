package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.bytes.BigEndian;
import java.nio.charset.StandardCharsets;

/**
 * Strings in the order of {@link String#compareTo}, which is that of UTF-16 code units. Each code
 * unit is written as UTF-8 would write a character of its number (known as CESU-8): ASCII takes one
 * byte, and a surrogate three, paired or not, so that every string comes back. Plain UTF-8 sorts by
 * code point and would put U+1F600 after U+FFFF, where {@code compareTo} puts it before.
 */
final class StringCodec implements NaturalCodec<String> {
  static final StringCodec INSTANCE = new StringCodec();

  private static final long HIGH_BITS = 0x8080808080808080L;

  /** From about this length on, three passes at memory speed beat one at a character a time. */
  private static final int BULK_CHARS = 256;

  private static final int ONE_BYTE_END = 0x80;
  private static final int TWO_BYTES_END = 0x800;

  private StringCodec() {}

  @Override
  public String id() {
    return "string";
  }

  @Override
  public byte[] encode(String value, int headroom) {
    int length = value.length();
    byte[] out = new byte[headroom + length];
    if (length >= BULK_CHARS) {
      return copyIfAscii(value, out, headroom) ? out : encodeWide(value, headroom);
    }
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (c >= ONE_BYTE_END) {
        return encodeWide(value, headroom);
      }
      out[headroom + i] = (byte) c;
    }
    return out;
  }

  /** Copies the low byte of each character; that was all of it if the copy is the same string. */
  @SuppressWarnings("deprecation") // The one way to the bytes of a string without a new array.
  private static boolean copyIfAscii(String value, byte[] out, int headroom) {
    int length = value.length();
    value.getBytes(0, length, out, headroom);
    return isAscii(out, headroom, length)
        && value.equals(new String(out, headroom, length, StandardCharsets.ISO_8859_1));
  }

  private static byte[] encodeWide(String value, int headroom) {
    int length = value.length();
    int size = headroom;
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      size = Math.addExact(size, c < ONE_BYTE_END ? 1 : c < TWO_BYTES_END ? 2 : 3);
    }
    byte[] out = new byte[size];
    int at = headroom;
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (c < ONE_BYTE_END) {
        out[at++] = (byte) c;
      } else if (c < TWO_BYTES_END) {
        out[at++] = (byte) (0xC0 | (c >> 6));
        out[at++] = (byte) (0x80 | (c & 0x3F));
      } else {
        out[at++] = (byte) (0xE0 | (c >> 12));
        out[at++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        out[at++] = (byte) (0x80 | (c & 0x3F));
      }
    }
    return out;
  }

  @Override
  public String decode(byte[] bytes, int offset, int length) {
    if (isAscii(bytes, offset, length)) {
      return new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
    }
    return decodeWide(bytes, offset, length);
  }

  private static boolean isAscii(byte[] bytes, int offset, int length) {
    int at = offset;
    int end = offset + length;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      if ((BigEndian.getLong(bytes, at) & HIGH_BITS) != 0) {
        return false;
      }
    }
    for (; at < end; at++) {
      if (bytes[at] < 0) {
        return false;
      }
    }
    return true;
  }

  private static String decodeWide(byte[] bytes, int offset, int length) {
    char[] chars = new char[length];
    int count = 0;
    int end = offset + length;
    for (int at = offset; at < end; ) {
      int lead = bytes[at++];
      if (lead >= 0) {
        chars[count++] = (char) lead;
      } else if ((lead & 0xE0) == 0xC0) {
        int c = (lead & 0x1F) << 6 | continuation(bytes, at++, end);
        chars[count++] = shortest(c, ONE_BYTE_END);
      } else if ((lead & 0xF0) == 0xE0) {
        int c = (lead & 0x0F) << 12 | continuation(bytes, at++, end) << 6;
        chars[count++] = shortest(c | continuation(bytes, at++, end), TWO_BYTES_END);
      } else {
        throw malformed();
      }
    }
    return new String(chars, 0, count);
  }

  private static int continuation(byte[] bytes, int at, int end) {
    if (at >= end || (bytes[at] & 0xC0) != 0x80) {
      throw malformed();
    }
    return bytes[at] & 0x3F;
  }

  private static char shortest(int c, int least) {
    if (c < least) {
      throw malformed();
    }
    return (char) c;
  }

  private static UndecodableValueException malformed() {
    return Undecodable.damaged("string", "a character's bytes are cut off or malformed", null);
  }
}
