package io.rockpool.cdi;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Intercepted;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;
import javax.cache.annotation.CacheResult;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractCacheResultInterceptor;

/** Calls of methods with {@code @CacheResult}. */
@CacheResult
@Interceptor
@Priority(Interceptor.Priority.LIBRARY_BEFORE)
class CacheResultInterceptor extends AbstractCacheResultInterceptor<BeanCall>
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private final CacheLookup lookup;
  private final Class<?> beanClass;

  @Inject
  CacheResultInterceptor(CacheLookup lookup, @Intercepted Bean<?> bean) {
    this.lookup = lookup;
    this.beanClass = bean.getBeanClass();
  }

  @AroundInvoke
  @Nullable Object call(InvocationContext context) throws Throwable {
    return BeanCall.make(context, beanClass, call -> cacheResult(lookup, call));
  }

  @Override
  protected @Nullable Object proceed(BeanCall call) throws Exception {
    return call.proceed();
  }
}
