package io.rockpool.spring;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMethodMatcher;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.support.NoOpCache;
import org.springframework.cache.transaction.TransactionAwareCacheDecorator;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Removes entries by their tags after methods with {@link CacheEvictTags}. Auto-configured with
 * Boot; elsewhere, beside {@code @EnableCaching}
 *
 * <pre>{@code
 * @Bean
 * @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
 * static CacheTagsAdvisor cacheTagsAdvisor(ObjectProvider<CacheManager> manager) {
 *   return new CacheTagsAdvisor(manager::getObject);
 * }
 * }</pre>
 */
public final class CacheTagsAdvisor extends DefaultPointcutAdvisor {
  private static final long serialVersionUID = 1L;

  /** Evicts from the caches of a manager, which is asked for at the first eviction. */
  public CacheTagsAdvisor(Supplier<? extends CacheManager> manager) {
    super(
        new ComposablePointcut(
            new TagAnnotations(), new AnnotationMethodMatcher(CacheEvictTags.class, true)),
        (MethodInterceptor) call -> invoke(manager, call));
  }

  private static @Nullable Object invoke(
      Supplier<? extends CacheManager> manager, MethodInvocation call) throws Throwable {
    Object target = call.getThis();
    var method =
        target == null
            ? call.getMethod()
            : AopUtils.getMostSpecificMethod(call.getMethod(), target.getClass());
    CacheEvictTags evict =
        Objects.requireNonNull(
            AnnotatedElementUtils.findMergedAnnotation(method, CacheEvictTags.class));
    // Before the method: nothing has been done yet if a cache is refused.
    List<Tagged> caches = new ArrayList<>();
    for (String name : evict.cacheNames()) {
      Cache found = manager.get().getCache(name);
      boolean waits = found instanceof TransactionAwareCacheDecorator;
      Cache cache =
          found instanceof TransactionAwareCacheDecorator waiting
              ? waiting.getTargetCache()
              : found;
      if (cache instanceof RockpoolCache tagged) {
        caches.add(new Tagged(tagged, waits));
      } else if (!(cache instanceof NoOpCache)) {
        throw new IllegalStateException(
            method
                + " evicts tags of the cache \""
                + name
                + "\", which is not a RockpoolCache; name one that is.");
      }
    }
    if (caches.isEmpty()) {
      return call.proceed();
    }
    @Nullable Object[] arguments = call.getArguments();
    Set<String> before = TagExpressions.evaluateBefore(evict.value(), target, method, arguments);
    return AsyncWork.then(
        method,
        call.proceed(),
        result -> {
          // The method may have changed its arguments, so both have their tags.
          Set<String> tags = new HashSet<>(before);
          tags.addAll(TagExpressions.evaluate(evict.value(), target, method, arguments, result));
          caches.forEach(cache -> cache.invalidate(tags));
        });
  }

  /** A cache whose entries have tags, and whether it waits for the commit. */
  private record Tagged(RockpoolCache cache, boolean waits) {
    void invalidate(Set<String> tags) {
      if (waits) {
        TransactionAwareRockpoolCache.invalidateTags(cache, tags);
      } else {
        cache.invalidateTags(tags);
      }
    }
  }
}
