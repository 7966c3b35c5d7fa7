package io.rockpool.micronaut;

import io.micronaut.cache.SyncCache;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.type.Argument;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.StoreClosedException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A persistent cache, as Micronaut calls it. */
final class StoredSyncCache implements SyncCache<PersistentCache<Object, Object>> {
  private final Supplier<PersistentCache<Object, Object>> open;
  private volatile PersistentCache<Object, Object> cache;
  private final ConversionService conversions;
  private final ExecutorService threads;

  /**
   * A cache.
   *
   * @param open opens it, also again after its name was dropped
   */
  StoredSyncCache(
      Supplier<PersistentCache<Object, Object>> open,
      ConversionService conversions,
      ExecutorService threads) {
    this.open = open;
    this.cache = open.get();
    this.conversions = conversions;
    this.threads = threads;
  }

  /**
   * Runs an operation; once more on the cache that was opened again if the name was dropped, as
   * Micronaut keeps this object.
   */
  private <R extends @Nullable Object> R use(
      Function<PersistentCache<Object, Object>, R> operation) {
    PersistentCache<Object, Object> there = cache;
    if (!there.isClosed()) {
      try {
        return operation.apply(there);
      } catch (StoreClosedException e) {
        if (!there.isClosed()) { // of a method that met another name
          throw e;
        }
      }
    }
    PersistentCache<Object, Object> again = open.get();
    cache = again;
    return operation.apply(again);
  }

  private void run(Consumer<PersistentCache<Object, Object>> operation) {
    this.<@Nullable Void>use(
        there -> {
          operation.accept(there);
          return null;
        });
  }

  @Override
  public String getName() {
    return cache.name();
  }

  @Override
  public PersistentCache<Object, Object> getNativeCache() {
    return cache;
  }

  /** The threads of the asynchronous form. */
  @Override
  public ExecutorService getExecutorService() {
    return threads;
  }

  @Override
  public <T> Optional<T> get(Object key, Argument<T> type) {
    return as(type, this.<@Nullable Object>use(there -> there.get(key)));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Threads that ask for a missing key at the same time share one call of the supplier.
   */
  @Override
  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // Micronaut's null; the supplier's type is Micronaut's
  public <T> T get(Object key, Argument<T> type, Supplier<T> supplier) {
    boolean[] loaded = {false};
    Object value =
        use(
            there ->
                there.get(
                    key,
                    missing -> {
                      loaded[0] = true;
                      return supplier.get();
                    }));
    if (loaded[0]) {
      return (T) value; // unwrapped if the method returns an Optional, as Micronaut expects it
    }
    if (value == null) { // of another thread's call
      return type.isOptional() ? (T) Optional.empty() : null;
    }
    return as(type, value).orElseGet(() -> replaced(key, supplier));
  }

  /** What a method returned in place of a value of another type. */
  private <T> T replaced(Object key, Supplier<T> supplier) {
    T value = supplier.get();
    if (value != null) {
      put(key, value);
    }
    return value;
  }

  @SuppressWarnings("unchecked") // a type of the value, or converted
  private <T> Optional<T> as(Argument<T> type, @Nullable Object value) {
    if (value == null) {
      return Optional.empty();
    }
    return type.isInstance(value) ? Optional.of((T) value) : conversions.convert(value, type);
  }

  @Override
  @SuppressWarnings("unchecked") // as Micronaut declares it
  public <T> Optional<T> putIfAbsent(Object key, T value) {
    return Optional.ofNullable(
        (T) this.<@Nullable Object>use(there -> there.putIfAbsent(key, value)));
  }

  @Override
  public void put(Object key, @Nullable Object value) {
    if (value == null) {
      invalidate(key);
    } else {
      run(there -> there.put(key, value));
    }
  }

  @Override
  public void invalidate(Object key) {
    run(there -> there.invalidate(key));
  }

  @Override
  public void invalidateAll() {
    run(PersistentCache::clear);
  }
}
