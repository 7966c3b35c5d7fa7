package io.rockpool.cdi;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Intercepted;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;
import javax.cache.annotation.CacheRemoveAll;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractCacheRemoveAllInterceptor;

/** Calls of methods with {@code @CacheRemoveAll}. */
@CacheRemoveAll
@Interceptor
@Priority(Interceptor.Priority.LIBRARY_BEFORE)
class CacheRemoveAllInterceptor extends AbstractCacheRemoveAllInterceptor<BeanCall>
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private final CacheLookup lookup;
  private final Class<?> beanClass;

  @Inject
  CacheRemoveAllInterceptor(CacheLookup lookup, @Intercepted Bean<?> bean) {
    this.lookup = lookup;
    this.beanClass = bean.getBeanClass();
  }

  @AroundInvoke
  @Nullable Object call(InvocationContext context) throws Throwable {
    return BeanCall.make(context, beanClass, call -> cacheRemoveAll(lookup, call));
  }

  @Override
  protected @Nullable Object proceed(BeanCall call) throws Exception {
    return call.proceed();
  }
}
