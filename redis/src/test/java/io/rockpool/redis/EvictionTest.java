package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.StoreClosedException;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Caches go on, empty, when the server evicts or removes anything, the names included. */
@Slow
@Timeout(90)
@Needs(Tool.REDIS)
final class EvictionTest {
  private static final String NAME = "shop/cache";
  private static final String NAMES_KEY = "rockpool:{names}";
  private static final String KEY = "k";

  private RedisServer server;
  private Rockpool mine;
  private Rockpool theirs;

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start();
    mine = pool();
    theirs = pool();
  }

  @AfterEach
  void close() {
    if (mine != null) {
      mine.close();
      theirs.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private Rockpool pool() {
    return Rockpool.open(server.uri("?timeout=10s"));
  }

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache(NAME, String.class, Long.class);
  }

  /** What {@code get} returns, or -1 if the cache has ended. */
  private static Long getOrEnd(PersistentCache<String, Long> cache) {
    try {
      return cache.get(KEY);
    } catch (StoreClosedException e) {
      return -1L;
    }
  }

  private static void assertGoesOn(
      PersistentCache<String, Long> one, PersistentCache<String, Long> other, long value) {
    Failover.await(
        () -> {
          one.put(KEY, value); // again: the last process that puts the name back empties the cache
          return Long.valueOf(value).equals(other.get(KEY));
        });
  }

  private void loseNames() {
    assertThat(server.command("DEL", NAMES_KEY)).isEqualTo("1");
  }

  @Test
  void cachesGoOnEmptyOnAnEmptiedServer() {
    PersistentCache<String, Long> one = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    for (long i = 0; i < 20; i++) {
      assertGoesOn(one, other, i);
      server.empty();
      Failover.await(() -> other.get(KEY) == null && one.get(KEY) == null);
      // Again: the last process that puts the name back empties the cache.
      Failover.await(() -> one.putIfAbsent(KEY, -1L) == null && one.remove(KEY, -1L));
    }
    Failover.await(() -> server.command("HEXISTS", NAMES_KEY, NAME).equals("1"));
  }

  @Test
  void cachesGoOnEmptyAfterARestartOfTheServer() throws Exception {
    PersistentCache<String, Long> one = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    one.put(KEY, 1L);
    server.kill();
    server.restart();
    Failover.await(() -> other.get(KEY) == null && one.get(KEY) == null);
    assertGoesOn(one, other, 2);
  }

  @Test
  void lostNamesComeBackEmpty() {
    PersistentCache<String, Long> one = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    one.put(KEY, 1L);
    assertThat(other.get(KEY)).isEqualTo(1);
    loseNames();
    // As after a drop that no process has seen before the names were lost.
    Failover.await(() -> getOrEnd(other) == null && getOrEnd(one) == null);
    assertGoesOn(one, other, 2);
    Failover.await(() -> server.command("HLEN", NAMES_KEY).equals("2")); // and the era
  }

  @Test
  void aDropStillEndsTheCachesOfOthers() {
    PersistentCache<String, Long> one = cache(mine);
    cache(theirs);
    loseNames();
    Failover.await(() -> server.command("HLEN", NAMES_KEY).equals("2"));
    assertThat(theirs.names().drop(NAME)).isTrue();
    Failover.await(() -> Long.valueOf(-1).equals(getOrEnd(one)));
    assertThat(cache(mine).get(KEY)).isNull();
    assertThat(mine.names().drop(NAME)).isTrue();
    assertThat(server.command("HEXISTS", NAMES_KEY, NAME)).isEqualTo("0");
  }

  @Test
  void aDropInTheMomentOfTheLossRemovesTheName() {
    for (int i = 0; i < 20; i++) {
      PersistentCache<String, Long> one = cache(mine);
      assertThat(one.get(KEY)).isNull();
      one.put(KEY, 1L);
      loseNames();
      assertThat(mine.names().drop(NAME)).isTrue();
      assertThatThrownBy(() -> one.get(KEY)).isInstanceOf(StoreClosedException.class);
    }
  }

  /** A third process that creates the name before the others put it back. */
  @Test
  void aNameThatIsCreatedAnewKeepsNoOlderValue() throws Exception {
    PersistentCache<String, Long> one = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    for (int round = 0; round < Rounds.of(10, 100); round++) {
      AtomicInteger wrong = new AtomicInteger();
      CountDownLatch lost = new CountDownLatch(1);
      long base = round * 10_000L;
      Threads.run(
          3,
          thread -> {
            if (thread == 2) {
              try (Rockpool third = pool()) {
                Threads.await(lost);
                loseNames();
                cache(third).put("third", base);
              }
              return;
            }
            PersistentCache<String, Long> cache = thread == 0 ? one : other;
            lost.countDown();
            for (long value = base; value < base + 300; value++) {
              cache.put(KEY + thread, value);
              Long read = cache.get(KEY + thread);
              if (read != null && read != value) {
                wrong.incrementAndGet();
              }
            }
          });
      assertThat(wrong).hasValue(0);
      Failover.await(
          () -> {
            one.put(KEY, base); // again: the last process that continues empties the cache
            return Long.valueOf(base).equals(other.get(KEY));
          });
    }
  }

  /** Two processes, plain caches and JCache, on a server that evicts everything all the time. */
  @ParameterizedTest
  @ValueSource(strings = {"allkeys-lru", "allkeys-random"})
  void noCacheEndsOrServesAWrongValueUnderChurn(String policy) throws Exception {
    try (RedisServer small = RedisServer.start("--maxmemory", "5mb", "--maxmemory-policy", policy);
        Rockpool first = Rockpool.open(small.uri("?timeout=10s"));
        Rockpool second = Rockpool.open(small.uri("?timeout=10s"));
        CacheManager firstManager = manager(small, "a");
        CacheManager secondManager = manager(small, "b")) {
      Churn churn = new Churn();
      List<PersistentCache<Integer, byte[]>> plain =
          List.of(
              first.cache("plain", Integer.class, byte[].class),
              second.cache("plain", Integer.class, byte[].class));
      List<Cache<Integer, byte[]>> jcache = List.of(jcache(firstManager), jcache(secondManager));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Rounds.of(3, 60));
      Threads.run(
          5,
          thread -> {
            int mine = thread / 2;
            if (thread == 4) {
              loseNames(small, end);
            } else if (thread % 2 == 0) {
              churn.run(thread, plain.get(mine)::put, plain.get(mine)::get, end);
            } else {
              churn.run(thread, jcache.get(mine)::put, jcache.get(mine)::get, end);
            }
          });
      assertThat(churn.wrong).hasValue(0);
      assertThat(churn.hits.get()).isPositive();
      assertThat(small.command("INFO", "stats")).doesNotContain("evicted_keys:0");
    }
  }

  /** Removes the names now and then, as an eviction does, and sometimes everything. */
  private static void loseNames(RedisServer server, long end) throws InterruptedException {
    for (int i = 0; System.nanoTime() < end; i++) {
      Thread.sleep(200);
      String unused = i % 5 == 4 ? server.command("FLUSHALL") : server.command("DEL", NAMES_KEY);
    }
  }

  private static CacheManager manager(RedisServer server, String name) {
    return Caching.getCachingProvider()
        .getCacheManager(
            URI.create(
                "rockpool+redis://127.0.0.1:" + server.port() + "?timeout=10s&client-name=" + name),
            null);
  }

  private static Cache<Integer, byte[]> jcache(CacheManager manager) {
    return manager.createCache(
        "jcache",
        new MutableConfiguration<Integer, byte[]>().setTypes(Integer.class, byte[].class));
  }

  /** Each thread writes keys of its own, newer values each time, and reads those of all. */
  private static final class Churn {
    private static final int KEYS = 3_000;
    private static final int THREADS = 4;

    /** So long that a slow machine, too, fills the server between two times when it loses all. */
    private static final int VALUE_BYTES = 5_000;

    final AtomicInteger wrong = new AtomicInteger();
    final AtomicInteger hits = new AtomicInteger();

    interface Put {
      void put(Integer key, byte[] value);
    }

    interface Get {
      byte[] get(Integer key);
    }

    void run(int thread, Put put, Get get, long end) {
      for (int round = 1; System.nanoTime() < end; round++) {
        for (int i = 0; i < KEYS && System.nanoTime() < end; i++) {
          int key = i * THREADS + thread;
          byte[] value = new byte[VALUE_BYTES];
          value[0] = (byte) key;
          value[1] = (byte) round;
          put.put(key, value);
          byte[] read = get.get(key);
          byte[] earlier = get.get(Math.floorMod(i - 50, KEYS) * THREADS + thread);
          if ((read != null && (read[0] != (byte) key || read[1] != (byte) round))
              || (earlier != null && (byte) (i < 50 ? round - 1 : round) != earlier[1])) {
            wrong.incrementAndGet();
          }
          hits.addAndGet(earlier == null ? 0 : 1);
        }
      }
    }
  }
}
