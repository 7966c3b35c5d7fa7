package io.rockpool.codec;

import java.net.URI;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a canonical key is made of in the end: the codecs of JDK values, by class and by tag.
 *
 * <p>Only classes of which equal instances have equal bytes, and unequal ones others. A {@code URI}
 * is not among them: two that differ in the case of their letters may be equal.
 */
final class KeyScalars {
  /** A codec and the tag in front of its bytes. */
  record Scalar(byte tag, Codec<Object> codec) {}

  private static final Map<Class<?>, Scalar> BY_CLASS = new HashMap<>();
  private static final @Nullable Scalar[] BY_TAG = new Scalar[KeyTag.ENUM];

  static {
    BuiltInCodecs.forEachValueCodec(
        (type, codec) -> {
          if (type != URI.class) {
            add(type, codec);
          }
        });
  }

  private KeyScalars() {}

  @SuppressWarnings("unchecked") // asked for by class or tag, and so given what it encodes
  private static void add(Class<?> type, Codec<?> codec) {
    Scalar scalar = new Scalar(ValueTag.of(codec.id()), (Codec<Object>) codec);
    BY_CLASS.put(type, scalar);
    BY_TAG[scalar.tag()] = scalar;
  }

  /** Returns the codec of a class's instances, or null. */
  static @Nullable Scalar of(Class<?> type) {
    Scalar found = BY_CLASS.get(type);
    return found == null && ZoneId.class.isAssignableFrom(type)
        ? BY_CLASS.get(ZoneId.class)
        : found;
  }

  /** Returns the codec with a tag, or null. */
  static @Nullable Scalar of(byte tag) {
    return tag < 0 || tag >= BY_TAG.length ? null : BY_TAG[tag];
  }
}
