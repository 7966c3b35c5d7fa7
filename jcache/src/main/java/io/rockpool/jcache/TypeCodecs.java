package io.rockpool.jcache;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import java.lang.reflect.Modifier;
import java.util.Date;
import java.util.Properties;

/**
 * The codecs of a manager's caches: the library's own, with what JSR-107 applications expect of
 * keys besides.
 */
final class TypeCodecs {
  private final Codecs codecs;
  private final AllowedNames allowed;
  private final ClassLoader loader;

  TypeCodecs(Properties properties, ClassLoader loader) {
    this.allowed = new AllowedNames(properties);
    this.codecs = allowed.codecs(loader);
    this.loader = loader;
  }

  /**
   * The codec of a cache's keys. Where the declared type leaves open which class keys have, each
   * says its own.
   *
   * @throws IllegalArgumentException if equal keys of the type could have different bytes
   */
  @SuppressWarnings("unchecked") // a codec of objects that refuses what is not of the type
  <K> Codec<K> keys(Class<K> type) {
    if (type == Date.class) {
      return (Codec<K>) new DateKeyCodec();
    }
    try {
      return codecs.keyCodec(TypeRef.of(type));
    } catch (IllegalArgumentException e) {
      if (isOpen(type)) {
        return (Codec<K>) new AnyKeyCodec(codecs, allowed, loader);
      }
      throw e;
    }
  }

  private static boolean isOpen(Class<?> type) {
    return type == Object.class
        || type.isInterface()
        || (Modifier.isAbstract(type.getModifiers()) && !type.isArray());
  }

  /** The codec of a cache's values. */
  <V> Codec<V> values(Class<V> type) {
    return codecs.valueCodec(TypeRef.of(type));
  }
}
