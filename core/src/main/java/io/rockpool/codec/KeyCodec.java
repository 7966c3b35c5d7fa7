package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;

/**
 * Keys of any class by canonical bytes of the instance: equal keys give equal bytes, in every
 * process, and unequal ones others. It goes by the classes that objects have, not by declared ones.
 * See {@code docs/format-codecs.md}.
 *
 * <p>An object that only its own {@code equals} tells from others is <em>foreign</em>. Equal keys
 * with foreign objects have in common only what {@link #commonBytes} says: whoever stores such keys
 * looks for those with the same common bytes, decodes them, and asks {@code equals}. Codecs from
 * {@link Codecs#keyCodec} refuse foreign objects, those from {@link Codecs#cacheKeyCodec} do not.
 *
 * @param <K> the type of the keys
 */
public final class KeyCodec<K> implements Codec<K> {
  static final String ID = "key";

  private final TypeRef<K> type;
  private final KeyClasses classes;

  KeyCodec(TypeRef<K> type, KeyClasses classes) {
    if (!KeyTypes.comesBack(type.rawType())) {
      throw new IllegalArgumentException(
          "Type "
              + type
              + " cannot be a key: its instances come back as others that are equal, but not of"
              + " that class. Declare the key as List, Set, Map or Map.Entry.");
    }
    this.type = type;
    this.classes = classes;
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public byte[] encode(K value) {
    KeyWriter writer = new KeyWriter(classes);
    writer.element(value);
    return writer.toBytes();
  }

  @Override
  @SuppressWarnings("unchecked") // checked, as far as the class goes
  public K decode(byte[] bytes, int offset, int length) {
    Object key;
    try {
      key = new KeyReader(classes, bytes, offset, length).whole();
      key = KeyTypes.fit(key, type.rawType());
    } catch (IllegalArgumentException | StackOverflowError e) {
      throw Undecodable.damaged(ID, "it is not a " + type, e);
    } catch (LinkageError e) {
      throw Undecodable.linkage(type.toString(), e);
    }
    if (!type.rawType().isInstance(key)) {
      throw new UndecodableValueException(
          "The key is an instance of " + name(key) + ", not a " + type + ".", null);
    }
    return (K) key;
  }

  private static String name(@org.jspecify.annotations.Nullable Object key) {
    return key == null ? "nothing" : key.getClass().getName();
  }

  /**
   * Returns how many of a key's first bytes all keys that are equal to it share: all of them,
   * unless it has foreign objects in it.
   *
   * @param bytes what {@link #encode} returned
   * @return their number
   */
  public static int commonBytes(byte[] bytes) {
    if (bytes[0] != KeyTag.BY_EQUALITY) {
      return bytes.length;
    }
    int at = 1;
    int length = 0;
    for (int shift = 0; ; shift += KeyBytes.PAYLOAD_BITS) {
      byte b = bytes[at++];
      length |= (b & KeyBytes.PAYLOAD) << shift;
      if ((b & KeyBytes.MORE) == 0) {
        return at + length;
      }
    }
  }

  /** Keys may hold arrays, which can be changed, and foreign ones are equal with other bytes. */
  @Override
  public boolean immutable() {
    return false;
  }
}
