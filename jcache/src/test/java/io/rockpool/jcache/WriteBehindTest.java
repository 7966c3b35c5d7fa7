package io.rockpool.jcache;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.testing.Seeds;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.Factory;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CompletionListenerFuture;
import javax.management.JMX;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A cache that writes behind is the same as one that writes through, once it is flushed. */
@Timeout(60)
class WriteBehindTest extends JCacheTest {
  private static final int KEYS = 6;
  private static final int STEPS = 400;
  private static final WriteBehindOptions OPTIONS =
      WriteBehindOptions.defaults()
          .delay(ofMillis(1))
          .backoff(ofMillis(1), ofMillis(5))
          .closeTimeout(ofSeconds(20));

  /** A target of the class that a configuration file names. */
  private static final Target FILED = new Target();

  /** A writer to a map and a loader from it. It writes a part and fails, if a test wants that. */
  static final class Target
      implements CacheWriter<Object, Object>, CacheLoader<Object, Object>, AutoCloseable {
    final Map<Object, Object> rows = new ConcurrentHashMap<>();
    final Map<Object, Integer> writes = new ConcurrentHashMap<>();
    volatile Object failing = "";
    volatile Runnable beforeWrite = () -> {};
    volatile boolean closed;

    private void check(Object key) {
      if (key.equals(failing) || closed) {
        throw new IllegalStateException("refused");
      }
      writes.merge(key, 1, Integer::sum);
    }

    @Override
    public void write(Cache.Entry<? extends Object, ? extends Object> entry) {
      check(entry.getKey());
      rows.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends Object, ? extends Object>> entries) {
      beforeWrite.run();
      for (Iterator<Cache.Entry<? extends Object, ? extends Object>> left = entries.iterator();
          left.hasNext(); ) {
        write(left.next());
        left.remove();
      }
    }

    @Override
    public void delete(Object key) {
      check(key);
      rows.remove(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      for (Iterator<?> left = keys.iterator(); left.hasNext(); ) {
        delete(left.next());
        left.remove();
      }
    }

    @Override
    public Object load(Object key) {
      return rows.get(key);
    }

    @Override
    public Map<Object, Object> loadAll(Iterable<?> keys) {
      Map<Object, Object> loaded = new HashMap<>();
      for (Object key : keys) {
        if (rows.containsKey(key)) {
          loaded.put(key, rows.get(key));
        }
      }
      return loaded;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** The factory of the target that a configuration file names. */
  public static final class Filed implements Factory<Target> {
    private static final long serialVersionUID = 1L;

    @Override
    public Target create() {
      FILED.closed = false;
      return FILED;
    }
  }

  private static RockpoolConfiguration<Object, Object> configuration(Target target) {
    return RockpoolConfiguration.of(Object.class, Object.class)
        .writer(() -> target)
        .writeThrough(true)
        .loader(() -> target)
        .readThrough(true);
  }

  private static PersistentCache<?, ?> kernel(Cache<?, ?> cache) {
    return cache.unwrap(PersistentCache.class);
  }

  static LongStream seeds() {
    return Seeds.all();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void isLikeWriteThrough(long seed) throws Exception {
    Random random = new Random(seed);
    Target throughTarget = new Target();
    Target behindTarget = new Target();
    CacheManager manager = manager();
    Cache<Object, Object> through = manager.createCache("through", configuration(throughTarget));
    Cache<Object, Object> behind =
        manager.createCache("behind", configuration(behindTarget).writeBehind(OPTIONS));
    for (int step = 0; step < STEPS; step++) {
      long stepSeed = random.nextLong();
      Object one = change(through, new Random(stepSeed), "v" + step);
      Object other = change(behind, new Random(stepSeed), "v" + step);
      assertThat(other).as("step %s of seed %s", step, seed).isEqualTo(one);
      if (random.nextInt(20) == 0) {
        assertThat(kernel(behind).writeBehind().flush(ofSeconds(20))).isTrue();
        assertThat(behindTarget.rows)
            .as("step %s of seed %s", step, seed)
            .isEqualTo(throughTarget.rows);
      }
    }
    behind.close();
    assertThat(behindTarget.rows).isEqualTo(throughTarget.rows);
    assertThat(behindTarget.closed).isTrue();
  }

  private static Object change(Cache<Object, Object> cache, Random random, String value)
      throws Exception {
    String key = "k" + random.nextInt(KEYS);
    String other = "k" + random.nextInt(KEYS);
    switch (random.nextInt(20)) {
      case 0, 1 -> cache.put(key, value);
      case 2 -> {
        return cache.getAndPut(key, value);
      }
      case 3 -> {
        return cache.putIfAbsent(key, value);
      }
      case 4 -> {
        return cache.remove(key);
      }
      case 5 -> {
        return cache.getAndRemove(key);
      }
      case 6 -> {
        Object there = cache.get(key);
        return there != null && cache.remove(key, there);
      }
      case 7 -> {
        return cache.remove(key, "none");
      }
      case 8 -> {
        return cache.replace(key, value);
      }
      case 9 -> {
        return cache.getAndReplace(key, value);
      }
      case 10 -> cache.putAll(Map.of(key, value, other + "x", value));
      case 11 -> cache.removeAll(Set.of(key, "k0x"));
      case 12 -> {
        if (random.nextInt(4) == 0) {
          cache.removeAll();
        }
      }
      case 13 -> cache.clear();
      case 14 -> {
        return cache.invoke(
            key,
            (entry, arguments) -> {
              Object before = entry.getValue();
              entry.setValue(value);
              return "" + before;
            });
      }
      case 15 -> {
        return cache.invoke(
            key,
            (entry, arguments) -> {
              entry.remove();
              return entry.exists();
            });
      }
      case 16 -> {
        return cache.invoke(key, (entry, arguments) -> "" + entry.getValue());
      }
      case 17 -> {
        CompletionListenerFuture done = new CompletionListenerFuture();
        cache.loadAll(Set.copyOf(List.of(key, other)), random.nextBoolean(), done);
        done.get();
      }
      case 18 -> {
        return cache.getAll(Set.copyOf(List.of(key, other)));
      }
      default -> {}
    }
    return "" + cache.get(key) + cache.containsKey(other);
  }

  @Test
  void onlyWhatIsLeftIsTriedAgain() throws Exception {
    Target target = new Target();
    Cache<Object, Object> cache =
        manager()
            .createCache(
                "c",
                configuration(target)
                    .writeBehind(OPTIONS.delay(ofMillis(200)).maximumAttempts(1_000_000)));
    target.failing = "b";
    cache.putAll(Map.of("a", 1, "b", 2, "c", 3));
    cache.remove("d");
    assertThat(kernel(cache).writeBehind().flush(ofMillis(500))).isFalse();
    target.failing = "";
    assertThat(kernel(cache).writeBehind().flush(ofSeconds(20))).isTrue();
    assertThat(target.rows).isEqualTo(Map.of("a", 1, "b", 2, "c", 3));
    assertThat(target.writes).isEqualTo(Map.of("a", 1, "b", 1, "c", 1, "d", 1));
  }

  @Test
  void aWriterMayUseItsCacheWhileTheManagerIsClosed() {
    Target target = new Target();
    CacheManager manager = manager();
    Cache<Object, Object> cache =
        manager.createCache(
            "c",
            configuration(target).writeBehind(OPTIONS.delay(ofSeconds(60)).maximumAttempts(1)));
    target.beforeWrite = () -> assertThat(cache.get("a")).isEqualTo(1);
    cache.put("a", 1);
    manager.close();
    assertThat(target.rows).isEqualTo(Map.of("a", 1));
  }

  @Test
  void needsAWriterAndWriteThrough() {
    RockpoolConfiguration<Object, Object> behind =
        RockpoolConfiguration.of(Object.class, Object.class).writeBehind(OPTIONS);
    assertThatThrownBy(() -> manager().createCache("c", behind))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("no writer");
    Target target = new Target();
    Cache<Object, Object> off =
        manager().createCache("c", behind.writer(() -> target).writeThrough(false));
    off.put("a", 1);
    assertThat(kernel(off).writeBehind().pending()).isZero();
    assertThat(target.rows).isEmpty();
  }

  @Test
  void joinsTransactions() throws Exception {
    Target target = new Target();
    CacheManager manager = manager();
    Cache<Object, Object> cache =
        manager.createCache("c", configuration(target).writeBehind(OPTIONS));
    Rockpool pool = manager.unwrap(Rockpool.class);
    assertThatThrownBy(
            () ->
                pool.atomically(
                    transaction -> {
                      cache.put("a", 1);
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    pool.atomically(
        transaction -> {
          cache.put("b", 1);
          cache.putAll(Map.of("c", 1, "d", 1));
          cache.remove("c");
          return 0;
        });
    assertThat(kernel(cache).writeBehind().flush(ofSeconds(20))).isTrue();
    assertThat(target.rows).isEqualTo(Map.of("b", 1, "d", 1));
  }

  @Test
  void aBeanShowsIt() throws Exception {
    Target target = new Target();
    target.failing = "a";
    Cache<Object, Object> cache =
        manager()
            .createCache(
                "c",
                configuration(target)
                    .writeBehind(OPTIONS.maximumAttempts(1).closeTimeout(ofMillis(1)))
                    .statistics(true));
    RockpoolStatisticsMXBean bean =
        JMX.newMXBeanProxy(
            ManagementFactory.getPlatformMBeanServer(),
            new ObjectName(
                "javax.cache:type=CacheStatistics,CacheManager="
                    + uri().toString().replace(':', '.')
                    + ",Cache=c"),
            RockpoolStatisticsMXBean.class);
    cache.put("a", 1);
    while (bean.getDeadLetters() == 0) {
      Thread.sleep(1);
    }
    assertThat(bean.getPendingWrites()).isZero();
    assertThat(bean.getPendingBytes()).isPositive();
    assertThat(bean.getWriteFailures()).isEqualTo(1);
    cache.put("b", 2);
    assertThat(kernel(cache).writeBehind().flush(ofSeconds(20))).isFalse(); // "a" was given up
    assertThat(bean.getWritten()).isEqualTo(1);
    assertThat(bean.getOldestPendingMillis()).isZero();
    bean.clear();
    assertThat(bean.getWritten()).isZero();
    assertThat(bean.getDeadLetters()).isEqualTo(1);
  }

  @Test
  @SuppressWarnings("unchecked") // the specification's method takes a raw class
  void aFileSetsIt() throws Exception {
    FILED.rows.clear();
    String lines =
        "caches { c { writer-factory = \""
            + Filed.class.getName()
            + "\"\n write-behind { batch-size = 7, delay = 1h, when-full = write_through } } }";
    try (CacheManager manager = manager(lines)) {
      Cache<Object, Object> cache = manager.getCache("c");
      RockpoolConfiguration<?, ?> configuration =
          cache.getConfiguration(RockpoolConfiguration.class);
      assertThat(configuration.isWriteThrough()).isTrue();
      assertThat(configuration.writeBehind())
          .contains(
              WriteBehindOptions.defaults()
                  .batchSize(7)
                  .delay(java.time.Duration.ofHours(1))
                  .whenFull(WriteBehindOptions.WhenFull.WRITE_THROUGH));
      cache.put("a", 1);
      assertThat(FILED.rows).isEmpty();
      assertThat(kernel(cache).writeBehind().pending()).isEqualTo(1);
    }
    assertThat(FILED.rows).isEqualTo(Map.of("a", 1)); // closing writes what is pending
    assertThatThrownBy(() -> manager("caches { c { write-behind { batch-size = 0 } } }"))
        .hasMessageContaining("batch-size");
    assertThatThrownBy(() -> manager("caches { c { write-behind { batch = 1 } } }"))
        .hasMessageContaining("batch-size");
    assertThatThrownBy(() -> manager("caches { c { write-behind { } } }"))
        .hasMessageContaining("writer-factory");
  }
}
