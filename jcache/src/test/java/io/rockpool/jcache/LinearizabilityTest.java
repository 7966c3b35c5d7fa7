package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Operations of three threads on two keys, with a listener, come to what some order of them would
 * have come to; and the listener was told of the same order. By running them often: Lincheck's
 * model checker does not see into native code, and comes to no end in a whole cache in memory.
 */
@Tag("lincheck")
class LinearizabilityTest extends JCacheTest {
  private static final int SCENARIOS = 15;
  private static final int RUNS_OF_EACH = 120;

  private static @Nullable Cache<Integer, Integer> cache;
  private static final Shadow SHADOW = new Shadow();

  @Test
  void inMemory() {
    check(MemoryEngine.builder().build());
  }

  @Test
  void onDisk() {
    check(RocksDbEngine.open(directory.resolve("linear"), RocksDbOptions.builder().build()));
  }

  private void check(Engine engine) {
    try (RockpoolJCacheManager manager = managerOver(engine)) {
      cache =
          manager.createCache(
              "c",
              new MutableConfiguration<Integer, Integer>()
                  .setTypes(Integer.class, Integer.class)
                  .addCacheEntryListenerConfiguration(
                      new MutableCacheEntryListenerConfiguration<>(
                          () -> SHADOW, null, true, true)));
      new StressOptions()
          .iterations(SCENARIOS)
          .invocationsPerIteration(RUNS_OF_EACH)
          .threads(3)
          .actorsPerThread(3)
          .actorsBefore(1)
          .actorsAfter(1)
          .sequentialSpecification(Model.class)
          .minimizeFailedScenario(true)
          .check(Cached.class);
    }
  }

  /** What the listener has been told the cache holds. */
  private static final class Shadow
      implements CacheEntryCreatedListener<Integer, Integer>,
          CacheEntryUpdatedListener<Integer, Integer>,
          CacheEntryRemovedListener<Integer, Integer> {
    private final Map<Integer, Integer> entries = new ConcurrentHashMap<>();
    private volatile String mistake = "";

    private void note(
        Iterable<CacheEntryEvent<? extends Integer, ? extends Integer>> events, boolean gone) {
      for (CacheEntryEvent<? extends Integer, ? extends Integer> event : events) {
        Integer before =
            gone ? entries.remove(event.getKey()) : entries.put(event.getKey(), event.getValue());
        if (!Objects.equals(before, event.getOldValue())) {
          mistake =
              event.getEventType() + " of " + event.getOldValue() + " where " + before + " was";
        }
      }
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends Integer, ? extends Integer>> events) {
      note(events, false);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends Integer, ? extends Integer>> events) {
      note(events, false);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends Integer, ? extends Integer>> events) {
      note(events, true);
    }
  }

  /** The cache, empty again for each run. */
  @Param(name = "key", gen = IntGen.class, conf = "1:2")
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  public static final class Cached {
    private final Cache<Integer, Integer> entries = Objects.requireNonNull(cache);

    public Cached() {
      entries.remove(1);
      entries.remove(2);
      SHADOW.entries.clear();
      SHADOW.mistake = "";
    }

    @Operation
    public @Nullable Integer get(@Param(name = "key") int key) {
      return entries.get(key);
    }

    @Operation
    public @Nullable Integer getAndPut(
        @Param(name = "key") int key, @Param(name = "value") int value) {
      return entries.getAndPut(key, value);
    }

    @Operation
    public void put(@Param(name = "key") int key, @Param(name = "value") int value) {
      entries.put(key, value);
    }

    @Operation
    public boolean putIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
      return entries.putIfAbsent(key, value);
    }

    @Operation
    public boolean remove(@Param(name = "key") int key) {
      return entries.remove(key);
    }

    @Operation
    public boolean replace(
        @Param(name = "key") int key,
        @Param(name = "value") int expected,
        @Param(name = "value") int value) {
      return entries.replace(key, expected, value);
    }

    @Operation
    public int increment(@Param(name = "key") int key) {
      return entries.invoke(
          key,
          (entry, arguments) -> {
            int next = entry.exists() ? entry.getValue() + 1 : 1;
            entry.setValue(next);
            return next;
          });
    }

    @Validate
    public void theListenerWasToldOfTheSameOrder() {
      assertThat(SHADOW.mistake).isEmpty();
      Map<Integer, Integer> there = new HashMap<>();
      entries.forEach(entry -> there.put(entry.getKey(), entry.getValue()));
      assertThat(SHADOW.entries).isEqualTo(there);
    }
  }

  /** The same operations, one after the other, on a map. */
  public static final class Model {
    private final Map<Integer, Integer> entries = new HashMap<>();

    public @Nullable Integer get(int key) {
      return entries.get(key);
    }

    public @Nullable Integer getAndPut(int key, int value) {
      return entries.put(key, value);
    }

    public void put(int key, int value) {
      entries.put(key, value);
    }

    public boolean putIfAbsent(int key, int value) {
      return entries.putIfAbsent(key, value) == null;
    }

    public boolean remove(int key) {
      return entries.remove(key) != null;
    }

    public boolean replace(int key, int expected, int value) {
      return entries.replace(key, expected, value);
    }

    public int increment(int key) {
      return entries.merge(key, 1, Integer::sum);
    }
  }
}
