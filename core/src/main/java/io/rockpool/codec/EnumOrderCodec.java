package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;
import java.util.Locale;

/**
 * An enum as a key, in the order of its {@code compareTo}: the ordinal as 2 bytes, and the
 * constant's name. The name is there for safety: constants may be added at the end, but where one
 * has been moved, the order on disk is no longer that of the enum, and decoding fails instead of
 * returning another constant.
 */
@SuppressWarnings("EnumOrdinal") // The order is what this is for.
final class EnumOrderCodec<E extends Enum<E>> implements NaturalCodec<E> {
  private final Class<E> type;

  EnumOrderCodec(Class<E> type) {
    this.type = type;
  }

  @Override
  public String id() {
    return "ordered:enum";
  }

  @Override
  public byte[] encode(E value, int headroom) {
    byte[] out = StringCodec.INSTANCE.encode(value.name(), headroom + Character.BYTES);
    BigEndian.putChar(out, headroom, (char) value.ordinal());
    return out;
  }

  @Override
  public E decode(byte[] bytes, int offset, int length) {
    if (length < Character.BYTES) {
      throw Undecodable.damaged(id(), "only " + length + " bytes", null);
    }
    int ordinal = BigEndian.getChar(bytes, offset);
    int nameLength = length - Character.BYTES;
    String name = StringCodec.INSTANCE.decode(bytes, offset + Character.BYTES, nameLength);
    E constant = EnumCodec.constant(type, name);
    if (constant.ordinal() != ordinal) {
      throw Undecodable.damaged(
          id(),
          String.format(
              Locale.ROOT,
              "constant %s of enum %s was number %d when this key was written and is number %d now;"
                  + " add new constants at the end only",
              name,
              type.getName(),
              ordinal,
              constant.ordinal()),
          null);
    }
    return constant;
  }
}
