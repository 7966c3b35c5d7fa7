package io.rockpool.cdi;

import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.cache.annotation.CacheInvocationParameter;
import javax.cache.annotation.CacheKeyGenerator;
import javax.cache.annotation.CacheKeyInvocationContext;
import javax.cache.annotation.GeneratedCacheKey;
import org.jspecify.annotations.Nullable;

/**
 * The key of a call: the values of its parameters. Stored as a record, so it is found again by
 * another process.
 */
record ParametersKey(List<@Nullable Object> parameters) implements GeneratedCacheKey {
  private static final long serialVersionUID = 1L;

  static final class Generator implements CacheKeyGenerator {
    @Override
    public GeneratedCacheKey generateCacheKey(
        CacheKeyInvocationContext<? extends Annotation> call) {
      return new ParametersKey(
          list(Stream.of(call.getKeyParameters()).map(CacheInvocationParameter::getValue)));
    }

    private static List<@Nullable Object> list(Stream<?> values) {
      List<@Nullable Object> list = new ArrayList<>();
      values.forEach(value -> list.add(comparable(value)));
      return Collections.unmodifiableList(list);
    }

    /** A list in place of an array, which would be equal to itself only. */
    private static @Nullable Object comparable(@Nullable Object value) {
      return value != null && value.getClass().isArray()
          ? list(IntStream.range(0, Array.getLength(value)).mapToObj(i -> Array.get(value, i)))
          : value;
    }
  }
}
