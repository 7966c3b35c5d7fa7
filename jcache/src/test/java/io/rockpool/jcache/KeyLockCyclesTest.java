package io.rockpool.jcache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** User code under the lock of a key that asks for other keys: threads that wait for each other. */
class KeyLockCyclesTest extends JCacheTest {
  private static final int THREADS = 3;

  /** What the user code does under a key's lock. */
  @FunctionalInterface
  interface Nested {
    void run(String key);
  }

  private static volatile @Nullable Nested nested;
  private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

  private final CyclicBarrier all = new CyclicBarrier(THREADS);

  private static void call(String key) {
    Nested work = nested;
    if (work != null && !INSIDE.get()) {
      INSIDE.set(true);
      try {
        work.run(key);
      } finally {
        INSIDE.set(false);
      }
    }
  }

  /** Calls the nested work for each created and updated entry. */
  public static final class Listener
      implements CacheEntryCreatedListener<String, Integer>,
          CacheEntryUpdatedListener<String, Integer> {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      events.forEach(event -> call(event.getKey()));
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      onCreated(events);
    }
  }

  /** Calls the nested work for each entry that is written. */
  public static final class Writer implements CacheWriter<String, Integer> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends Integer> entry) {
      call(entry.getKey());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends Integer>> entries) {
      entries.forEach(this::write);
      entries.clear();
    }

    @Override
    public void delete(Object key) {}

    @Override
    public void deleteAll(Collection<?> keys) {}
  }

  private static MutableConfiguration<String, Integer> listening() {
    return new MutableConfiguration<String, Integer>()
        .setTypes(String.class, Integer.class)
        .addCacheEntryListenerConfiguration(
            new MutableCacheEntryListenerConfiguration<>(
                FactoryBuilder.factoryOf(Listener.class), null, true, true));
  }

  private List<Cache<String, Integer>> caches(MutableConfiguration<String, Integer> configuration) {
    CacheManager manager = manager();
    List<Cache<String, Integer>> caches = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      caches.add(manager.createCache("cache" + i, configuration));
    }
    return caches;
  }

  private void await() {
    try {
      all.await(30, SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static int number(String key) {
    return key.charAt(0) - '0';
  }

  /** The cache after that of a key, and the key there. */
  private static void putNext(List<Cache<String, Integer>> caches, String key, int value) {
    int next = (number(key) + 1) % THREADS;
    caches.get(next).put(next + "", value);
  }

  /**
   * Runs the call of each key on its own thread, with the nested work; some must be refused, so
   * that the others end.
   */
  private void assertRefused(
      int atMost, List<Cache<String, Integer>> caches, Nested inner, Nested outer)
      throws Exception {
    nested =
        key -> {
          await();
          inner.run(key);
        };
    List<FutureTask<Boolean>> calls = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      String key = i + "";
      FutureTask<Boolean> call = new FutureTask<>(() -> outer.run(key), true);
      calls.add(call);
      Thread thread = new Thread(call, "cycle-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    List<Throwable> failures = new ArrayList<>();
    for (FutureTask<Boolean> call : calls) {
      try {
        call.get(30, SECONDS);
      } catch (ExecutionException e) {
        failures.add(e);
      }
    }
    assertThat(failures).hasSizeBetween(1, atMost);
    assertThat(failures.get(0))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .rootCause()
        .hasMessageContaining("Deadlock")
        .hasMessageContainingAll("cache \"cache", "asynchronous listener");
    nested = null;
    FutureTask<Boolean> after =
        new FutureTask<>(
            () -> {
              for (Cache<String, Integer> cache : caches) {
                cache.putAll(Map.of("0", 5, "1", 5, "2", 5));
              }
            },
            true);
    new Thread(after).start();
    assertThat(after.get(30, SECONDS)).as("every lock is free").isTrue();
  }

  @Test
  void listenersThatChangeKeysInACircle() throws Exception {
    List<Cache<String, Integer>> caches = caches(listening());
    assertRefused(
        1, caches, key -> putNext(caches, key, 2), key -> caches.get(number(key)).put(key, 1));
  }

  @Test
  void writersThatChangeKeysInACircle() throws Exception {
    List<Cache<String, Integer>> caches =
        caches(
            new MutableConfiguration<String, Integer>()
                .setTypes(String.class, Integer.class)
                .setWriteThrough(true)
                .setCacheWriterFactory(FactoryBuilder.factoryOf(Writer.class)));
    assertRefused(
        1,
        caches,
        key -> putNext(caches, key, 2),
        key -> caches.get(number(key)).putAll(Map.of(key, 1)));
  }

  @Test
  void processorsThatChangeKeysInACircle() throws Exception {
    List<Cache<String, Integer>> caches = caches(listening());
    assertRefused(
        1,
        caches,
        key -> putNext(caches, key, 2),
        key ->
            caches
                .get(number(key))
                .invoke(
                    key,
                    (entry, arguments) -> {
                      call(entry.getKey());
                      INSIDE.set(true); // for the listeners
                      entry.setValue(3);
                      return null;
                    }));
  }

  @Test
  void bulkChangesInListeners() throws Exception {
    Cache<String, Integer> cache = caches(listening()).get(0);
    assertRefused(
        THREADS - 1,
        List.of(cache),
        key -> cache.putAll(Map.of("0", 2, "1", 2, "2", 2, "3", 2)),
        key -> cache.put(key, 1));
    assertThat(cache.getAll(Set.of("0", "1", "2"))).hasSize(3);
  }

  @Test
  void transactionsInListeners() throws Exception {
    Cache<String, Integer> cache = caches(listening()).get(0);
    Rockpool pool = cache.getCacheManager().unwrap(Rockpool.class);
    assertRefused(
        THREADS - 1,
        List.of(cache),
        key ->
            pool.atomically(
                tx -> {
                  cache.putAll(Map.of("0", 2, "1", 2, "2", 2));
                  return true;
                }),
        key -> cache.put(key, 1));
  }
}
