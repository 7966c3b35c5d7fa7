package io.rockpool.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMethodMatcher;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.support.NoOpCache;
import org.springframework.cache.transaction.TransactionAwareCacheDecorator;
import org.springframework.context.EmbeddedValueResolverAware;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.StringValueResolver;

/**
 * Caches for methods with {@link CacheableAll}. Ends the start of an application in which such a
 * method has a type, an expression or a cache that cannot work. Auto-configured with Boot;
 * elsewhere, beside {@code @EnableCaching}
 *
 * <pre>{@code
 * @Bean
 * @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
 * static CacheableAllAdvisor cacheableAllAdvisor(ObjectProvider<CacheManager> manager) {
 *   return new CacheableAllAdvisor(manager::getObject);
 * }
 * }</pre>
 */
public final class CacheableAllAdvisor extends DefaultPointcutAdvisor
    implements SmartInitializingSingleton, EmbeddedValueResolverAware {
  private static final long serialVersionUID = 1L;

  private final transient Calls calls;

  /** Caches in the caches of a manager, which is asked for when the beans are there. */
  public CacheableAllAdvisor(Supplier<? extends CacheManager> manager) {
    this(new Calls(manager));
  }

  private CacheableAllAdvisor(Calls calls) {
    super(
        new ComposablePointcut(calls, new AnnotationMethodMatcher(CacheableAll.class, true)),
        calls);
    this.calls = calls;
  }

  @Override
  public void setEmbeddedValueResolver(StringValueResolver resolver) {
    calls.resolver = resolver;
  }

  /** Checks the caches of the methods that are known. */
  @Override
  public void afterSingletonsInstantiated() {
    calls.known.forEach(method -> calls.cache(method.method(), method.cacheName()));
  }

  /** The methods, each read once, and what is done when one is called. */
  private static final class Calls implements ClassFilter, MethodInterceptor {
    private final Supplier<? extends CacheManager> manager;
    private final Map<Class<?>, Boolean> types = new ConcurrentHashMap<>();
    private final Map<MethodClassKey, BulkMethod> methods = new ConcurrentHashMap<>();
    private final Set<BulkMethod> known = ConcurrentHashMap.newKeySet();
    private @Nullable StringValueResolver resolver;

    Calls(Supplier<? extends CacheManager> manager) {
      this.manager = manager;
    }

    @Override
    public boolean matches(Class<?> type) {
      Boolean matches = types.get(type);
      if (matches == null) {
        matches = AnnotationUtils.isCandidateClass(type, CacheableAll.class) && hasMethods(type);
        types.put(type, matches);
      }
      return matches;
    }

    private boolean hasMethods(Class<?> type) {
      Set<Method> found =
          MethodIntrospector.selectMethods(
              type,
              (Method method) -> AnnotatedElementUtils.hasAnnotation(method, CacheableAll.class));
      found.forEach(method -> known.add(read(method, type)));
      return !found.isEmpty();
    }

    private BulkMethod read(Method method, Class<?> type) {
      return methods.computeIfAbsent(
          new MethodClassKey(method, type),
          absent ->
              BulkMethod.of(
                  method,
                  type,
                  text -> {
                    String resolved = resolver == null ? text : resolver.resolveStringValue(text);
                    return resolved == null ? "" : resolved;
                  }));
    }

    /** The cache of a name as the manager gives it; a NoOpCache, or over a RockpoolCache. */
    private Cache cache(Method method, String name) {
      Cache found = manager.get().getCache(name);
      if (found instanceof NoOpCache || BulkCall.rockpoolCache(found) != null) {
        return Objects.requireNonNull(found);
      }
      throw new IllegalStateException(
          method
              + " has @CacheableAll with the cache \""
              + name
              + (found == null ? "\", which the manager does not have" : "\", which is a ")
              + (found == null ? "" : target(found).getClass().getName())
              + ". Name a cache of a RockpoolCacheManager.");
    }

    private static Cache target(Cache found) {
      return found instanceof TransactionAwareCacheDecorator waiting
          ? waiting.getTargetCache()
          : found;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
      Object target = invocation.getThis();
      Class<?> type =
          target == null
              ? invocation.getMethod().getDeclaringClass()
              : AopUtils.getTargetClass(target);
      BulkMethod method = read(AopUtils.getMostSpecificMethod(invocation.getMethod(), type), type);
      Cache cache = cache(method.method(), method.cacheName());
      List<Object> elements =
          cache instanceof NoOpCache ? null : method.elements(invocation.getArguments());
      if (elements == null) {
        return invocation.proceed();
      }
      BulkCall call = new BulkCall(method, elements, cache, (ProxyMethodInvocation) invocation);
      return call.isWanted() ? call.run() : call.proceed();
    }
  }
}
