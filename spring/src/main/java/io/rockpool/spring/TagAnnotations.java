package io.rockpool.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * The classes with methods that evict tags. A class is asked for when its bean is created: so an
 * annotation that cannot work ends the start of the application.
 */
final class TagAnnotations implements ClassFilter {
  private static final Map<Class<?>, Boolean> EVICTING = new ConcurrentReferenceHashMap<>();

  @Override
  public boolean matches(Class<?> type) {
    Boolean known = EVICTING.get(type);
    if (known == null) {
      known = isEvicting(type);
      EVICTING.put(type, known);
    }
    return known;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TagAnnotations;
  }

  @Override
  public int hashCode() {
    return TagAnnotations.class.hashCode();
  }

  private static boolean isEvicting(Class<?> type) {
    if (!AnnotationUtils.isCandidateClass(type, List.of(CacheTags.class, CacheEvictTags.class))) {
      return false;
    }
    return !MethodIntrospector.selectMethods(
            type,
            (Method method) -> {
              CacheTags tags = AnnotatedElementUtils.findMergedAnnotation(method, CacheTags.class);
              if (tags != null) {
                check(method, tags);
              }
              CacheEvictTags evict =
                  AnnotatedElementUtils.findMergedAnnotation(method, CacheEvictTags.class);
              if (evict != null) {
                check(method, evict);
              }
              return evict;
            })
        .isEmpty();
  }

  private static void check(Method method, CacheEvictTags evict) {
    TagExpressions.check(evict.value(), method);
    if (!AsyncWork.canFollow(method)) {
      throw new IllegalStateException(
          method
              + " has @CacheEvictTags and returns before its work is done. Return a"
              + " CompletableFuture or, with Reactor, a Mono or Flux; or call"
              + " RockpoolCache.invalidateTags where the work ends.");
    }
    if (AsyncWork.hasManyResults(method)
        && Stream.of(evict.value()).anyMatch(TagExpressions::namesResult)) {
      throw new IllegalStateException(
          method
              + " has @CacheEvictTags with #result and returns several results. Use its arguments,"
              + " or call RockpoolCache.invalidateTags where the work ends.");
    }
  }

  /**
   * Checks that the tags of a method can be those of its value.
   *
   * @throws IllegalStateException if not
   */
  static void check(Method method, CacheTags tags) {
    TagExpressions.check(tags.value(), method);
    if (AsyncWork.isAsynchronous(method)
        && !AnnotatedElementUtils.hasAnnotation(method, CacheableAll.class)) {
      throw new IllegalStateException(
          method
              + " has @CacheTags and returns a future or publisher, whose value has no tags there."
              + " Give the cache tags by RockpoolCacheConfiguration.tags.");
    }
  }
}
