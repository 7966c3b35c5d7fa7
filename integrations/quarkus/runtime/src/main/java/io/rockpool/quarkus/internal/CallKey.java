package io.rockpool.quarkus.internal;

import io.quarkus.cache.CompositeCacheKey;
import io.quarkus.cache.DefaultCacheKey;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored key of a call with no parameter or several ones: their values. Quarkus' own keys are
 * classes with private fields, which a later version may change.
 */
record CallKey(List<@Nullable Object> parameters) {
  /** The key as it is stored. Arrays, which equal only themselves, become lists. */
  static Object stored(Object key) {
    if (key instanceof DefaultCacheKey) {
      return new CallKey(List.of());
    }
    if (key instanceof CompositeCacheKey several) {
      return new CallKey(list(several.getKeyElements()));
    }
    return key.getClass().isArray() ? list(key) : key;
  }

  /** The key as Quarkus has it, of the cache with this default key. */
  static Object given(Object stored, Object none) {
    if (!(stored instanceof CallKey call)) {
      return stored;
    }
    return call.parameters.isEmpty() ? none : new CompositeCacheKey(call.parameters.toArray());
  }

  private static List<@Nullable Object> list(Object array) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      Object value = Array.get(array, i);
      list.add(value != null && value.getClass().isArray() ? list(value) : value);
    }
    return Collections.unmodifiableList(list);
  }
}
