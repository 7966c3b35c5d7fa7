package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.EngineOptions;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.testing.LoadsElsewhere;
import io.rockpool.testing.ReadElsewhere;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two stores on one server, as two processes have them: neither serves old values for long. */
@Slow
@Timeout(60)
@Needs(Tool.REDIS)
final class HotTierCoherenceTest {
  private static final String KEY = "k";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private RedisServer server;
  private RedisEngine engine;
  private Rockpool mine;
  private Rockpool theirs;

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start();
    engine =
        RedisEngine.open(
            server.uri("?timeout=5s"), new EngineOptions(InstantSource.system(), null, Map.of()));
    mine = Rockpool.at(o -> engine).open();
    theirs = Rockpool.at(server.uri("?timeout=5s")).open();
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

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache("shop/cache", String.class, Long.class);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  private static boolean holds(PersistentCache<String, Long> cache, Long value) {
    return Objects.equals(cache.get(KEY), value);
  }

  @Test
  void noLoadIsStoredOverAWriteOfTheOtherStore() {
    LoadsElsewhere.check(mine, theirs, 20);
  }

  @Test
  void anEntryThatTheOtherStoreReadsIsNotIdle() throws InterruptedException {
    ReadElsewhere.check(mine, theirs);
  }

  @Test
  void theWritesOfOthersLeaveTheHotTier() {
    PersistentCache<String, Long> one = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    one.put(KEY, 1L);
    assertThat(one.get(KEY)).isEqualTo(1);
    assertThat(one.hotSize()).isOne();
    other.put(KEY, 2L);
    await(() -> holds(one, 2L));
    assertThat(other.replace(KEY, 2L, 3L)).isTrue();
    await(() -> holds(one, 3L));
    other.invalidate(KEY);
    await(() -> holds(one, null));
    one.put(KEY, 4L);
    await(() -> holds(other, 4L));
    other.clear();
    await(() -> holds(one, null));
    assertThat(one.putIfAbsent(KEY, 5L)).isNull();
    await(() -> holds(other, 5L));
  }

  /** Reports by prefix need no place in the server's table of tracked keys. */
  @Test
  void aSmallTrackingTableLosesNoReport() {
    assertThat(server.command("CONFIG", "SET", "tracking-table-max-keys", "1")).isEqualTo("OK");
    PersistentCache<Long, Long> one = mine.cache("many", Long.class, Long.class);
    PersistentCache<Long, Long> other = theirs.cache("many", Long.class, Long.class);
    long keys = 1_000;
    for (long round = 1; round <= 3; round++) {
      long value = round;
      LongStream.range(0, keys).forEach(key -> other.put(key, value));
      await(() -> LongStream.range(0, keys).allMatch(key -> Objects.equals(one.get(key), value)));
    }
    assertThat(one.hotSize()).isEqualTo(keys);
    assertThat(engine.isFeedArmed()).isTrue();
    assertThat(server.command("INFO", "stats")).contains("tracking_total_keys:0");
  }

  @Test
  void ownWritesStayInTheHotTier() {
    PersistentCache<String, Long> one = cache(mine);
    one.put(KEY, 1L);
    assertThat(one.replace(KEY, 1L, 2L)).isTrue();
    PersistentCache<String, Long> other = cache(theirs);
    other.put("marker", 1L);
    await(() -> one.get("marker") != null);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
    // The report of the marker may come after a read that found it, and take it out again.
    await(() -> one.get("marker") != null && one.hotSize() == 2);
    assertThat(one.get(KEY)).isEqualTo(2);
  }

  @Test
  void aCacheThatAnotherProcessDropsIsClosed() {
    PersistentCache<String, Long> one = cache(mine);
    one.put(KEY, 1L);
    cache(theirs);
    assertThat(theirs.names().drop("shop/cache")).isTrue();
    await(
        () -> {
          try {
            Long unused = one.get(KEY);
            return false;
          } catch (StoreClosedException e) {
            return true;
          }
        });
    assertThat(cache(mine).get(KEY)).isNull();
  }

  @Test
  void whileTheServerIsAwayNothingIsServedFromMemory() throws Exception {
    PersistentCache<String, Long> one = cache(mine);
    one.put(KEY, 1L);
    assertThat(one.get(KEY)).isEqualTo(1);
    server.kill();
    await(() -> !engine.isFeedArmed());
    await(() -> one.hotSize() == 0);
    server.restart();
    await(engine::isFeedArmed);
    // The server has lost everything, so the name is no longer there.
    await(
        () -> {
          try {
            return cache(mine).get(KEY) == null && cache(theirs).get(KEY) == null;
          } catch (StoreClosedException | ServerUnavailableException e) {
            return false;
          }
        });
    PersistentCache<String, Long> again = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    again.put(KEY, 2L);
    await(() -> holds(other, 2L));
    other.put(KEY, 3L);
    await(() -> holds(again, 3L));
  }

  @Test
  void aConnectionThatIsCutLosesNoReport() {
    PersistentCache<String, Long> one = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    for (long i = 0; i < 20; i++) {
      long value = i;
      putUntilKnown(other, value);
      await(() -> holds(one, value));
      assertThat(server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")).isNotEmpty();
    }
  }

  /** As an application does whose value may replace any other. */
  private static void putUntilKnown(PersistentCache<String, Long> cache, long value) {
    try {
      cache.put(KEY, value);
    } catch (OutcomeUnknownException e) {
      cache.put(KEY, value);
    }
  }

  @Test
  void aServerThatHangsIsNoticed() throws Exception {
    mine.close();
    engine =
        RedisEngine.open(
            server.uri("?timeout=2s&feed-timeout=2s"),
            new EngineOptions(InstantSource.system(), null, Map.of()));
    mine = Rockpool.at(o -> engine).open();
    PersistentCache<String, Long> one = cache(mine);
    one.put(KEY, 1L);
    signal("STOP");
    try {
      await(() -> !engine.isFeedArmed());
      await(() -> one.hotSize() == 0);
      assertThatThrownBy(() -> one.get(KEY)).isInstanceOf(ServerUnavailableException.class);
    } finally {
      signal("CONT");
    }
    await(engine::isFeedArmed);
    assertThat(one.get(KEY)).isEqualTo(1);
  }

  private void signal(String name) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + server.pid()).start().waitFor())
        .isZero();
  }

  @Test
  void aCounterInBothLosesNothingAndGoesOnlyUp() throws Exception {
    List<PersistentCache<String, Long>> caches = List.of(cache(mine), cache(theirs));
    caches.get(0).put(KEY, 0L);
    AtomicInteger backwards = new AtomicInteger();
    int rounds = 200;
    Threads.run(
        4,
        thread -> {
          PersistentCache<String, Long> cache = caches.get(thread % 2);
          long last = 0;
          for (int i = 0; i < rounds; i++) {
            if (thread < 2) {
              cache.compute(KEY, (key, value) -> value + 1);
            }
            long now = cache.get(KEY);
            if (now < last) {
              backwards.incrementAndGet();
            }
            last = now;
          }
        });
    assertThat(backwards).hasValue(0);
    await(() -> holds(caches.get(0), 2L * rounds) && holds(caches.get(1), 2L * rounds));
  }

  @Test
  void reportsArriveSoon() {
    PersistentCache<String, Long> one = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    long[] nanos = new long[200];
    for (int i = 0; i < nanos.length; i++) {
      long written = i + 1L;
      assertThat(one.get(KEY)).isEqualTo(written == 1 ? null : Long.valueOf(written - 1));
      other.put(KEY, written);
      long begun = System.nanoTime();
      while (!holds(one, written)) {
        Thread.onSpinWait();
      }
      nanos[i] = System.nanoTime() - begun;
    }
    Arrays.sort(nanos);
    System.getLogger("io.rockpool.redis")
        .log(
            System.Logger.Level.INFO,
            "Reports took " + nanos[100] / 1_000 + " us, p99 " + nanos[198] / 1_000 + " us.");
    assertThat(Duration.ofNanos(nanos[100])).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void entriesExpireByTheServersClock() {
    PersistentCache<String, Long> one =
        mine.cache(
            "short",
            String.class,
            Long.class,
            o -> o.expiry(CacheExpiry.afterWrite(Duration.ofSeconds(6))));
    one.put(KEY, 1L);
    assertThat(one.get(KEY)).isEqualTo(1);
    await(() -> one.get(KEY) == null);
    await(() -> server.command("--scan", "--pattern", "*:*:*:e*").isEmpty());
  }

  @Test
  void collectionsAreRefusedWithTheWayOut() {
    assertThatThrownBy(() -> mine.map("map", String.class, String.class))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("embedded store")
        .hasMessageContaining("PostgreSQL");
    assertThat(mine.names().find("map").isPresent()).isFalse();
    assertThatThrownBy(() -> mine.runAtomically(tx -> {}))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void clearedEntriesLeaveTheMemoryOfTheServer() {
    PersistentCache<String, Long> one = cache(mine);
    for (int i = 0; i < 100; i++) {
      one.put("k" + i, 1L);
    }
    one.clear();
    one.put("kept", 1L);
    await(() -> server.command("--scan", "--pattern", "*:*:*:e*").lines().count() == 1);
    assertThat(one.get("kept")).isEqualTo(1);
    mine.names().drop("shop/cache");
    await(() -> server.command("--scan", "--pattern", "*:g").isEmpty());
  }
}
