package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is evicted for a disk budget is counted, and told to nobody. */
@Timeout(60)
final class DiskBudgetTest extends JCacheTest {
  private static final List<String> EVENTS = Collections.synchronizedList(new ArrayList<>());
  private static final long BUDGET = 1 << 20;
  private static final int ENTRIES = 600;

  /** Notes each event. */
  static final class Noting
      implements CacheEntryRemovedListener<Integer, byte[]>,
          CacheEntryExpiredListener<Integer, byte[]> {
    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends Integer, ? extends byte[]>> events) {
      events.forEach(event -> EVENTS.add(event.toString()));
    }

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends Integer, ? extends byte[]>> events) {
      events.forEach(event -> EVENTS.add(event.toString()));
    }
  }

  @Test
  void evictionsAreCountedAndNoEvents() {
    EVENTS.clear();
    RocksDbEngine engine =
        RocksDbEngine.open(
            directory, RocksDbOptions.builder().reclaimPeriod(Duration.ofDays(1)).build());
    try (RockpoolJCacheManager manager = managerOver(engine)) {
      check(manager, engine);
    }
  }

  private static void check(RockpoolJCacheManager manager, RocksDbEngine engine) {
    Cache<Integer, byte[]> cache =
        manager.createCache(
            "c",
            RockpoolConfiguration.of(Integer.class, byte[].class)
                .diskBudgetBytes(BUDGET)
                .hotEntries(0)
                .statistics(true));
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(Noting::new, null, false, true));
    Random random = new Random(1);
    for (int key = 0; key < ENTRIES; key++) {
      byte[] value = new byte[4_000];
      random.nextBytes(value);
      cache.put(key, value);
    }
    engine.reclaim();
    long left = 0;
    for (Cache.Entry<Integer, byte[]> unused : cache) {
      left++;
    }
    assertThat(left * 4_000).isBetween(BUDGET / 2, BUDGET);
    assertThat(statistics(cache).orElseThrow().getCacheEvictions()).isEqualTo(ENTRIES - left);
    assertThat(statistics(cache).orElseThrow().getCacheRemovals()).isZero();
    assertThat(EVENTS).isEmpty();
  }

  /** Its writers wait for evictions after the lock of their key, which is checked, too. */
  @Test
  void aCacheWithListenersKeepsToItsBudgetUnderLoad() {
    RocksDbEngine engine = RocksDbEngine.open(directory, RocksDbOptions.builder().build());
    long budget = 4L << 20;
    try (RockpoolJCacheManager manager = managerOver(engine)) {
      Cache<Integer, byte[]> cache =
          manager.createCache(
              "c",
              RockpoolConfiguration.of(Integer.class, byte[].class)
                  .diskBudgetBytes(budget)
                  .hotEntries(0));
      cache.registerCacheEntryListener(
          new MutableCacheEntryListenerConfiguration<>(Noting::new, null, false, true));
      String name =
          engine.list("").stream()
              .map(SpaceInfo::name)
              .filter(each -> each.endsWith("c"))
              .findFirst()
              .orElseThrow();
      Random random = new Random(1);
      long most = 0;
      for (int key = 0; key < 8_000; key++) {
        byte[] value = new byte[4_000];
        random.nextBytes(value);
        cache.put(key, value);
        if (key % 100 == 0) {
          most = Math.max(most, engine.diskBytes(name).orElseThrow());
        }
      }
      assertThat(most).isBetween(budget, budget + budget / 2);
    }
  }

  @Test
  void evictionsForTheNumberOfEntriesAreCountedToo() {
    EVENTS.clear();
    RocksDbEngine engine =
        RocksDbEngine.open(
            directory, RocksDbOptions.builder().reclaimPeriod(Duration.ofDays(1)).build());
    try (RockpoolJCacheManager manager = managerOver(engine)) {
      Cache<Integer, byte[]> cache =
          manager.createCache(
              "c",
              RockpoolConfiguration.of(Integer.class, byte[].class)
                  .maximumSize(ENTRIES / 2)
                  .statistics(true));
      cache.registerCacheEntryListener(
          new MutableCacheEntryListenerConfiguration<>(Noting::new, null, false, true));
      for (int key = 0; key < ENTRIES; key++) {
        cache.put(key, new byte[100]);
      }
      RockpoolStatisticsMXBean statistics = statistics(cache).orElseThrow();
      assertThat(statistics.isMemoryShared()).isTrue();
      assertThat(statistics.getMemoryEntries()).isEqualTo(ENTRIES);
      assertThat(statistics.getMemoryBytes())
          .isBetween(100L * ENTRIES, statistics.getMemoryMaxBytes());
      engine.reclaim();
      assertThat(cache).hasSize(ENTRIES / 2);
      assertThat(statistics.getCacheEvictions()).isEqualTo(ENTRIES / 2);
      assertThat(EVENTS).isEmpty();
    }
  }
}
