package io.rockpool.quarkus.internal;

import io.quarkus.cache.runtime.AbstractCache;
import io.rockpool.cache.PersistentCache;
import io.rockpool.quarkus.StoredCache;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A persistent cache, as Quarkus calls it. No event loop waits for the store, except in {@link
 * #get}, whose caller waits anyway.
 */
final class RockpoolBackend extends AbstractCache implements StoredCache {
  private final PersistentCache<Object, Object> cache;
  private final List<Class<?>> types;

  /**
   * Keys and values go to and from {@code cache}.
   *
   * @param types the classes that methods return; empty if there is no method
   */
  RockpoolBackend(PersistentCache<Object, Object> cache, List<Class<?>> types) {
    this.cache = cache;
    this.types = types;
  }

  @Override
  public String getName() {
    return cache.name();
  }

  @Override
  public PersistentCache<Object, Object> persistentCache() {
    return cache;
  }

  private static Object stored(Object key) {
    return CallKey.stored(Objects.requireNonNull(key, NULL_KEYS_NOT_SUPPORTED_MSG));
  }

  /** {@inheritDoc} Another thread's load is a stage: a caller with a lock timeout can leave it. */
  @Override
  public <K, V> Uni<V> get(K key, Function<K, V> loader) {
    Object stored = stored(key);
    return Uni.createFrom()
        .completionStage(
            () ->
                read(
                    stored,
                    () -> CompletableFuture.completedFuture(loader.apply(key)),
                    Runnable::run));
  }

  @Override
  public <K, V> Uni<V> getAsync(K key, Function<K, Uni<V>> loader) {
    Object stored = stored(key);
    return Uni.createFrom()
        .deferred(
            () -> {
              Executor back = threadsOf(Vertx.currentContext());
              Executor pool = Infrastructure.getDefaultWorkerPool();
              Uni<V> read =
                  Uni.createFrom()
                      .completionStage(() -> read(stored, () -> load(key, loader, back), pool));
              return (Context.isOnEventLoopThread() ? read.runSubscriptionOn(pool) : read)
                  .emitOn(back);
            });
  }

  /** Reads or loads. A value that an earlier version of the method left is a miss. */
  @SuppressWarnings("unchecked") // the type of the loader, as in Quarkus
  private <V> CompletionStage<V> read(
      Object key, Supplier<CompletableFuture<V>> loader, Executor executor) {
    return (CompletionStage<V>)
        cache
            .getAsync(key, missing -> loader.get(), executor)
            .thenCompose(
                value -> {
                  if (isResult(value)) {
                    return CompletableFuture.completedFuture(value);
                  }
                  cache.remove(key, value);
                  return cache.getAsync(key, missing -> loader.get(), executor);
                });
  }

  private boolean isResult(@Nullable Object value) {
    return value == null || types.isEmpty() || types.stream().anyMatch(it -> it.isInstance(value));
  }

  /** Calls a loader on a thread of its caller. */
  private static <K, V> CompletableFuture<V> load(K key, Function<K, Uni<V>> loader, Executor on) {
    CompletableFuture<V> loaded = new CompletableFuture<>();
    on.execute(
        () ->
            Uni.createFrom()
                .deferred(() -> loader.apply(key))
                .subscribe()
                .with(loaded::complete, loaded::completeExceptionally));
    return loaded;
  }

  @Override
  public Uni<Void> invalidate(Object key) {
    Object stored = stored(key);
    return change(() -> cache.invalidate(stored));
  }

  @Override
  public Uni<Void> invalidateAll() {
    return change(cache::clear);
  }

  @Override
  public Uni<Void> invalidateIf(Predicate<Object> predicate) {
    Object none = getDefaultKey();
    return change(
        () -> cache.asMap().keySet().removeIf(key -> predicate.test(CallKey.given(key, none))));
  }

  private static Uni<Void> change(Runnable change) {
    return Uni.createFrom()
        .deferred(
            () -> {
              Uni<Void> done =
                  Uni.createFrom()
                      .item(
                          () -> {
                            change.run();
                            return null;
                          });
              return Context.isOnEventLoopThread()
                  ? done.runSubscriptionOn(Infrastructure.getDefaultWorkerPool())
                      .emitOn(threadsOf(Vertx.currentContext()))
                  : done;
            });
  }

  /**
   * The threads of the caller's kind, with the same context: what is local to a request stays
   * visible. Without a context, the thread that calls this executor.
   */
  private static Executor threadsOf(@Nullable Context caller) {
    if (caller == null) {
      return Runnable::run;
    }
    boolean loop = Context.isOnEventLoopThread();
    return task -> {
      if (Vertx.currentContext() == caller && Context.isOnEventLoopThread() == loop) {
        task.run();
      } else if (loop) {
        caller.runOnContext(nothing -> task.run());
      } else {
        caller.executeBlocking(
            () -> {
              task.run();
              return null;
            },
            false);
      }
    };
  }
}
