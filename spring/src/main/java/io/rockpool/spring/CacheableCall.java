package io.rockpool.spring;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.cache.Cache;

/**
 * A call of a method with cache annotations while Spring looks into caches for it, before and after
 * the method itself runs. It can be made again, to fetch anew what a cache has for it.
 */
final class CacheableCall implements MethodInvocation {
  /** The call this thread is in; null while the method itself runs. */
  private static final ThreadLocal<@Nullable CacheableCall> CURRENT = new ThreadLocal<>();

  private final MethodInterceptor caching;
  private final ProxyMethodInvocation invocation;
  private final @Nullable Refetch refetch;

  private CacheableCall(
      MethodInterceptor caching, ProxyMethodInvocation invocation, @Nullable Refetch refetch) {
    this.caching = caching;
    this.invocation = invocation;
    this.refetch = refetch;
  }

  /** What a call that is made again is to find. */
  private static final class Refetch {
    private final RockpoolCache cache;
    private final Object key;
    private boolean called;
    private @Nullable Object stored;

    Refetch(RockpoolCache cache, Object key) {
      this.cache = cache;
      this.key = key;
    }
  }

  /** The call in whose name this thread uses a cache, or null. */
  static @Nullable CacheableCall current() {
    return CURRENT.get();
  }

  /** Makes a call: all that Spring does of caches for it, and the method if it comes to that. */
  static @Nullable Object make(MethodInterceptor caching, ProxyMethodInvocation invocation)
      throws Throwable {
    return new CacheableCall(caching, invocation, null).make();
  }

  private @Nullable Object make() throws Throwable {
    CacheableCall outer = CURRENT.get();
    CURRENT.set(this);
    try {
      return caching.invoke(this);
    } finally {
      restore(outer);
    }
  }

  private static void restore(@Nullable CacheableCall call) {
    if (call == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(call);
    }
  }

  /** Whether the call is made again, so that its method is to run whatever caches have. */
  boolean isRefetch() {
    return refetch != null;
  }

  /**
   * Whether the call is made again for this entry: then it has the value, and the cache stores it
   * on condition that nobody has changed the entry meanwhile.
   */
  boolean takes(RockpoolCache cache, Object key, Object value) {
    if (refetch == null || refetch.cache != cache || !Objects.equals(refetch.key, key)) {
      return false;
    }
    refetch.stored = value;
    return true;
  }

  /**
   * What makes the call again, on another thread, and returns what is to be stored for a key; null
   * if the method's annotation does not want that stored which the method now returns.
   */
  Function<Object, @Nullable Object> again(RockpoolCache cache, Object key) {
    ProxyMethodInvocation copy = (ProxyMethodInvocation) invocation.invocableClone();
    return k -> {
      Refetch wanted = new Refetch(cache, key);
      try {
        new CacheableCall(caching, copy, wanted).make();
      } catch (Throwable e) {
        throw new Cache.ValueRetrievalException(key, copy.getMethod()::toString, e);
      }
      if (!wanted.called) {
        throw new IllegalStateException(
            copy.getMethod() + " was not called again, for another cache has a value for it.");
      }
      return wanted.stored;
    };
  }

  @Override
  public @Nullable Object proceed() throws Throwable {
    if (refetch != null) {
      refetch.called = true;
    }
    CURRENT.set(null);
    try {
      return invocation.proceed();
    } finally {
      CURRENT.set(this);
    }
  }

  @Override
  public Method getMethod() {
    return invocation.getMethod();
  }

  @Override
  public @Nullable Object[] getArguments() {
    return invocation.getArguments();
  }

  @Override
  public @Nullable Object getThis() {
    return invocation.getThis();
  }

  @Override
  public AccessibleObject getStaticPart() {
    return invocation.getStaticPart();
  }
}
