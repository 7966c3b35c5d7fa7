package io.rockpool.spring;

import io.rockpool.internal.access.CacheAccess;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.LoadStoring;
import io.rockpool.internal.access.LoadedValues;
import io.rockpool.internal.access.RunningLoad;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.cache.Cache;
import org.springframework.cache.support.NullValue;
import org.springframework.cache.transaction.TransactionAwareCacheDecorator;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** A call of a method with {@link CacheableAll}. Values are as they are stored: nulls, too. */
final class BulkCall {
  private final BulkMethod method;
  private final RockpoolCache cache;

  /** Whether what is loaded is stored after the commit of a transaction. */
  private final boolean waits;

  private final ProxyMethodInvocation invocation;
  private final @Nullable Object[] arguments;
  private final List<Object> elements;
  private final List<Object> keys = new ArrayList<>();

  /** The elements by their keys, each once. */
  private final Map<Object, Object> byKey = new LinkedHashMap<>();

  /** Values that are not to be stored, by their keys. */
  private final Map<Object, Object> unstored = new ConcurrentHashMap<>();

  BulkCall(
      BulkMethod method, List<Object> elements, Cache cache, ProxyMethodInvocation invocation) {
    this.method = method;
    this.cache = Objects.requireNonNull(rockpoolCache(cache));
    this.waits =
        cache instanceof TransactionAwareCacheDecorator
            && TransactionSynchronizationManager.isSynchronizationActive();
    // The caller may change its collection while the method runs.
    this.invocation = (ProxyMethodInvocation) invocation.invocableClone();
    this.arguments = method.with(invocation.getArguments(), elements);
    this.elements = elements;
    MethodBasedEvaluationContext context = context();
    for (Object element : elements) {
      Object key = method.key(context, arguments, element);
      keys.add(key);
      byKey.putIfAbsent(key, element);
    }
  }

  /** The cache, or the one that it decorates; null if that is another's. */
  static @Nullable RockpoolCache rockpoolCache(@Nullable Cache cache) {
    Cache target =
        cache instanceof TransactionAwareCacheDecorator waiting ? waiting.getTargetCache() : cache;
    return target instanceof RockpoolCache rockpool ? rockpool : null;
  }

  private MethodBasedEvaluationContext context() {
    return method.context(invocation.getThis(), arguments);
  }

  /** Whether the call is to be cached. */
  boolean isWanted() {
    return method.condition() == null
        || Boolean.TRUE.equals(method.condition().getValue(context(), Boolean.class));
  }

  /** Calls the method for all elements, without the cache. */
  @Nullable Object proceed() throws Throwable {
    return ((ProxyMethodInvocation) invocation.invocableClone(arguments)).proceed();
  }

  /** Makes the call; returns what the method would. */
  Object run() throws Throwable {
    return switch (method.completion()) {
      case NOW -> result(now());
      case FUTURE ->
          later(some -> ((CompletionStage<?>) returned(some)).toCompletableFuture())
              .thenApply(this::result);
      case MONO -> Publishers.mono(this);
      case FLUX -> Publishers.flux(this);
    };
  }

  private Object result(Map<Object, Object> stored) {
    return method.result(elements, keys, stored);
  }

  private Map<Object, Object> now() throws Throwable {
    Map<Object, Object> found = found();
    Set<Object> missed = missed(found);
    if (missed.isEmpty()) {
      return found;
    }
    try {
      if (waits) {
        found.putAll(loadedInTransaction(missed));
      } else {
        found.putAll(
            cache.use(
                there ->
                    there
                        .access()
                        .loadAll(
                            missed,
                            some -> storable(some, returnedNow(some)),
                            LoadStoring.plain(),
                            values())));
        found.putAll(unstored);
        Set<Object> unstoredElsewhere = missed(found);
        if (method.unless() != null && !unstoredElsewhere.isEmpty()) {
          found.putAll(loadedBeside(unstoredElsewhere));
        }
      }
    } catch (Failure e) {
      throw Objects.requireNonNull(e.getCause());
    }
    return found;
  }

  /** The entries there are. One that the method cannot return is removed. */
  private Map<Object, Object> found() {
    return cache.use(
        there -> {
          Map<Object, Object> found = new LinkedHashMap<>(there.cache().getAll(byKey.keySet()));
          found
              .entrySet()
              .removeIf(
                  entry -> !method.accepts(entry.getValue()) && discard(there.access(), entry));
          return found;
        });
  }

  private boolean discard(CacheAccess<Object, Object> access, Map.Entry<Object, Object> entry) {
    access.decide(
        entry.getKey(),
        now ->
            now == null || method.accepts(now)
                ? Decision.keep()
                : Decision.<Object>remove().unwritten());
    return true;
  }

  private Set<Object> missed(Map<Object, Object> found) {
    Map<Object, Object> missed = new LinkedHashMap<>(byKey);
    missed.keySet().removeAll(found.keySet());
    return missed.keySet();
  }

  /** What the method has thrown, through what passes on only some exceptions. */
  private static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Failure(Throwable cause) {
      super(cause);
    }
  }

  private Map<Object, Object> elements(Collection<Object> some) {
    Map<Object, Object> wanted = new LinkedHashMap<>(byKey);
    wanted.keySet().retainAll(some);
    return wanted;
  }

  /** Calls the method for the elements of some keys. */
  private Object returned(Collection<Object> some) throws Throwable {
    ProxyMethodInvocation copy =
        (ProxyMethodInvocation)
            invocation.invocableClone(method.with(arguments, elements(some).values()));
    return Objects.requireNonNull(
        copy.proceed(), () -> method.method() + " returned null; return an empty collection.");
  }

  private Object returnedNow(Collection<Object> some) {
    try {
      return returned(some);
    } catch (Throwable e) {
      throw new Failure(e);
    }
  }

  /** What is to be stored of what the method has returned for some keys. */
  private Map<Object, Object> storable(Collection<Object> some, @Nullable Object returned) {
    MethodBasedEvaluationContext context = context();
    Map<Object, Object> wanted = elements(some);
    Map<Object, Object> values;
    try {
      values = method.values(context, wanted, returned);
    } catch (RuntimeException e) {
      throw new Failure(e);
    }
    Map<Object, Object> storable = new LinkedHashMap<>();
    wanted.forEach(
        (key, element) -> {
          Object value = values.get(key);
          Object stored = cache.toStoreValue(value);
          if (isUnstored(context, element, value)) {
            unstored.put(key, stored);
          } else {
            storable.put(key, stored);
          }
        });
    return storable;
  }

  private boolean isUnstored(
      MethodBasedEvaluationContext context, Object element, @Nullable Object value) {
    if (method.unless() == null) {
      return false;
    }
    context.setVariable("element", element);
    context.setVariable("result", value);
    return Boolean.TRUE.equals(method.unless().getValue(context, Boolean.class));
  }

  private LoadedValues<Object, Object> values() {
    return new LoadedValues<>(
        method.tags().isEmpty() ? null : this::tags,
        method.ttl() == null && method.nullTtl() == null
            ? null
            : (key, stored) -> method.ttlOf(stored));
  }

  private Set<String> tags(Object key, Object stored) {
    return TagExpressions.evaluate(
        method.tags().toArray(String[]::new),
        invocation.getThis(),
        method.method(),
        arguments,
        stored instanceof NullValue ? null : stored,
        byKey.get(key));
  }

  /** Values of keys that another call has loaded and not stored: they are loaded for this one. */
  private Map<Object, Object> loadedBeside(Set<Object> some) {
    return cache.use(
        there ->
            there
                .access()
                .pendingOrLoaded(
                    some,
                    absent -> {
                      Map<Object, Object> loaded = storable(absent, returnedNow(absent));
                      loaded.putAll(unstored);
                      return loaded;
                    }));
  }

  /** Loads keys; stores the values after the commit, unless the keys are put or evicted before. */
  private Map<Object, Object> loadedInTransaction(Set<Object> missed) {
    return cache.use(
        there -> {
          Map<Object, RunningLoad> loads = new LinkedHashMap<>();
          missed.forEach(
              key -> loads.put(key, there.access().beginLoad(key, !method.tags().isEmpty())));
          Map<Object, Object> storable = new LinkedHashMap<>();
          TransactionAwareRockpoolCache.afterCommit(
              () ->
                  storable.forEach(
                      (key, stored) ->
                          store(
                              there.access(), key, stored, Objects.requireNonNull(loads.get(key)))),
              () -> loads.values().forEach(RunningLoad::close));
          Map<Object, Object> loaded =
              new LinkedHashMap<>(
                  there
                      .access()
                      .pendingOrLoaded(
                          missed,
                          absent -> {
                            storable.putAll(storable(absent, returnedNow(absent)));
                            return storable;
                          }));
          loaded.putAll(unstored);
          return loaded;
        });
  }

  private void store(
      CacheAccess<Object, Object> access, Object key, Object stored, RunningLoad load) {
    var ttl = method.ttlOf(stored);
    Decision<Object> put = ttl == null ? Decision.put(stored) : Decision.put(stored, ttl);
    access.decide(
        key,
        there ->
            put.unlessSuperseded(load)
                .tagged(method.tags().isEmpty() ? Set.of() : tags(key, stored)));
  }

  /** Calls the method for the elements of some keys; its values are there later. */
  private interface Later {
    CompletableFuture<?> returned(Collection<Object> some) throws Throwable;
  }

  /** As {@link #now}, without a thread that waits. */
  private CompletableFuture<Map<Object, Object>> later(Later call) {
    return CompletableFuture.supplyAsync(this::found, cache.executor())
        .thenCompose(
            found -> {
              Set<Object> missed = missed(found);
              return missed.isEmpty()
                  ? CompletableFuture.completedFuture(found)
                  : new AsyncLoads(call)
                      .load(missed)
                      .thenApply(
                          loaded -> {
                            found.putAll(loaded);
                            // Those of an earlier subscription may be stored by now.
                            unstored.forEach(found::putIfAbsent);
                            return found;
                          });
            });
  }

  /** The loads of one call: those that no other call runs, by one call of the method. */
  private final class AsyncLoads {
    private final Later call;

    /** The loads that the method is about to be called for; null once it was. */
    private @Nullable Map<Object, CompletableFuture<@Nullable Object>> waiting =
        new LinkedHashMap<>();

    AsyncLoads(Later call) {
      this.call = call;
    }

    CompletableFuture<Map<Object, Object>> load(Set<Object> missed) {
      Map<Object, CompletableFuture<@Nullable Object>> loads = new LinkedHashMap<>();
      try {
        missed.forEach(
            key ->
                loads.put(
                    key,
                    cache.use(
                        there ->
                            there
                                .access()
                                .loadAsync(key, this::loader, cache.executor(), values()))));
      } catch (RuntimeException | Error e) { // other calls may wait for what was begun
        takeWaiting().forEach((key, load) -> load.completeExceptionally(e));
        throw e;
      }
      run(takeWaiting());
      return CompletableFuture.allOf(loads.values().toArray(CompletableFuture<?>[]::new))
          .thenApply(
              done -> {
                Map<Object, Object> loaded = new LinkedHashMap<>();
                loads.forEach(
                    (key, load) -> {
                      Object value = load.join();
                      if (value != null) {
                        loaded.put(key, value);
                      }
                    });
                return loaded;
              });
    }

    private synchronized Map<Object, CompletableFuture<@Nullable Object>> takeWaiting() {
      Map<Object, CompletableFuture<@Nullable Object>> taken = Objects.requireNonNull(waiting);
      waiting = null;
      return taken;
    }

    private CompletableFuture<@Nullable Object> loader(Object key) {
      CompletableFuture<@Nullable Object> load = new CompletableFuture<>();
      synchronized (this) {
        if (waiting != null) {
          waiting.put(key, load);
          return load;
        }
      }
      run(Map.of(key, load)); // another call's value was not good enough
      return load;
    }

    private void run(Map<Object, CompletableFuture<@Nullable Object>> loads) {
      if (loads.isEmpty()) {
        return;
      }
      CompletableFuture<?> returned;
      try {
        returned = call.returned(loads.keySet());
      } catch (Throwable e) {
        returned = CompletableFuture.failedFuture(e);
      }
      CompletableFuture<?> unused =
          returned
              .thenApply(there -> storable(loads.keySet(), there))
              .whenComplete(
                  (storable, error) ->
                      loads.forEach(
                          (key, load) -> {
                            if (error == null) {
                              load.complete(storable.get(key));
                            } else {
                              load.completeExceptionally(cause(error));
                            }
                          }));
    }
  }

  private static Throwable cause(Throwable error) {
    Throwable cause = error.getCause();
    return cause != null && (error instanceof CompletionException || error instanceof Failure)
        ? cause(cause)
        : error;
  }

  /** Apart, because its classes may be absent. */
  private static final class Publishers {
    static Mono<Object> mono(BulkCall call) {
      return values(call, Mono::from).map(call::result);
    }

    static Flux<Object> flux(BulkCall call) {
      return values(call, some -> Flux.from(some).collectList())
          .flatMapIterable(stored -> (List<?>) call.result(stored));
    }

    private static Mono<Map<Object, Object>> values(
        BulkCall call, Function<Publisher<?>, Mono<?>> collected) {
      return Mono.deferContextual(
          context ->
              Mono.fromFuture(() -> call.later(some -> future(call, some, collected, context))));
    }

    private static CompletableFuture<?> future(
        BulkCall call,
        Collection<Object> some,
        Function<Publisher<?>, Mono<?>> collected,
        ContextView context)
        throws Throwable {
      return collected.apply((Publisher<?>) call.returned(some)).contextWrite(context).toFuture();
    }
  }
}
