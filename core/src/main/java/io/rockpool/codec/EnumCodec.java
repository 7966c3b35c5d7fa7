package io.rockpool.codec;

import io.rockpool.internal.logging.ShownKey;
import java.nio.charset.StandardCharsets;

/**
 * An enum as a value, or as a key where keys do not sort: its constant's name, so that constants
 * may be added and moved.
 */
final class EnumCodec<E extends Enum<E>> implements HeadroomCodec<E>, OrderedCodec<E> {
  private final Class<E> type;

  EnumCodec(Class<E> type) {
    this.type = type;
  }

  @Override
  public String id() {
    return "enum";
  }

  @Override
  public byte[] encode(E value, int headroom) {
    return StringCodec.INSTANCE.encode(value.name(), headroom);
  }

  @Override
  public E decode(byte[] bytes, int offset, int length) {
    return constant(type, StringCodec.INSTANCE.decode(bytes, offset, length));
  }

  /** The order of the bytes, which is not that of the enum. */
  @Override
  public int compare(E a, E b) {
    return a.name().compareTo(b.name());
  }

  static <E extends Enum<E>> E constant(Class<E> type, String name) {
    try {
      return Enum.valueOf(type, name);
    } catch (LinkageError e) {
      throw Undecodable.linkage(type.getName(), e);
    } catch (IllegalArgumentException e) {
      String shown = ShownKey.of(name.getBytes(StandardCharsets.UTF_8));
      throw Undecodable.damaged(
          "enum", "enum " + type.getName() + " has no constant '" + shown + "' (any more)", null);
    }
  }

  @Override
  public boolean immutable() {
    return true;
  }
}
