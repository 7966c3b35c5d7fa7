package io.rockpool.spring;

import java.util.concurrent.Future;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cache.interceptor.BeanFactoryCacheOperationSourceAdvisor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Lets caches with a soft TTL or refresh-ahead refresh what methods with a plain {@code @Cacheable}
 * have stored, too. Spring gives a cache no loader for these unless they say {@code sync = true};
 * with this bean, a value that is due is returned at once, and its method called again in the
 * background, with all its annotations: what {@code unless} does not want is removed from the
 * cache, and an eviction meanwhile wins. Auto-configured with Boot; elsewhere
 *
 * <pre>{@code
 * @Bean
 * static CacheableRefresher cacheableRefresher() {
 *   return new CacheableRefresher();
 * }
 * }</pre>
 *
 * <p>The background has no transaction, request or security context of the caller's, and the
 * arguments and the target are the caller's own objects: a bean that ends with a request, and
 * arguments that are changed afterwards, can only be loaded anew once they have expired. A method
 * that has {@code @CachePut}, too, is called each time, and then once more. Methods that return
 * futures or publishers are left as they are, and so is caching by AspectJ's weaving.
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
      return invocation instanceof ProxyMethodInvocation call
              && !isAsynchronous(invocation.getMethod().getReturnType())
          ? CacheableCall.make(caching, call)
          : caching.invoke(invocation);
    }

    private static boolean isAsynchronous(Class<?> type) {
      return Future.class.isAssignableFrom(type)
          || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }
  }
}
