package io.rockpool.jcache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * User code under the lock of a key that waits for a load, whose loader waits for that lock: one of
 * the two threads is refused.
 */
class LoadLockCyclesTest extends JCacheTest {
  private static final String LOCKED = "locked";
  private static final String LOADED = "loaded";

  /** Does something under the lock of a key. */
  private static volatile Runnable underLock = () -> {};

  /** Does something in the loader. */
  private static volatile Runnable inLoader = () -> {};

  private final CountDownLatch holdsLock = new CountDownLatch(1);
  private final CountDownLatch loads = new CountDownLatch(1);
  private Cache<String, Integer> watched;
  private Cache<String, Integer> loading;

  /** Does the work for the one key. */
  public static final class Listener implements CacheEntryCreatedListener<String, Integer> {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      events.forEach(event -> act(event.getKey()));
    }
  }

  /** Does the work for the one key. */
  public static final class Writer implements CacheWriter<String, Integer> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends Integer> entry) {
      act(entry.getKey());
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

  /** Loads 7 for each key. */
  public static final class Loader implements CacheLoader<String, Integer> {
    @Override
    public Integer load(String key) {
      inLoader.run();
      return 7;
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      inLoader.run();
      return Map.of(LOADED, 7);
    }
  }

  private static void act(@Nullable String key) {
    if (LOCKED.equals(key)) {
      underLock.run();
    }
  }

  private static MutableConfiguration<String, Integer> configuration() {
    return new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class);
  }

  private static MutableConfiguration<String, Integer> listening() {
    return configuration()
        .addCacheEntryListenerConfiguration(
            new MutableCacheEntryListenerConfiguration<>(
                FactoryBuilder.factoryOf(Listener.class), null, true, true));
  }

  @BeforeEach
  void meet() {
    underLock =
        () -> {
          if (holdsLock.getCount() == 0) {
            return; // the loader's own change
          }
          holdsLock.countDown();
          await(loads);
          loading.getAll(Set.of(LOADED));
        };
    inLoader =
        () -> {
          loads.countDown();
          await(holdsLock);
          watched.put(LOCKED, 2);
        };
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void open(MutableConfiguration<String, Integer> configuration) {
    CacheManager manager = manager();
    watched = manager.createCache("watched", configuration);
    loading =
        manager.createCache(
            "loading",
            configuration()
                .setReadThrough(true)
                .setCacheLoaderFactory(FactoryBuilder.factoryOf(Loader.class)));
  }

  private static <T> FutureTask<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "a test's");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  /** Both threads must end, one of them with an exception, and leave nothing locked or loading. */
  private void assertRefused(Runnable locks, Callable<?> load) throws Exception {
    FutureTask<?> one = start(load);
    await(loads);
    FutureTask<?> other =
        start(
            () -> {
              locks.run();
              return null;
            });
    int refused = 0;
    for (FutureTask<?> each : new FutureTask<?>[] {one, other}) {
      try {
        each.get(20, SECONDS);
      } catch (ExecutionException e) {
        assertThat(e)
            .rootCause()
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContainingAll("Deadlock", "key of cache \"watched\"", "load");
        refused++;
      }
    }
    assertThat(refused).isPositive();
    underLock = () -> {};
    inLoader = () -> {};
    FutureTask<Integer> after =
        start(
            () -> {
              watched.put(LOCKED, 5);
              return loading.get(LOADED);
            });
    assertThat(after.get(20, SECONDS)).isEqualTo(7);
  }

  @Test
  void aListenerThatWaitsForALoad() throws Exception {
    open(listening());
    assertRefused(() -> watched.put(LOCKED, 1), () -> loading.get(LOADED));
  }

  @Test
  void aWriterThatWaitsForALoadOfMany() throws Exception {
    open(
        configuration()
            .setWriteThrough(true)
            .setCacheWriterFactory(FactoryBuilder.factoryOf(Writer.class)));
    assertRefused(
        () -> watched.putAll(Map.of(LOCKED, 1)), () -> loading.getAll(Set.of(LOADED, "other")));
  }

  @Test
  void aProcessorThatWaitsForALoad() throws Exception {
    open(listening());
    assertRefused(
        () ->
            watched.invoke(
                LOCKED,
                (entry, arguments) -> {
                  act(entry.getKey());
                  return null;
                }),
        () -> loading.get(LOADED));
  }

  @Test
  void aLoaderThatIsTheLastToWait() throws Exception {
    open(listening());
    CountDownLatch waits = new CountDownLatch(1);
    Thread[] holder = new Thread[1];
    Runnable meeting = underLock;
    underLock =
        () -> {
          if (waits.getCount() > 0) {
            holder[0] = Thread.currentThread();
            waits.countDown();
          }
          meeting.run();
        };
    inLoader =
        () -> {
          loads.countDown();
          await(waits);
          while (holder[0].getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
          }
          watched.put(LOCKED, 2);
        };
    assertRefused(() -> watched.put(LOCKED, 1), () -> loading.get(LOADED));
  }
}
