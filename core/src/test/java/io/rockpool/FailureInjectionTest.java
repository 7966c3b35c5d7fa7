package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.testing.Proxied;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every call of the engine fails once, and every function of a user's is interrupted: afterwards no
 * lock and no load is held, memory agrees with the disk, and the store verifies clean.
 */
@Timeout(120)
final class FailureInjectionTest {
  @TempDir Path directory;

  /** Throws from one call of an engine, counted on one thread. */
  private static final class Injection {
    private final Thread thread = Thread.currentThread();
    private @Nullable Throwable thrown;
    private boolean after;
    private int left;

    void throwAt(int call, Throwable what, boolean afterwards) {
      left = call;
      thrown = what;
      after = afterwards;
    }

    /** Ends; returns whether it has thrown. */
    boolean end() {
      boolean done = thrown != null && left <= 0;
      thrown = null;
      return done;
    }

    private boolean isDue() {
      return thrown != null && Thread.currentThread() == thread && --left == 0;
    }

    <T> T wrap(Class<T> type, T target) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              Proxied.interfaces(type),
              (proxy, method, arguments) -> {
                boolean due = method.getDeclaringClass() != Object.class && isDue();
                Throwable failure = thrown;
                if (due && !after) {
                  Upkeep.rethrow(failure);
                }
                try {
                  Object result = method.invoke(target, arguments);
                  if (due) {
                    Upkeep.rethrow(failure);
                  }
                  return result instanceof Space space ? wrap(Space.class, space) : result;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }));
    }
  }

  /** What a test works with. */
  private static final class Content {
    final Rockpool pool;
    final PersistentCache<String, String> cache;
    final PersistentMap<String, String> map;
    final PersistentDeque<String> deque;
    final PersistentScoredSet<String> scored;

    Content(Rockpool pool) {
      this.pool = pool;
      this.cache =
          pool.cache(
              "cache",
              TypeRef.of(String.class),
              TypeRef.of(String.class),
              o -> o.warmRestart(false).expiry(CacheExpiry.afterWrite(Duration.ofDays(1))));
      this.map = pool.map("map", String.class, String.class);
      this.deque = pool.deque("deque", String.class);
      this.scored = pool.scoredSet("scored", String.class);
    }

    Map<String, Runnable> operations(Runnable inFunction) {
      Map<String, Runnable> all = new LinkedHashMap<>();
      all.put("put", () -> cache.put("a", "1"));
      all.put("get", () -> cache.get("a"));
      all.put("load", () -> cache.get("b", key -> called(inFunction, "loaded")));
      all.put(
          "loadAll",
          () -> cache.getAll(List.of("c", "d"), keys -> called(inFunction, Map.of("c", "1"))));
      all.put("compute", () -> cache.compute("a", (k, v) -> called(inFunction, "2")));
      all.put("merge", () -> cache.merge("a", "3", (v, w) -> called(inFunction, v + w)));
      all.put(
          "decideAll",
          () ->
              Internals.cache(cache)
                  .decideAll(List.of("a", "b"), (k, v) -> called(inFunction, Decision.put("4"))));
      all.put("putAll", () -> cache.putAll(Map.of("a", "5", "e", "5")));
      all.put("invalidate", () -> cache.invalidate("b"));
      all.put("map.put", () -> map.put("a", "1"));
      all.put("map.compute", () -> map.compute("a", (k, v) -> called(inFunction, v + "2")));
      all.put("map.replaceAll", () -> map.replaceAll((k, v) -> called(inFunction, "6")));
      all.put("map.remove", () -> map.remove("a"));
      all.put("deque.addAll", () -> deque.addAll(List.of("x", "y", "z")));
      all.put("deque.insertAfter", () -> deque.insertAfter("x", "w"));
      all.put("deque.removeIf", () -> deque.removeIf(v -> called(inFunction, v.equals("y"))));
      all.put("deque.poll", deque::poll);
      all.put("scored.add", () -> scored.add("a", 1));
      all.put("scored.remove", () -> scored.remove("a"));
      all.put(
          "transaction",
          () ->
              pool.atomically(
                  tx -> {
                    map.put("t", "1");
                    cache.put("t", "1");
                    deque.add("t");
                    scored.add("t", 2);
                    return called(inFunction, tx);
                  }));
      all.put("remove", () -> cache.remove("a"));
      all.put("clear", cache::clear);
      return all;
    }

    private static <T> T called(Runnable inFunction, T result) {
      inFunction.run();
      return result;
    }

    /** Another thread can change and load everything, and memory has what the disk has. */
    void assertWhole(String what) throws Exception {
      Thread[] other = new Thread[1];
      CompletableFuture<Void> done =
          CompletableFuture.runAsync(
              () -> {
                other[0] = Thread.currentThread();
                Map<String, String> onDisk = new HashMap<>();
                cache.forEach(entry -> onDisk.put(entry.getKey(), entry.getValue()));
                for (String key : List.of("a", "b", "c", "d", "e", "t")) {
                  assertThat(cache.get(key)).as(what).isEqualTo(onDisk.get(key));
                  assertThat(cache.get(key, k -> "new")).as(what).isNotNull();
                }
                operations(() -> {}).values().forEach(Runnable::run);
              });
      try {
        done.get(20, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        AssertionError hangs = new AssertionError(what + ": another thread hangs", e);
        hangs.setStackTrace(other[0].getStackTrace());
        throw hangs;
      }
      deque.clear();
    }
  }

  private RocksDbEngine engine() {
    return RocksDbEngine.open(
        directory, RocksDbOptions.builder().memoryBudgetBytes(8 << 20).build());
  }

  @ParameterizedTest
  @CsvSource({"true,false", "true,true", "false,false", "false,true"})
  void everyCallOfTheEngineFailsOnce(boolean error, boolean after) throws Exception {
    Throwable thrown =
        error ? new OutOfMemoryError("injected") : new StoreIoException("injected", null, null);
    Injection injection = new Injection();
    List<String> failed = new ArrayList<>();
    try (RocksDbEngine engine = engine();
        Rockpool pool = Rockpool.at(o -> injection.wrap(Engine.class, engine)).open()) {
      Content content = new Content(pool);
      Map<String, Runnable> operations = content.operations(() -> {});
      for (Map.Entry<String, Runnable> operation : operations.entrySet()) {
        boolean more = true;
        for (int call = 1; more; call++) {
          injection.throwAt(call, thrown, after);
          Throwable caught = null;
          try {
            operation.getValue().run();
          } catch (RuntimeException | Error e) {
            caught = e;
          }
          more = injection.end();
          String what = operation.getKey() + ", call " + call;
          if (caught != null) {
            assertThat(more).as("%s threw %s", what, caught).isTrue();
            assertThat(caught).as(what).hasMessageContaining("injected");
            failed.add(what);
          }
          if (more) {
            content.assertWhole(what);
          }
        }
      }
      assertThat(failed).hasSizeGreaterThan(20);
      assertThat(engine.inTransaction()).isFalse();
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  @Test
  void anInterruptInAFunctionIsKeptAndHarmsNothing() throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      Content content = new Content(pool);
      boolean[] called = new boolean[1];
      Runnable interrupting =
          () -> {
            called[0] = true;
            Thread.currentThread().interrupt();
          };
      int interrupted = 0;
      for (Map.Entry<String, Runnable> operation : content.operations(interrupting).entrySet()) {
        called[0] = false;
        operation.getValue().run();
        assertThat(Thread.interrupted()).as(operation.getKey()).isEqualTo(called[0]);
        interrupted += called[0] ? 1 : 0;
        content.assertWhole(operation.getKey());
      }
      assertThat(interrupted).isGreaterThan(5);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }
}
