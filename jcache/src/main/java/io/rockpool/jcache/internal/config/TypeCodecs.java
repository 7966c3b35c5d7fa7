package io.rockpool.jcache.internal.config;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheSettings;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.internal.access.Internals;
import java.util.Properties;

/** The codecs of a manager's caches: the library's own, with what is allowed and learned. */
public final class TypeCodecs {
  private final Codecs codecs;

  public TypeCodecs(
      Properties properties, ConfigurationFile file, ClassLoader loader, Rockpool pool) {
    this.codecs = Internals.store(pool).learning(new AllowedNames(properties, file).codecs(loader));
  }

  /**
   * The codec of a cache's keys.
   *
   * @throws IllegalArgumentException if equal keys of the type could have different bytes
   */
  public <K> Codec<K> keys(Class<K> type) {
    return codecs.cacheKeyCodec(TypeRef.of(type));
  }

  /** The codec of a cache's values. */
  public <V> Codec<V> values(Class<V> type, CacheSettings<?> settings) {
    return settings.evolving(codecs).valueCodec(TypeRef.of(type));
  }
}
