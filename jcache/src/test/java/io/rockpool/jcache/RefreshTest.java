package io.rockpool.jcache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Entries of caches that read through are refreshed by the loader while they are served. */
class RefreshTest extends JCacheTest {
  private static final Duration SOFT = Duration.ofSeconds(10);
  private static final javax.cache.expiry.Duration HARD =
      new javax.cache.expiry.Duration(TimeUnit.SECONDS, 60);
  private static final String GONE = "gone";

  private final FakeClock clock = new FakeClock();
  private final CacheManager manager = managerOver(MemoryEngine.builder().clock(clock).build());
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final List<String> written = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger loads = new AtomicInteger();

  @AfterEach
  void closeManager() {
    manager.close();
  }

  /** Says of each key how often it was asked; nothing of {@link #GONE} after the first time. */
  private final class Source implements CacheLoader<String, String> {
    @Override
    public @Nullable String load(String key) throws CacheLoaderException {
      int call = loads.incrementAndGet();
      return key.equals(GONE) && call > 1 ? null : key + call;
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      Map<String, String> loaded = new HashMap<>();
      keys.forEach(key -> loaded.put(key, load(key)));
      return loaded;
    }
  }

  /** Notes what is updated and removed. */
  private final class Ear
      implements CacheEntryUpdatedListener<String, String>,
          CacheEntryRemovedListener<String, String> {
    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events)
        throws CacheEntryListenerException {
      events.forEach(it -> heard.add(it.getOldValue() + "->" + it.getValue()));
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends String>> events)
        throws CacheEntryListenerException {
      events.forEach(it -> heard.add(it.getOldValue() + " removed"));
    }
  }

  private final class Journal implements CacheWriter<String, String> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
      written.add(entry.getValue());
    }

    @Override
    public void writeAll(
        java.util.Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      entries.forEach(this::write);
      entries.clear();
    }

    @Override
    public void delete(Object key) {
      written.add("deleted " + key);
    }

    @Override
    public void deleteAll(java.util.Collection<?> keys) {
      keys.forEach(this::delete);
      keys.clear();
    }
  }

  private RockpoolConfiguration<String, String> texts() {
    return RockpoolConfiguration.of(String.class, String.class)
        .expiry(ModifiedExpiryPolicy.factoryOf(HARD))
        .loader((Factory<CacheLoader<String, String>>) Source::new);
  }

  private RockpoolConfiguration<String, String> heardTexts() {
    return texts()
        .listener(new MutableCacheEntryListenerConfiguration<>(Ear::new, null, true, true));
  }

  private void pass(Duration time) {
    clock.advanceMillis(time.toMillis());
  }

  private @Nullable String nextHeard() throws InterruptedException {
    return heard.poll(30, SECONDS);
  }

  @Test
  void aStaleEntryIsServedAndRefreshedByTheLoader() throws Exception {
    Cache<String, String> cache =
        manager.createCache(
            "c",
            heardTexts()
                .readThrough(true)
                .softTtl(SOFT)
                .statistics(true)
                .writeThrough(true)
                .writer(Journal::new));
    cache.put("k", "old");
    pass(SOFT);
    assertThat(cache.get("k")).isEqualTo("old");
    assertThat(nextHeard()).isEqualTo("old->k1");
    assertThat(cache.get("k")).isEqualTo("k1");
    assertThat(written).containsExactly("old");
    RockpoolStatisticsMXBean statistics = statistics(cache).orElseThrow();
    assertThat(statistics.getStaleHits()).isEqualTo(1);
    assertThat(statistics.getRefreshes()).isEqualTo(1);
    assertThat(statistics.getRefreshFailures()).isZero();
    assertThat(statistics.getRefreshRejections()).isZero();
    assertThat(statistics.getCachePuts()).isEqualTo(1);
    assertThat(statistics.getCacheHits()).isEqualTo(2);
    statistics.clear();
    assertThat(statistics.getRefreshes()).isZero();
    assertThat(statistics.getStaleHits()).isZero();
  }

  @Test
  void theKernelRefreshesOnRequestAndListenersHearOfIt() throws Exception {
    Cache<String, String> cache = manager.createCache("c", heardTexts().readThrough(true));
    cache.put("k", "old");
    assertThat(kernel(cache).refresh("k").get(30, SECONDS)).isEqualTo("k1");
    assertThat(nextHeard()).isEqualTo("old->k1");
    assertThat(kernel(cache).refresh("absent").get(30, SECONDS)).isEqualTo("absent2");
    assertThat(cache.containsKey("absent")).isTrue();
    assertThat(cache.get("k")).isEqualTo("k1");
    Cache<String, String> loaderless = manager.createCache("not read through", texts());
    assertThatThrownBy(() -> kernel(loaderless).refresh("k"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has no loader");
  }

  @SuppressWarnings("unchecked") // a class cannot name its type arguments
  private static PersistentCache<String, String> kernel(Cache<String, String> cache) {
    return cache.unwrap(PersistentCache.class);
  }

  @Test
  void whatTheLoaderNoLongerHasIsRemoved() throws Exception {
    Cache<String, String> cache =
        manager.createCache("c", heardTexts().readThrough(true).softTtl(SOFT));
    assertThat(cache.get(GONE)).isEqualTo("gone1");
    pass(SOFT);
    assertThat(cache.getAll(Set.of(GONE))).isEqualTo(Map.of(GONE, "gone1"));
    assertThat(nextHeard()).isEqualTo("gone1 removed");
    assertThat(cache.containsKey(GONE)).isFalse();
  }

  @Test
  void refreshAheadIsInTheLastPartOfALife() throws Exception {
    Cache<String, String> cache =
        manager.createCache("c", heardTexts().readThrough(true).refreshAheadFactor(0.5));
    cache.put("k", "old");
    clock.advanceMillis(29_999);
    assertThat(cache.get("k")).isEqualTo("old");
    assertThat(loads).hasValue(0);
    clock.advanceMillis(1);
    assertThat(cache.get("k")).isEqualTo("old");
    assertThat(nextHeard()).isEqualTo("old->k1");
  }

  @Test
  void aCacheThatDoesNotReadThroughIsNotRefreshed() {
    Cache<String, String> cache = manager.createCache("c", texts().softTtl(SOFT));
    cache.put("k", "old");
    pass(SOFT);
    assertThat(cache.get("k")).isEqualTo("old");
    assertThat(loads).hasValue(0);
  }

  @Test
  void jitterSpreadsTheEndsOfEntries() {
    Cache<String, String> cache = manager.createCache("c", texts().jitter(0.5));
    @SuppressWarnings("unchecked") // a class cannot say its type arguments
    PersistentCache<String, String> kernel = cache.unwrap(PersistentCache.class);
    Set<Duration> ttls = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      cache.put("k" + i, "v");
      ttls.add(kernel.ttl("k" + i).orElseThrow());
    }
    assertThat(ttls)
        .hasSizeGreaterThan(50)
        .allMatch(it -> it.toMillis() >= 30_000 && it.toMillis() <= 60_000);
  }
}
