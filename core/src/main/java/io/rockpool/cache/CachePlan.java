package io.rockpool.cache;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.internal.access.StoreCaches;
import io.rockpool.internal.catalog.Identity;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a new cache is made of. It is created without a lock, because user codecs may be slow to
 * create.
 */
record CachePlan<K, V>(
    Types types,
    Identity identity,
    Codec<K> keys,
    Codec<V> values,
    Codec<V> pendingValues,
    CacheOptions<K, V> options) {
  /** By which an open cache is found. */
  record Types(
      String name, TypeRef<?> keyType, TypeRef<?> valueType, @Nullable ClassLoader loader) {
    /** Whether types of the same name match. */
    boolean matches(Types other, boolean anyLoader) {
      return keyType.equals(other.keyType)
          && valueType.equals(other.valueType)
          && (anyLoader || loader == other.loader);
    }
  }

  /** Checks that the engine supports these options, and creates the codecs. */
  static <K, V> CachePlan<K, V> of(
      Engine engine,
      Codecs codecs,
      Types types,
      TypeRef<K> keyType,
      TypeRef<V> valueType,
      CacheOptions<K, V> options) {
    if (options.writing() != null) {
      Drainers.refuseUnsupported(engine, types.name());
    }
    if (options.tagger() != null) {
      TagMarks.refuseUnsupported(engine, types.name());
    }
    Codecs mine =
        options.classLoader() == null ? codecs : codecs.withClassLoader(options.classLoader());
    Codec<K> keys =
        Codecs.checked(
            Objects.requireNonNullElseGet(options.keyCodec(), () -> mine.cacheKeyCodec(keyType)),
            false);
    Codec<V> chosen = options.valueCodec();
    Codec<V> values =
        chosen == null
            ? options.evolving(mine).valueCodec(valueType)
            : Codecs.checked(chosen, true);
    Codec<V> pendingValues =
        chosen == null && options.evolve().orElse(false)
            ? mine.forCache(false).valueCodec(valueType)
            : values;
    Identity identity =
        new Identity(
            StoreCaches.TYPE, keyType.toString(), keys.id(), valueType.toString(), values.id());
    return new CachePlan<>(types, identity, keys, values, pendingValues, options);
  }

  /**
   * The options of the cache, where {@code kept} is stored under its name.
   *
   * @param own whether the cache belongs to a module, whose configuration is complete
   */
  CacheOptions<K, V> options(boolean own, Map<String, String> kept) {
    return own ? options : options.copy(options.values().orElse(KeptOptions.fromText(kept)));
  }
}
