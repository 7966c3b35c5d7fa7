package io.rockpool.spring;

import io.rockpool.cache.CacheExpiry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.NullValue;

/**
 * Entries that live since they were written, since they were used, or since they were used but not
 * beyond a time since they were written; and nulls that may live for another time.
 */
record NullAwareExpiry(@Nullable Duration ttl, @Nullable Duration tti, @Nullable Duration nullTtl)
    implements CacheExpiry<Object, Object> {
  @Override
  public Duration afterCreation(Object key, Object value) {
    if (nullTtl != null && value instanceof NullValue) {
      return nullTtl;
    }
    Duration first = ttl == null ? FOREVER : ttl;
    return tti != null && tti.compareTo(first) < 0 ? tti : first;
  }

  @Override
  public Duration afterUpdate(Object key, Object value) {
    return afterCreation(key, value);
  }

  @Override
  public boolean updatesAsCreation() {
    return true;
  }

  @Override
  public @Nullable Duration afterAccess(Object key, Object value) {
    return nullTtl != null && value instanceof NullValue ? null : tti;
  }

  @Override
  public @Nullable Duration limit(Object value) {
    return nullTtl != null && value instanceof NullValue ? null : ttl;
  }

  @Override
  public boolean usesAccess() {
    return tti != null;
  }
}
