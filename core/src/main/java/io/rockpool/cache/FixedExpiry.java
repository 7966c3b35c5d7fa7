package io.rockpool.cache;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The same durations for every entry. */
record FixedExpiry<K, V>(
    Duration creation,
    @Nullable Duration update,
    @Nullable Duration access,
    @Nullable Duration limit)
    implements CacheExpiry<K, V> {
  FixedExpiry {
    Objects.requireNonNull(creation, "ttl");
  }

  @Override
  public Duration afterCreation(K key, V value) {
    return creation;
  }

  @Override
  public @Nullable Duration afterUpdate(K key, V value) {
    return update;
  }

  @Override
  public @Nullable Duration afterAccess(K key, V value) {
    return access;
  }

  @Override
  public @Nullable Duration limit(V value) {
    return limit;
  }

  @Override
  public boolean updatesAsCreation() {
    return creation.equals(update);
  }

  @Override
  public boolean usesAccess() {
    return access != null;
  }
}
