package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.FakeClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.Test;

/** What listeners, writers and statistics know of a transaction. */
@SuppressWarnings("JavaUtilDate") // the keys of the ledger
class TransactionWatchersTest extends JCacheTest {
  private static final class Rollback extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final ReplayedEvents events = new ReplayedEvents();

  private MutableConfiguration<String, Integer> watched() {
    return new MutableConfiguration<String, Integer>()
        .setTypes(String.class, Integer.class)
        .setStatisticsEnabled(true)
        .addCacheEntryListenerConfiguration(events.registration(true));
  }

  private static void atomically(Cache<?, ?> cache, Runnable work) {
    cache
        .getCacheManager()
        .unwrap(Rockpool.class)
        .atomically(
            tx -> {
              work.run();
              return true;
            });
  }

  private static void rolledBack(Cache<?, ?> cache, Runnable work) {
    assertThatThrownBy(
            () ->
                atomically(
                    cache,
                    () -> {
                      work.run();
                      throw new Rollback();
                    }))
        .isInstanceOf(Rollback.class);
  }

  private static List<Long> counts(Cache<?, ?> cache) {
    RockpoolStatisticsMXBean bean = statistics(cache).orElseThrow();
    return List.of(
        bean.getCacheHits(), bean.getCacheMisses(), bean.getCachePuts(), bean.getCacheRemovals());
  }

  @Test
  void nothingIsToldOrCountedOfWhatWasRolledBack() {
    Cache<String, Integer> cache = manager().createCache("c", watched());
    Runnable everything =
        () -> {
          cache.put("a", 1);
          cache.get("a");
          cache.get("none");
          cache.putAll(Map.of("b", 2, "c", 3));
          cache.invoke(
              "a",
              (entry, arguments) -> {
                entry.setValue(4);
                return null;
              });
          cache.removeAll(Set.of("b"));
          cache.remove("c");
        };
    rolledBack(cache, everything);
    assertThat(events.all()).isEmpty();
    assertThat(counts(cache)).containsExactly(0L, 0L, 0L, 0L);

    atomically(
        cache,
        () -> {
          rolledBack(cache, everything);
          cache.put("a", 5);
          assertThat(events.all()).as("before the commit").isEmpty();
          assertThat(counts(cache)).containsExactly(0L, 0L, 0L, 0L);
        });
    assertThat(events.all()).containsExactly("CREATED a null->5");
    assertThat(counts(cache)).containsExactly(0L, 0L, 1L, 0L);

    atomically(cache, everything);
    assertThat(events.misfits()).isEmpty();
    assertThat(events.all()).hasSize(7);
    assertThat(events.state()).isEqualTo(Map.of("a", 4));
    assertThat(counts(cache)).containsExactly(2L, 1L, 5L, 2L);
  }

  @Test
  void eventsHaveWhatWasPutHoweverItChangesBeforeTheCommit() {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    CacheEntryCreatedListener<String, List<String>> listener =
        all -> all.forEach(event -> told.add(event.getKey() + "=" + event.getValue()));
    Cache<String, List<String>> cache =
        manager()
            .createCache(
                "c",
                new MutableConfiguration<String, List<String>>()
                    .addCacheEntryListenerConfiguration(
                        new MutableCacheEntryListenerConfiguration<>(
                            () -> listener, null, false, true)));
    atomically(
        cache,
        () -> {
          List<String> value = new ArrayList<>(List.of("put"));
          cache.put("a", value);
          value.add("changed");
        });
    assertThat(told).containsExactly("a=[put]");
  }

  @Test
  void aListenerThatFailsUndoesNothing() {
    CacheEntryCreatedListener<String, Integer> failing =
        all -> {
          throw new IllegalStateException("This is logged by a test.");
        };
    Cache<String, Integer> cache =
        manager()
            .createCache(
                "c",
                watched()
                    .addCacheEntryListenerConfiguration(
                        new MutableCacheEntryListenerConfiguration<>(
                            () -> failing, null, false, true)));
    atomically(
        cache,
        () -> {
          cache.put("a", 1);
          cache.put("b", 2);
        });
    assertThat(events.state()).isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(cache.get("b")).isEqualTo(2);
  }

  @Test
  void anExpiryIsToldBeforeWhatReplacesTheEntry() {
    FakeClock clock = new FakeClock();
    CacheManager manager = managerOver(MemoryEngine.builder().clock(clock).build());
    try {
      Cache<String, Integer> cache =
          manager.createCache(
              "c",
              watched()
                  .setExpiryPolicyFactory(
                      CreatedExpiryPolicy.factoryOf(new Duration(TimeUnit.SECONDS, 1))));
      cache.put("a", 1);
      clock.advanceMillis(1_000);
      Runnable meeting =
          () -> {
            assertThat(cache.get("a")).isNull();
            cache.put("a", 2);
            cache.put("a", 3);
          };
      for (int i = 0; i < 3; i++) {
        rolledBack(cache, meeting);
      }
      atomically(cache, meeting);
      assertThat(events.all())
          .containsExactly(
              "CREATED a null->1", "EXPIRED a 1->1", "CREATED a null->2", "UPDATED a 2->3");
    } finally {
      manager.close();
    }
  }

  private static final List<Consumer<Cache<Date, List<String>>>> CHANGES =
      List.of(
          cache -> cache.put(new Date(1), List.of("no")),
          cache -> cache.getAndPut(new Date(1), List.of("no")),
          cache -> cache.putIfAbsent(new Date(1), List.of("no")),
          cache -> cache.putAll(Map.of(new Date(1), List.of("no"))),
          cache -> cache.replace(new Date(2), List.of("no")),
          cache -> cache.remove(new Date(2)),
          cache -> cache.getAndRemove(new Date(2)),
          cache -> cache.removeAll(Set.of(new Date(2))),
          cache -> cache.invoke(new Date(2), (entry, arguments) -> entry.exists()),
          cache -> cache.invokeAll(Set.of(new Date(2)), (entry, arguments) -> entry.exists()));

  @Test
  void aCacheWithAWriterRefusesChanges() {
    Ledger ledger = new Ledger();
    Cache<Date, List<String>> cache =
        manager()
            .createCache(
                "c",
                new MutableConfiguration<Date, List<String>>()
                    .setCacheLoaderFactory(() -> ledger)
                    .setReadThrough(true)
                    .setCacheWriterFactory(() -> ledger)
                    .setWriteThrough(true));
    cache.put(new Date(2), List.of("two"));
    ledger.rows.put(3L, List.of("three"));
    CHANGES.forEach(
        change ->
            assertThatThrownBy(() -> atomically(cache, () -> change.accept(cache)))
                .isInstanceOf(CacheException.class)
                .hasMessageContaining("CacheWriter")
                .hasMessageContaining("afterCommit"));
    assertThat(ledger.rows).isEqualTo(Map.of(2L, List.of("two"), 3L, List.of("three")));

    Rockpool pool = cache.getCacheManager().unwrap(Rockpool.class);
    pool.atomically(
        tx -> {
          assertThat(cache.get(new Date(2))).containsExactly("two");
          assertThat(cache.get(new Date(3))).containsExactly("three");
          tx.afterCommit(() -> cache.put(new Date(4), List.of("four")));
          return true;
        });
    assertThat(cache.containsKey(new Date(3))).isTrue();
    assertThat(ledger.rows).containsEntry(4L, List.of("four"));
  }

  @Test
  void loadAllIsRefusedInATransactionAndRunsAfterIt() throws Exception {
    Cache<String, Integer> cache =
        manager()
            .createCache(
                "c", watched().setCacheLoaderFactory(FactoryBuilder.factoryOf(Sevens.class)));
    CompletionListenerFuture inside = new CompletionListenerFuture();
    CompletionListenerFuture after = new CompletionListenerFuture();
    atomically(
        cache,
        () -> {
          cache.put("a", 1);
          assertThatThrownBy(() -> cache.loadAll(Set.of("a", "b"), true, inside))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("\"c\"")
              .hasMessageContaining("afterCommit");
          assertThat(inside.isDone()).isFalse();
          cache
              .getCacheManager()
              .unwrap(Rockpool.class)
              .atomically(
                  tx -> {
                    tx.afterCommit(() -> cache.loadAll(Set.of("a", "b"), false, after));
                    return true;
                  });
        });
    after.get(10, TimeUnit.SECONDS);
    assertThat(cache.getAll(Set.of("a", "b"))).isEqualTo(Map.of("a", 1, "b", 7));
  }

  /** Loads a seven for each key. */
  public static final class Sevens implements CacheLoader<String, Integer> {
    @Override
    public Integer load(String key) {
      return 7;
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      Map<String, Integer> loaded = new HashMap<>();
      keys.forEach(key -> loaded.put(key, 7));
      return loaded;
    }
  }
}
