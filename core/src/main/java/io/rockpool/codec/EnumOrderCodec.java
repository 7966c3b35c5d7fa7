package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * An enum as a key that sorts, in the order of its {@code compareTo}: the ordinal as 2 bytes, and
 * the constant's name. The id has the names of all constants: a structure is opened if constants
 * were added at the end, and refused if they have another order. Decoding also checks the name.
 */
@SuppressWarnings("EnumOrdinal") // The order is what this is for.
final class EnumOrderCodec<E extends Enum<E>> implements NaturalCodec<E> {
  private static final String NAME = "ordered:enum";

  private final Class<E> type;
  private final String id;

  EnumOrderCodec(Class<E> type) {
    this.type = type;
    this.id =
        Arrays.stream(type.getEnumConstants())
            .map(Enum::name)
            .collect(Collectors.joining(",", NAME + "(", ")"));
  }

  @Override
  public String id() {
    return id;
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
      throw Undecodable.damaged(NAME, "only " + length + " bytes", null);
    }
    int ordinal = BigEndian.getChar(bytes, offset);
    int nameLength = length - Character.BYTES;
    String name = StringCodec.INSTANCE.decode(bytes, offset + Character.BYTES, nameLength);
    E constant = EnumCodec.constant(type, name);
    if (constant.ordinal() != ordinal) {
      throw Undecodable.damaged(
          NAME,
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
