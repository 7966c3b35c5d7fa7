package io.rockpool.spring;

import io.rockpool.cache.ValueLoader;
import io.rockpool.internal.access.CacheAccess;
import io.rockpool.internal.access.RunningLoad;
import io.rockpool.internal.access.TaggedLoader;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.cache.Cache;
import org.springframework.cache.support.NullValue;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * A call of a method with cache annotations while Spring reads and writes caches for it, before and
 * after the method itself runs. The call can be repeated to refresh a cached value.
 */
final class CacheableCall implements MethodInvocation {
  private static final String[] NO_TAGS = {};

  /** The texts of the tags of each method. */
  private static final Map<MethodClassKey, String[]> TAG_TEXTS = new ConcurrentReferenceHashMap<>();

  /** The call this thread is in; null while the method itself runs. */
  private static final ThreadLocal<@Nullable CacheableCall> CURRENT = new ThreadLocal<>();

  /** The refetch this thread is in, also while the method itself runs. */
  private static final ThreadLocal<@Nullable Refetch> REFETCH = new ThreadLocal<>();

  private final MethodInterceptor caching;
  private final ProxyMethodInvocation invocation;
  private final @Nullable Refetch refetch;
  private final Thread thread = Thread.currentThread();

  /** The tags of what the method has returned. */
  private volatile Set<String> tags = Set.of();

  /** The entries that this call has missed, with their loads if it has begun any. */
  private final List<Missed> missed = new ArrayList<>();

  /** Those of {@link #missed} that outlive this call. */
  private final List<RunningLoad> kept = new ArrayList<>();

  private record Missed(RockpoolCache cache, Object key, @Nullable RunningLoad load) {}

  private CacheableCall(
      MethodInterceptor caching, ProxyMethodInvocation invocation, @Nullable Refetch refetch) {
    this.caching = caching;
    this.invocation = invocation;
    this.refetch = refetch;
  }

  private String[] tagTexts() {
    return tagTexts(invocation);
  }

  /**
   * Checks that what a method returns can have the tags that its annotation gives.
   *
   * @throws IllegalStateException if not
   */
  static void checkTags(MethodInvocation invocation) {
    String[] unused = tagTexts(invocation);
  }

  private static String[] tagTexts(MethodInvocation invocation) {
    Object target = invocation.getThis();
    Class<?> type = target == null ? null : target.getClass();
    Method method = invocation.getMethod();
    return TAG_TEXTS.computeIfAbsent(
        new MethodClassKey(method, type),
        absent -> tagTexts(AopUtils.getMostSpecificMethod(method, type)));
  }

  private static String[] tagTexts(Method method) {
    CacheTags there = AnnotatedElementUtils.findMergedAnnotation(method, CacheTags.class);
    if (there == null) {
      return NO_TAGS;
    }
    TagAnnotations.check(method, there);
    return there.value();
  }

  /** Whether what the method returns has tags. */
  boolean isTagged() {
    return tagTexts().length > 0;
  }

  /** The tags of what the method has returned. */
  Set<String> tags() {
    return tags;
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
      for (Missed each : missed) {
        RunningLoad load = each.load;
        if (load != null && !kept.contains(load)) {
          load.close();
        }
      }
      restore(CURRENT, outer);
    }
  }

  /** Notes an entry that this call has missed, without a load. */
  void noteMiss(RockpoolCache cache, Object key) {
    missed.add(new Missed(cache, key, null));
  }

  /** Begins the load of an entry that this call has missed; it ends with the call. */
  RunningLoad beginLoad(RockpoolCache cache, Object key, CacheAccess<Object, Object> access) {
    RunningLoad load = access.beginLoad(key, isTagged());
    missed.add(new Missed(cache, key, load));
    return load;
  }

  /**
   * Whether a stored value can be what the method returns. It cannot if the method's return type
   * was changed since, or if methods with other types share the entry.
   */
  boolean accepts(Object stored) {
    Class<?> type = getMethod().getReturnType();
    if (stored instanceof NullValue) {
      return !type.isPrimitive() || type == void.class;
    }
    return type == Optional.class // what is stored is its content
        || type == void.class
        || ClassUtils.resolvePrimitiveIfNecessary(type).isInstance(stored);
  }

  private @Nullable Missed missed(RockpoolCache cache, Object key) {
    for (Missed each : missed) {
      if (each.cache == cache && Objects.deepEquals(each.key, key)) {
        return each;
      }
    }
    return null;
  }

  /** Whether this call has looked for an entry that was not there. */
  boolean hasMissed(RockpoolCache cache, Object key) {
    return missed(cache, key) != null;
  }

  /** The load of an entry that this call has missed, or null. */
  @Nullable RunningLoad load(RockpoolCache cache, Object key) {
    Missed there = missed(cache, key);
    return there == null ? null : there.load;
  }

  /** As {@link #load}; it no longer ends with the call. */
  @Nullable RunningLoad keepLoad(RockpoolCache cache, Object key) {
    RunningLoad load = load(cache, key);
    if (load != null) {
      kept.add(load);
    }
    return load;
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
    CacheableCall[] made = new CacheableCall[1];
    ValueLoader<Object, @Nullable Object> loader =
        key -> {
          CacheableCall call = new CacheableCall(caching, copy, new Refetch(cache, key));
          made[0] = call;
          return again(cache, key, call);
        };
    return isTagged() ? new TaggedCall(loader, () -> made[0].tags()) : loader;
  }

  private static @Nullable Object again(RockpoolCache cache, Object key, CacheableCall call) {
    Refetch wanted = Objects.requireNonNull(call.refetch);
    Method method = call.getMethod();
    Refetch outer = REFETCH.get();
    REFETCH.set(wanted);
    try {
      call.make();
    } catch (Throwable e) {
      throw new Cache.ValueRetrievalException(key, method::toString, e);
    } finally {
      restore(REFETCH, outer);
    }
    if (!wanted.called || (wanted.stored == null && wanted.putElsewhere)) {
      throw new IllegalStateException(
          method
              + " was called again for the cache \""
              + cache.getName()
              + "\" and did not put the same key: another cache has a value for it, or its"
              + " arguments have changed.");
    }
    return wanted.stored;
  }

  /** A loader that calls a method, whose value has the tags of the call. */
  record TaggedCall(ValueLoader<Object, @Nullable Object> loader, Supplier<Set<String>> tags)
      implements TaggedLoader<Object, Object> {
    @Override
    public @Nullable Object load(Object key) throws Exception {
      return loader.load(key);
    }

    @Override
    public Set<String> tags(Object key, Object value) {
      return tags.get();
    }
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
      if (isTagged()) { // an error comes before what the method does
        Set<String> unused =
            TagExpressions.evaluateBefore(tagTexts(), getThis(), getMethod(), getArguments());
      }
      // Advice in the style of AspectJ asks for the call on its own thread.
      Object result =
          refetch == null && thread == Thread.currentThread()
              ? invocation.proceed()
              : ExposeInvocationInterceptor.INSTANCE.invoke(invocation);
      if (isTagged()) {
        tags = TagExpressions.evaluate(tagTexts(), getThis(), getMethod(), getArguments(), result);
      }
      return result;
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
