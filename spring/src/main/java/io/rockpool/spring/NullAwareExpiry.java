package io.rockpool.spring;

import io.rockpool.cache.CacheExpiry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.NullValue;

/**
 * Entries that live since they were written or since they were used, and nulls that may live for
 * another time.
 */
record NullAwareExpiry(@Nullable Duration ttl, @Nullable Duration tti, @Nullable Duration nullTtl)
    implements CacheExpiry<Object, Object> {
  @Override
  public Duration afterCreation(Object key, Object value) {
    if (nullTtl != null && value == NullValue.INSTANCE) {
      return nullTtl;
    }
    if (ttl != null) {
      return ttl;
    }
    return tti != null ? tti : FOREVER;
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
    return nullTtl != null && value == NullValue.INSTANCE ? null : tti;
  }

  @Override
  public boolean usesAccess() {
    return tti != null;
  }
}
