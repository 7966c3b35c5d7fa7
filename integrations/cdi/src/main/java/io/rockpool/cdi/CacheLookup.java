package io.rockpool.cdi;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import javax.cache.CacheManager;
import javax.cache.annotation.CacheKeyGenerator;
import javax.cache.annotation.CacheResolverFactory;
import org.jsr107.ri.annotations.AbstractCacheLookupUtil;
import org.jsr107.ri.annotations.InternalCacheInvocationContext;
import org.jsr107.ri.annotations.InternalCacheKeyInvocationContext;
import org.jsr107.ri.annotations.StaticCacheInvocationContext;
import org.jsr107.ri.annotations.StaticCacheKeyInvocationContext;

/**
 * What the reference implementation asks about the calls of beans. Of a scope with proxies, so that
 * interceptors of beans which are stored, as those of a session, can have it.
 */
@ApplicationScoped
class CacheLookup extends AbstractCacheLookupUtil<BeanCall> {
  private final Instance<Object> beans;
  private final CacheKeyGenerator keys = new ParametersKey.Generator();
  private final CacheResolverFactory resolvers;

  /** For CDI's proxies. */
  @SuppressWarnings("NullAway") // a proxy uses no field
  CacheLookup() {
    this.beans = null;
    this.resolvers = null;
  }

  @Inject
  CacheLookup(@Any Instance<Object> beans, Instance<CacheManager> managers) {
    this.beans = beans;
    this.resolvers = new NamedCaches(new CurrentManager(managers));
  }

  @Override
  protected InternalCacheKeyInvocationContext<? extends Annotation>
      createCacheKeyInvocationContextImpl(
          StaticCacheKeyInvocationContext<? extends Annotation> method, BeanCall call) {
    return new BeanCall.Keyed<>(method, call);
  }

  @Override
  protected InternalCacheInvocationContext<? extends Annotation> createCacheInvocationContextImpl(
      StaticCacheInvocationContext<? extends Annotation> method, BeanCall call) {
    return new BeanCall.Unkeyed<>(method, call);
  }

  @Override
  protected Class<?> getTargetClass(BeanCall call) {
    return call.beanClass();
  }

  @Override
  protected Method getMethod(BeanCall call) {
    return call.context().getMethod();
  }

  /** A bean of a class that an annotation names, or else an instance of its own. */
  @Override
  protected <T> T getObjectByType(Class<T> type) {
    Instance<T> found = beans.select(type);
    if (found.isResolvable()) {
      return found.get();
    }
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          type.getName()
              + " is named by an annotation, and is neither one bean nor a public class with a"
              + " public constructor without parameters.",
          e);
    }
  }

  @Override
  protected CacheKeyGenerator getDefaultCacheKeyGenerator() {
    return keys;
  }

  @Override
  protected CacheResolverFactory getDefaultCacheResolverFactory() {
    return resolvers;
  }
}
