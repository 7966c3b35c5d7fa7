package io.rockpool.cache;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A duration that a function returns for a key and value.
 *
 * @param ttl the function, called at each creation
 * @param writes whether it is also called when an entry is replaced
 * @param reads whether it is also called when an entry is read
 */
record FunctionExpiry<K, V>(
    BiFunction<? super K, ? super V, ? extends Duration> ttl, boolean writes, boolean reads)
    implements CacheExpiry<K, V> {
  FunctionExpiry {
    Objects.requireNonNull(ttl, "ttl");
  }

  @Override
  public Duration afterCreation(K key, V value) {
    return ttl.apply(key, value);
  }

  @Override
  public @Nullable Duration afterUpdate(K key, V value) {
    return writes ? ttl.apply(key, value) : null;
  }

  @Override
  public @Nullable Duration afterAccess(K key, V value) {
    return reads ? ttl.apply(key, value) : null;
  }

  @Override
  public boolean updatesAsCreation() {
    return writes;
  }

  @Override
  public boolean usesAccess() {
    return reads;
  }
}
