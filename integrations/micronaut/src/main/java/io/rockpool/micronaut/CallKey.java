package io.rockpool.micronaut;

import io.micronaut.cache.interceptor.DefaultCacheKeyGenerator;
import io.micronaut.core.annotation.AnnotationMetadata;
import jakarta.inject.Singleton;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key of a call with no parameter or several ones: their values. A record, so that another
 * process finds it again.
 */
record CallKey(List<@Nullable Object> parameters) {
  /**
   * Used where an annotation names no generator: Micronaut looks for a bean of the default
   * generator's class.
   */
  @Singleton
  static final class Generator extends DefaultCacheKeyGenerator {
    /** A single parameter is the key itself, as in Micronaut. */
    @Override
    public Object generateKey(AnnotationMetadata method, @Nullable Object... parameters) {
      List<@Nullable Object> values = list(parameters);
      Object first = values.size() == 1 ? values.get(0) : null;
      return first == null || parameters[0] != first ? new CallKey(values) : first;
    }

    /** The elements of an array; lists in place of arrays, which equal only themselves. */
    private static List<@Nullable Object> list(Object array) {
      List<@Nullable Object> list = new ArrayList<>();
      for (int i = 0; i < Array.getLength(array); i++) {
        Object value = Array.get(array, i);
        list.add(value != null && value.getClass().isArray() ? list(value) : value);
      }
      return Collections.unmodifiableList(list);
    }
  }
}
