package io.rockpool.spring;

import io.rockpool.cache.ValueLoader;
import io.rockpool.internal.access.CacheAccess;
import io.rockpool.internal.access.RunningLoad;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.cache.Cache;

/**
 * A call of a method with cache annotations while Spring reads and writes caches for it, before and
 * after the method itself runs. The call can be repeated to refresh a cached value.
 */
final class CacheableCall implements MethodInvocation {
  /** The call this thread is in; null while the method itself runs. */
  private static final ThreadLocal<@Nullable CacheableCall> CURRENT = new ThreadLocal<>();

  /** The refetch this thread is in, also while the method itself runs. */
  private static final ThreadLocal<@Nullable Refetch> REFETCH = new ThreadLocal<>();

  private final MethodInterceptor caching;
  private final ProxyMethodInvocation invocation;
  private final @Nullable Refetch refetch;
  private final Thread thread = Thread.currentThread();

  /** The loads of entries that this call has missed in caches that are written behind. */
  private final List<Missed> missed = new ArrayList<>();

  private record Missed(RockpoolCache cache, Object key, RunningLoad load) {}

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
    private boolean putElsewhere;
    private @Nullable Object stored;

    Refetch(RockpoolCache cache, Object key) {
      this.cache = cache;
      this.key = key;
    }

    private boolean hasKey(Object other) {
      return Objects.deepEquals(key, other);
    }
  }

  /** The call in whose name this thread uses a cache, or null. */
  static @Nullable CacheableCall current() {
    return CURRENT.get();
  }

  /**
   * Whether this thread refreshes an entry. If so, the cache reports a miss, because the present
   * value is the one to be replaced.
   */
  static boolean isRefetching(RockpoolCache cache, Object key) {
    Refetch refetch = REFETCH.get();
    if (refetch == null || !refetch.hasKey(key)) {
      return false;
    }
    CacheableCall call = CURRENT.get();
    return refetch.cache == cache || (call != null && call.refetch == refetch);
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
      missed.forEach(each -> each.load.close());
      restore(CURRENT, outer);
    }
  }

  /** Begins the load of an entry that this call has missed; it ends with the call. */
  RunningLoad beginLoad(RockpoolCache cache, Object key, CacheAccess<Object, Object> access) {
    RunningLoad load = access.beginLoad(key);
    missed.add(new Missed(cache, key, load));
    return load;
  }

  /** The load of an entry that this call has missed, or null. */
  @Nullable RunningLoad load(RockpoolCache cache, Object key) {
    for (Missed each : missed) {
      if (each.cache == cache && Objects.deepEquals(each.key, key)) {
        return each.load;
      }
    }
    return null;
  }

  private static <T> void restore(ThreadLocal<@Nullable T> place, @Nullable T before) {
    if (before == null) {
      place.remove();
    } else {
      place.set(before);
    }
  }

  /**
   * Whether the call is repeated for this entry. If so it takes the value, and the cache stores it
   * only if the entry was not changed meanwhile.
   */
  boolean takes(RockpoolCache cache, Object key, Object value) {
    if (refetch == null) {
      return false;
    }
    if (refetch.cache != cache || !refetch.hasKey(key)) {
      refetch.putElsewhere = true;
      return false;
    }
    refetch.stored = value;
    return true;
  }

  /**
   * What makes the call again, on another thread, and returns what is to be stored for a key; null
   * if the method's annotation does not want that stored which the method now returns.
   */
  ValueLoader<Object, @Nullable Object> again(RockpoolCache cache) {
    ProxyMethodInvocation copy = (ProxyMethodInvocation) invocation.invocableClone();
    return key -> {
      Refetch wanted = new Refetch(cache, key);
      Refetch outer = REFETCH.get();
      REFETCH.set(wanted);
      try {
        new CacheableCall(caching, copy, wanted).make();
      } catch (Throwable e) {
        throw new Cache.ValueRetrievalException(key, copy.getMethod()::toString, e);
      } finally {
        restore(REFETCH, outer);
      }
      if (!wanted.called || (wanted.stored == null && wanted.putElsewhere)) {
        throw new IllegalStateException(
            copy.getMethod()
                + " was called again for the cache \""
                + cache.getName()
                + "\" and did not put the same key: another cache has a value for it, or its arguments have changed.");
      }
      return wanted.stored;
    };
  }

  /** Runs the method, and all interceptors that come after Spring's caching. */
  @Override
  public @Nullable Object proceed() throws Throwable {
    if (refetch != null) {
      refetch.called = true;
    }
    CacheableCall outer = CURRENT.get();
    CURRENT.set(null);
    try {
      // Advice in the style of AspectJ asks for the call on its own thread.
      return refetch == null && thread == Thread.currentThread()
          ? invocation.proceed()
          : ExposeInvocationInterceptor.INSTANCE.invoke(invocation);
    } finally {
      restore(CURRENT, outer);
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
