package io.rockpool.codec;

import java.net.URI;
import java.time.ZoneId;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a canonical key is made of in the end: the codecs of JDK values, by class and by tag.
 *
 * <p>Only classes of which equal instances have equal bytes, and unequal ones others. A {@code URI}
 * is not among them: two that differ in the case of their letters may be equal.
 */
final class KeyScalars {
  /** A codec and the tag in front of its bytes. */
  record Scalar(byte tag, Codec<Object> codec) {
    @SuppressWarnings("JavaUtilDate") // it is what applications have
    byte[] encode(Object value) {
      return codec.encode(
          value instanceof Date date && value.getClass() != Date.class
              ? new Date(date.getTime())
              : value);
    }
  }

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

  /** The codecs of classes that are equal to instances of a class with a codec. */
  private static final ClassValue<Optional<Scalar>> OF_SUBCLASS =
      new ClassValue<>() {
        @Override
        protected Optional<Scalar> computeValue(Class<?> type) {
          if (ZoneId.class.isAssignableFrom(type)) {
            return Optional.ofNullable(BY_CLASS.get(ZoneId.class));
          }
          Class<?> base = type.getSuperclass();
          while (base != null && !BY_CLASS.containsKey(base)) {
            base = base.getSuperclass();
          }
          return base == null || Equality.declaringClass(type) != base
              ? Optional.empty()
              : Optional.ofNullable(BY_CLASS.get(base));
        }
      };

  private KeyScalars() {}

  @SuppressWarnings("unchecked") // asked for by class or tag, and so given what it encodes
  private static void add(Class<?> type, Codec<?> codec) {
    Scalar scalar = new Scalar(ValueTag.of(codec.id()), (Codec<Object>) codec);
    BY_CLASS.put(type, scalar);
    BY_TAG[scalar.tag()] = scalar;
  }

  /**
   * Returns the codec of a class's instances, or null. A subclass that inherits its equality, such
   * as {@code java.sql.Date}, has that of its superclass.
   */
  static @Nullable Scalar of(Class<?> type) {
    Scalar found = BY_CLASS.get(type);
    return found == null ? OF_SUBCLASS.get(type).orElse(null) : found;
  }

  /** Returns whether instances of a class come back as those of its superclass. */
  static boolean isSubclass(Class<?> type) {
    return !BY_CLASS.containsKey(type)
        && !ZoneId.class.isAssignableFrom(type)
        && OF_SUBCLASS.get(type).isPresent();
  }

  /** Returns the codec with a tag, or null. */
  static @Nullable Scalar of(byte tag) {
    return tag < 0 || tag >= BY_TAG.length ? null : BY_TAG[tag];
  }
}
