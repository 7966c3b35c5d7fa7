package io.rockpool.cache;

import static io.rockpool.cache.RemovalCases.GONE;
import static io.rockpool.cache.RemovalCases.LOADED;
import static io.rockpool.cache.RemovalCases.OLD;
import static io.rockpool.cache.RemovalCases.PUT;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.RemovalCases.Change;
import io.rockpool.cache.RemovalCases.InFlight;
import io.rockpool.cache.RemovalCases.Scope;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Space;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Slow;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is removed stays removed, and nothing older follows a put: each change of a key, while a
 * value is loaded for it or its entry is evicted, through each handle, alone and in a transaction.
 * What must be there afterwards is in one table, {@link Change}.
 */
@Slow
@Timeout(120)
final class RemovalMatrixTest {
  private static final Duration SOFT = Duration.ofSeconds(10);
  private static final Duration HARD = Duration.ofSeconds(60);

  /** Twice as many entries as are in memory where it evicts. */
  private static final int HOT_SIBLINGS = 4;

  /** The cache through which the change is made; a load goes through the first. */
  enum Handle {
    SAME,
    OWN,
    OTHER_CLASS_LOADER
  }

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();
  private CacheOptions<String, Integer> options =
      CacheOptions.<String, Integer>defaults().softTtl(SOFT).refreshExecutor(this::start);
  private HookedEngine engine;
  private volatile @Nullable Thread worker;

  private Thread start(Runnable task) {
    Thread thread = new Thread(task);
    worker = thread;
    thread.start();
    return thread;
  }

  private Rockpool openStore(InFlight inFlight) {
    if (inFlight == InFlight.EVICTION_FROM_MEMORY) {
      options = CacheOptions.<String, Integer>defaults().hotEntries(HOT_SIBLINGS / 2);
    }
    engine =
        new HookedEngine(
            RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build()));
    return Rockpool.at(o -> engine.hooked()).open();
  }

  private PersistentCache<String, Integer> open(Rockpool pool, String name, Handle handle) {
    return switch (handle) {
      case SAME -> pool.cache(name, String.class, Integer.class, o -> options);
      case OWN ->
          Internals.store(pool)
              .caches()
              .openOwn(name, TypeRef.of(String.class), TypeRef.of(Integer.class), options);
      case OTHER_CLASS_LOADER ->
          pool.cache(
              name,
              String.class,
              Integer.class,
              o ->
                  options.classLoader(new URLClassLoader(new URL[0], getClass().getClassLoader())));
    };
  }

  /** One load, whose loader waits until it is let go, or one eviction. */
  private final class Held {
    private final PersistentCache<String, Integer> cache;
    private final String key;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile boolean loaded;
    private @Nullable CompletableFuture<@Nullable Object> result;

    Held(PersistentCache<String, Integer> cache, String key) {
      this.cache = cache;
      this.key = key;
    }

    private int load() {
      hold();
      return LOADED;
    }

    private void hold() {
      begun.countDown();
      await(goOn);
      loaded = true;
    }

    private void evictFromMemory() {
      for (int i = 0; goOn.getCount() > 0; i++) {
        cache.get(i % HOT_SIBLINGS + "-sibling"); // more than the tier takes
        if (i == 100) {
          begun.countDown();
        }
      }
    }

    private void evictFromDisk(InFlight inFlight) {
      List<byte[]> keys = List.of(cache.entries.format.key(key).bytes());
      Space space =
          Objects.requireNonNull(EngineUpkeep.of(engine.engine()).openForUpkeep(cache.name()));
      Runnable eviction = () -> engine.evictor().evict(space, keys, true);
      if (inFlight == InFlight.EVICTION_FROM_DISK_AFTER_ITS_WRITE) {
        engine.duringWrite(this::hold, eviction);
      } else {
        engine.beforeWrite(this::hold, eviction);
      }
    }

    void begin(InFlight inFlight) {
      if (inFlight == InFlight.EVICTION_FROM_MEMORY) {
        start(this::evictFromMemory);
      } else if (inFlight.isEviction()) {
        start(() -> evictFromDisk(inFlight));
      } else if (inFlight.isRefresh()) {
        Internals.cache(cache).getOrRefresh(key, any -> load());
      } else {
        result =
            CompletableFuture.supplyAsync(
                () ->
                    inFlight == InFlight.LOAD_ALL
                        ? cache
                            .getAll(
                                List.of(key, key + "-sibling"),
                                keys -> {
                                  int value = load();
                                  return Map.of(key, value, key + "-sibling", value);
                                })
                            .get(key)
                        : cache.get(key, any -> load()),
                RemovalMatrixTest.this::start);
      }
      await(begun);
    }

    /** Lets the loader return and its thread come to the lock of the row. */
    void comeToTheLock() {
      goOn.countDown();
      Thread thread = worker;
      long until = System.nanoTime() + SECONDS.toNanos(30);
      while (!loaded || (thread.isAlive() && thread.getState() == Thread.State.RUNNABLE)) {
        assertThat(System.nanoTime()).isLessThan(until);
        Thread.onSpinWait();
      }
    }

    /** Lets the load end; returns what its caller was given. */
    @Nullable Object end() throws InterruptedException {
      goOn.countDown();
      worker.join(30_000);
      assertThat(worker.isAlive()).isFalse();
      return result == null ? LOADED : result.orTimeout(30, SECONDS).join();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingOlderFollowsAPutThatHasExpired(InFlight inFlight) throws Exception {
    List<String> wrong = new ArrayList<>();
    try (Rockpool pool = openStore(inFlight)) {
      for (Handle handle : Handle.values()) {
        for (Scope scope : new Scope[] {Scope.ALONE, Scope.COMMITTED}) {
          for (Change change : Change.values()) {
            boolean puts = change.left(inFlight, scope) == PUT;
            if (puts && (scope == Scope.COMMITTED || !inFlight.needsTransaction())) {
              String key = change + " " + scope + " " + handle;
              run(pool, change, scope, handle, inFlight, key, true, wrong);
            }
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsRemovedStaysRemoved(InFlight inFlight) throws Exception {
    List<String> wrong = new ArrayList<>();
    Map<String, Integer> expected = new TreeMap<>();
    try (Rockpool pool = openStore(inFlight)) {
      for (Handle handle : Handle.values()) {
        for (Scope scope : Scope.values()) {
          for (Change change : Change.values()) {
            if (scope == Scope.ALONE ? !inFlight.needsTransaction() : change.joinsTransactions()) {
              String key = change + " " + scope + " " + handle;
              int left = run(pool, change, scope, handle, inFlight, key, false, wrong);
              if (left != GONE && change != Change.CLEAR) {
                expected.put(key, left);
              }
            }
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    Map<String, Integer> stored = new TreeMap<>();
    try (Rockpool pool = openStore(inFlight)) {
      open(pool, "numbers", Handle.SAME)
          .forEach(
              entry -> {
                if (!entry.getKey().endsWith("-sibling")) {
                  stored.put(entry.getKey(), entry.getValue());
                }
              });
      assertThat(open(pool, "cleared", Handle.SAME).iterator().hasNext()).isFalse();
    }
    assertThat(stored).as("after reopening").isEqualTo(expected);
  }

  private int run(
      Rockpool pool,
      Change change,
      Scope scope,
      Handle handle,
      InFlight inFlight,
      String key,
      boolean putExpires,
      List<String> wrong)
      throws Exception {
    String name = change == Change.CLEAR ? "cleared" : "numbers";
    PersistentCache<String, Integer> cache = open(pool, name, Handle.SAME);
    PersistentCache<String, Integer> changed = open(pool, name, handle);
    if (inFlight.isRefresh()) {
      boolean expires = inFlight == InFlight.REFRESH_OF_WHAT_EXPIRED_MEANWHILE;
      cache.put(key, OLD, expires ? HARD : Duration.ofDays(1));
      clock.advanceMillis(SOFT.toMillis());
    }
    if (inFlight.isEviction()) {
      cache.put(key, OLD, Duration.ofDays(1));
      for (int i = 0; i < HOT_SIBLINGS; i++) {
        cache.put(i + "-sibling", OLD);
      }
    }
    Held held = new Held(cache, key);
    if (!inFlight.needsTransaction()) {
      held.begin(inFlight);
    }
    if (inFlight == InFlight.REFRESH_OF_WHAT_EXPIRED_MEANWHILE) {
      clock.advanceMillis(HARD.toMillis());
    }
    if (scope == Scope.ALONE) {
      change.how.accept(changed, key);
    } else {
      inTransaction(pool, scope, () -> change.how.accept(changed, key), held, inFlight);
    }
    int left = change.left(inFlight, scope);
    if (!inFlight.waitsForTransaction()) {
      int meanwhile = change.meanwhile(inFlight, scope);
      check(wrong, key, "is there meanwhile", meanwhile, cache.get(key));
      check(wrong, key, "is there meanwhile by the other", meanwhile, changed.get(key));
    }
    if (putExpires) {
      check(wrong, key, "was put", PUT, changed.get(key));
      changed.expireAfter(key, Duration.ofMillis(1));
      clock.advanceMillis(1);
      check(wrong, key, "has expired, is there", GONE, cache.get(key));
      left = GONE;
    }
    Object got = held.end();
    check(wrong, key, "is there", left, cache.get(key));
    check(wrong, key, "is there by the other handle", left, changed.get(key));
    if (!inFlight.isRefresh() && !inFlight.isEviction()) {
      // A load that was superseded does not wait for what the transaction puts.
      boolean gaveUp = inFlight == InFlight.LOAD_THAT_WAITS_FOR_THE_TRANSACTION;
      check(wrong, key, "was given", left == PUT && !gaveUp ? PUT : LOADED, got);
    }
    if (inFlight == InFlight.LOAD_ALL && change != Change.CLEAR) {
      check(wrong, key, "is there of the other key", LOADED, cache.get(key + "-sibling"));
    }
    if (handle != Handle.SAME) {
      changed.close();
    }
    return left;
  }

  private static void check(
      List<String> wrong, String key, String what, int expected, @Nullable Object found) {
    int value = found == null ? GONE : (Integer) found;
    if (value != expected) {
      wrong.add(key + ": " + what + " " + value + " not " + expected);
    }
  }

  private static void inTransaction(
      Rockpool pool, Scope scope, Runnable change, Held held, InFlight inFlight) {
    boolean[] begun = new boolean[1];
    Function<Object, Boolean> work =
        tx -> {
          change.run();
          if (inFlight.needsTransaction() && !begun[0]) {
            begun[0] = true;
            held.begin(inFlight.isEviction() ? inFlight : InFlight.LOAD);
          }
          if (inFlight.waitsForTransaction()) {
            held.comeToTheLock();
          }
          if (scope == Scope.ROLLED_BACK) {
            throw new RolledBack();
          }
          return true;
        };
    try {
      pool.atomically(work);
    } catch (RolledBack e) {
      assertThat(scope).isEqualTo(Scope.ROLLED_BACK);
    }
  }

  private static final class RolledBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
