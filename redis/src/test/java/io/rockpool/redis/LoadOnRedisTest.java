package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two stores under load, while connections are cut and the server evicts. */
@Slow
@Timeout(90)
@Needs(Tool.REDIS)
final class LoadOnRedisTest {
  private static final String KEY = "k";

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache("c", String.class, Long.class);
  }

  /** Each acknowledged increment counts once; an unknown one at most once. */
  @Test
  void connectionsAreCutAgainAndAgainAndCountsStayExact() throws Exception {
    try (RedisServer server = RedisServer.start();
        Rockpool mine = Rockpool.open(server.uri("?timeout=10s"));
        Rockpool theirs = Rockpool.open(server.uri("?timeout=10s"))) {
      List<PersistentCache<String, Long>> caches = List.of(cache(mine), cache(theirs));
      caches.get(0).put(KEY, 0L);
      AtomicLong acknowledged = new AtomicLong();
      AtomicLong unknown = new AtomicLong();
      AtomicInteger backwards = new AtomicInteger();
      AtomicBoolean done = new AtomicBoolean();
      int writers = 4;
      Threads.run(
          writers + 1,
          thread -> {
            if (thread == writers) {
              for (int i = 0; i < 12; i++) {
                String unused = server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                LockSupport.parkNanos(300_000_000);
              }
              done.set(true);
              return;
            }
            PersistentCache<String, Long> cache = caches.get(thread % 2);
            long last = 0;
            while (!done.get()) {
              try {
                Long unused = cache.compute(KEY, (key, value) -> value + 1);
                acknowledged.incrementAndGet();
              } catch (OutcomeUnknownException e) {
                unknown.incrementAndGet();
              }
              long now = cache.get(KEY);
              if (now < last) {
                backwards.incrementAndGet();
              }
              last = now;
            }
          });
      long counted = caches.get(1).compute(KEY, (key, value) -> value);
      System.getLogger("io.rockpool.redis")
          .log(
              System.Logger.Level.INFO,
              "Counted " + counted + " of " + acknowledged + " and " + unknown + " unknown.");
      assertThat(counted).isBetween(acknowledged.get(), acknowledged.get() + unknown.get());
      assertThat(acknowledged.get()).isGreaterThan(100);
      assertThat(backwards).hasValue(0);
    }
  }

  private static CacheOptions<Integer, byte[]> expiring() {
    return CacheOptions.<Integer, byte[]>defaults()
        .expiry(CacheExpiry.afterWrite(Duration.ofHours(1)));
  }

  /** What the server evicts is a miss. */
  @Test
  void aServerThatEvictsNeverServesAWrongValue() throws Exception {
    try (RedisServer server =
            RedisServer.start("--maxmemory", "4mb", "--maxmemory-policy", "volatile-lru");
        Rockpool mine = Rockpool.open(server.uri("?timeout=10s"));
        Rockpool theirs = Rockpool.open(server.uri("?timeout=10s"))) {
      List<PersistentCache<Integer, byte[]>> caches =
          List.of(
              mine.cache("c", Integer.class, byte[].class, o -> expiring()),
              theirs.cache("c", Integer.class, byte[].class, o -> expiring()));
      AtomicInteger wrong = new AtomicInteger();
      AtomicInteger hits = new AtomicInteger();
      Threads.run(
          4,
          thread -> {
            PersistentCache<Integer, byte[]> cache = caches.get(thread % 2);
            for (int i = 0; i < 4_000; i++) {
              int key = i * 4 + thread;
              byte[] value = new byte[1_000];
              value[0] = (byte) key;
              cache.put(key, value);
              byte[] read = cache.get(key - 400 * 4);
              if (read != null) {
                hits.incrementAndGet();
                if (read[0] != (byte) (key - 400 * 4)) {
                  wrong.incrementAndGet();
                }
              }
            }
          });
      assertThat(wrong).hasValue(0);
      assertThat(hits.get()).isPositive();
      String evicted = server.command("INFO", "stats");
      assertThat(evicted).doesNotContain("evicted_keys:0");
    }
  }
}
