package io.rockpool.jcache;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import java.util.Date;
import java.util.Properties;

/** The codecs of a manager's caches: the library's own, and dates as keys. */
final class TypeCodecs {
  private final Codecs codecs;

  TypeCodecs(Properties properties, ClassLoader loader) {
    this.codecs = new AllowedNames(properties).codecs(loader);
  }

  /**
   * The codec of a cache's keys.
   *
   * @throws IllegalArgumentException if equal keys of the type could have different bytes
   */
  @SuppressWarnings("unchecked") // the type says so
  <K> Codec<K> keys(Class<K> type) {
    return type == Date.class ? (Codec<K>) new DateKeyCodec() : codecs.keyCodec(TypeRef.of(type));
  }

  /** The codec of a cache's values. */
  <V> Codec<V> values(Class<V> type) {
    return codecs.valueCodec(TypeRef.of(type));
  }
}
