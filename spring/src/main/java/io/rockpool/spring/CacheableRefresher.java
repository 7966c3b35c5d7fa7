package io.rockpool.spring;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cache.interceptor.BeanFactoryCacheOperationSourceAdvisor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Lets caches with a soft TTL or refresh-ahead factor also refresh values of methods with a plain
 * {@code @Cacheable}. Spring passes a loader to a cache only for methods with {@code sync = true}.
 * With this bean, a value that is due for refresh is returned at once, and its method is called
 * again in the background with all its annotations. A value that {@code unless} rejects is removed
 * from the cache; an eviction meanwhile wins. Auto-configured with Boot; elsewhere
 *
 * <pre>{@code
 * @Bean
 * static CacheableRefresher cacheableRefresher() {
 *   return new CacheableRefresher();
 * }
 * }</pre>
 *
 * <p>The background call has no transaction, request or security context, and uses the caller's own
 * target and arguments: values of a request-scoped bean, or for arguments that are modified after
 * the call, are not refreshed; they are loaded again after they have expired. A method that also
 * has {@code @CachePut} is called each time, and then once more. Methods that return futures or
 * publishers, and caching by AspectJ weaving, are not refreshed.
 */
public final class CacheableRefresher implements BeanPostProcessor, PriorityOrdered {
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof BeanFactoryCacheOperationSourceAdvisor advisor) {
      Advice advice = advisor.getAdvice();
      if (advice instanceof MethodInterceptor caching) {
        advisor.setAdvice(new Calls(caching));
      }
    }
    return bean;
  }

  private record Calls(MethodInterceptor caching) implements MethodInterceptor {
    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
      if (!(invocation instanceof ProxyMethodInvocation call)) {
        return caching.invoke(invocation);
      }
      if (!AsyncWork.isAsynchronous(invocation.getMethod())) {
        return CacheableCall.make(caching, call);
      }
      CacheableCall.checkTags(call);
      return caching.invoke(invocation);
    }
  }
}
