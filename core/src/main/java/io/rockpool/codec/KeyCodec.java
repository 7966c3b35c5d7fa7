package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.bytes.Leb128;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes keys of any class as canonical bytes of the instance: equal keys have equal bytes in
 * every process, and unequal keys have different bytes. The classes of the objects count, not the
 * declared types. See {@code docs/format-codecs.md}.
 *
 * <p>An object that only its own {@code equals} can compare is <em>foreign</em>. Equal keys with
 * foreign objects share only {@link #commonBytes}: a store of such keys finds the keys with the
 * same common bytes, decodes them, and compares them by {@code equals}. Codecs from {@link
 * Codecs#keyCodec} refuse foreign objects, those from {@link Codecs#cacheKeyCodec} do not.
 *
 * @param <K> the type of the keys
 */
public final class KeyCodec<K> implements Codec<K> {
  private final TypeRef<K> type;
  private final String id;
  private final KeyClasses classes;

  KeyCodec(TypeRef<K> type, String id, KeyClasses classes) {
    if (!KeyTypes.comesBack(type.rawType())) {
      throw new IllegalArgumentException(
          "Type "
              + type
              + " cannot be a key: its instances come back as others that are equal, but not of"
              + " that class. Declare the key as List, Set, Map or Map.Entry.");
    }
    this.type = type;
    this.id = id;
    this.classes = classes;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public byte[] encode(K value) {
    return encoded(value, null);
  }

  /**
   * Like {@link #encode}; also reports the foreign objects in the key.
   *
   * @param value the key
   * @param foreign called with each foreign object, at any depth
   * @return the bytes
   */
  public byte[] encode(K value, Consumer<Object> foreign) {
    return encoded(value, foreign);
  }

  /**
   * Encodes one foreign object of a key, as if it were a key.
   *
   * @param foreign the object
   * @return its bytes
   */
  public byte[] encodeForeign(Object foreign) {
    return encoded(foreign, null);
  }

  private byte[] encoded(Object value, @Nullable Consumer<Object> foreign) {
    KeyScalars.Scalar scalar = KeyScalars.of(value.getClass());
    if (scalar != null) { // as the writer would, in an array of the right length
      byte[] bytes = scalar.encode(value);
      int start = 1 + Leb128.length(bytes.length);
      byte[] out = new byte[start + bytes.length];
      out[0] = scalar.tag();
      Leb128.put(out, 1, bytes.length);
      System.arraycopy(bytes, 0, out, start, bytes.length);
      return out;
    }
    KeyWriter writer = new KeyWriter(classes, foreign);
    writer.element(value);
    return writer.toBytes();
  }

  /**
   * Returns whether a foreign object has the hash in this process that it had when it was encoded.
   *
   * @param bytes what {@link #encodeForeign} returned
   * @return true also if the object cannot be decoded here
   */
  public boolean hashLasts(byte[] bytes) {
    byte[] now;
    try {
      now = encoded(new KeyReader(classes, bytes, 0, bytes.length).whole(), null);
    } catch (UndecodableValueException e) {
      return true; // nothing is known of it
    }
    int common = commonBytes(now);
    return common == commonBytes(bytes) && Arrays.equals(now, 0, common, bytes, 0, common);
  }

  @Override
  @SuppressWarnings("unchecked") // checked, as far as the class goes
  public K decode(byte[] bytes, int offset, int length) {
    Object key;
    try {
      key = new KeyReader(classes, bytes, offset, length).whole();
      key = KeyTypes.fit(key, type.rawType());
    } catch (IllegalArgumentException | StackOverflowError e) {
      throw Undecodable.damaged(ValueTag.KEY_ID, "it is not a " + type, e);
    } catch (LinkageError e) {
      throw Undecodable.linkage(type.toString(), e);
    }
    if (!type.rawType().isInstance(key)) {
      throw new UndecodableValueException(
          "The key is an instance of " + name(key) + ", not a " + type + ".", null);
    }
    return (K) key;
  }

  private static String name(@Nullable Object key) {
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
    if (!isByEquality(bytes)) {
      return bytes.length;
    }
    int length = Leb128.get(bytes, 1, bytes.length);
    return 1 + Leb128.length(length) + length;
  }

  /**
   * Returns whether a key has foreign objects in it.
   *
   * @param bytes a key, or the first of its bytes
   * @return whether equal keys may have other bytes
   */
  public static boolean isByEquality(byte[] bytes) {
    return bytes.length > 0 && (bytes[0] == KeyTag.BY_EQUALITY || bytes[0] == KeyTag.NUMBERED);
  }

  /**
   * Returns the bytes of the same key with a number, which distinguishes them from those of other
   * times. They decode to the same key.
   *
   * @param bytes a key with foreign objects, without a number
   * @param number any number
   * @return the bytes
   */
  public static byte[] numbered(byte[] bytes, long number) {
    byte[] numbered =
        ByteBuffer.allocate(bytes.length + Long.BYTES).put(bytes).putLong(number).array();
    numbered[0] = KeyTag.NUMBERED;
    return numbered;
  }

  /** Keys may hold arrays, which can be changed, and foreign ones are equal with other bytes. */
  @Override
  public boolean immutable() {
    return false;
  }
}
