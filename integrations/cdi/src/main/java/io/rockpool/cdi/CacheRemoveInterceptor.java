package io.rockpool.cdi;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Intercepted;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;
import javax.cache.annotation.CacheRemove;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractCacheRemoveEntryInterceptor;

/** Calls of methods with {@code @CacheRemove}. */
@CacheRemove
@Interceptor
@Priority(Interceptor.Priority.LIBRARY_BEFORE)
class CacheRemoveInterceptor extends AbstractCacheRemoveEntryInterceptor<BeanCall>
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private final CacheLookup lookup;
  private final Class<?> beanClass;

  @Inject
  CacheRemoveInterceptor(CacheLookup lookup, @Intercepted Bean<?> bean) {
    this.lookup = lookup;
    this.beanClass = bean.getBeanClass();
  }

  @AroundInvoke
  @Nullable Object call(InvocationContext context) throws Throwable {
    return BeanCall.make(context, beanClass, call -> cacheRemoveEntry(lookup, call));
  }

  @Override
  protected @Nullable Object proceed(BeanCall call) throws Exception {
    return call.proceed();
  }
}
