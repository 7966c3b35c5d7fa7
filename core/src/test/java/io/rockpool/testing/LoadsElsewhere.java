package io.rockpool.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.internal.access.CacheAccess;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.RunningLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A load of one store while another store writes its key: the loaded value must not be stored, even
 * before anything is reported.
 */
public final class LoadsElsewhere {
  private static final String NAME = "shop/loads";

  private LoadsElsewhere() {}

  /** What the other store does to a key. */
  private static Map<String, BiConsumer<PersistentCache<String, Long>, String>> writes() {
    Map<String, BiConsumer<PersistentCache<String, Long>, String>> writes = new LinkedHashMap<>();
    writes.put("invalidate", PersistentCache::invalidate);
    writes.put("remove", PersistentCache::remove);
    writes.put("invalidateAll", (cache, key) -> cache.invalidateAll(Set.of(key)));
    writes.put("put", (cache, key) -> cache.put(key, -1L));
    writes.put(
        "put and invalidate",
        (cache, key) -> {
          cache.put(key, -1L);
          cache.invalidate(key);
        });
    writes.put("compute", (cache, key) -> cache.compute(key, (same, there) -> null));
    writes.put("clear", (cache, key) -> cache.clear());
    return writes;
  }

  /** Runs every write in the middle of every kind of load; on a present key, too. */
  public static void check(Rockpool mine, Rockpool theirs, int rounds) {
    PersistentCache<String, Long> one = mine.cache(NAME, String.class, Long.class);
    PersistentCache<String, Long> other = theirs.cache(NAME, String.class, Long.class);
    AtomicLong last = new AtomicLong();
    AtomicLong storedBeside = new AtomicLong();
    for (int i = 0; i < rounds; i++) {
      writes()
          .forEach(
              (name, write) -> {
                String key = "k" + last.incrementAndGet();
                long stale = last.get();
                one.get(
                    key,
                    same -> {
                      write.accept(other, key);
                      return stale;
                    });
                expect(theirs, key, name + ", get");
                List<String> keys = List.of("m" + stale, "n" + stale);
                one.getAll(
                    keys,
                    absent -> {
                      write.accept(other, keys.get(0));
                      Map<String, Long> all = new LinkedHashMap<>();
                      absent.forEach(each -> all.put(each, stale));
                      return all;
                    });
                expect(theirs, keys.get(0), name + ", getAll");
                // The late report of an earlier clear may prevent it.
                Long beside = stored(theirs).get(keys.get(1));
                assertThat(beside == null || beside == stale).isTrue();
                storedBeside.addAndGet(beside == null ? 0 : 1);
                besideTheCache(theirs, one, stale, each -> write.accept(other, each), name);
              });
    }
    assertThat(storedBeside.get()).isPositive();
    refreshes(mine, theirs, rounds);
  }

  /**
   * Loads that a layer above the cache makes itself, of one key and of many; on present keys, too.
   */
  private static void besideTheCache(
      Rockpool theirs,
      PersistentCache<String, Long> one,
      long stale,
      Consumer<String> write,
      String name) {
    CacheAccess<String, Long> access = Internals.cache(one);
    for (boolean present : new boolean[] {false, true}) {
      List<String> keys = List.of("b" + stale + present, "c" + stale + present, "d" + stale);
      if (present) {
        keys.subList(0, 2).forEach(each -> one.put(each, -1L));
      }
      Map<String, RunningLoad> many = access.beginLoads(keys);
      write.accept(keys.get(0));
      access.decideAll(
          keys,
          (each, there) ->
              Decision.put(stale).unlessSuperseded(Objects.requireNonNull(many.get(each))));
      many.values().forEach(RunningLoad::close);
      expect(theirs, keys.get(0), name + ", many beside the cache, present: " + present);
      try (RunningLoad load = access.beginLoad(keys.get(0))) {
        write.accept(keys.get(0));
        access.decide(keys.get(0), there -> Decision.put(stale).unlessSuperseded(load));
      }
      expect(theirs, keys.get(0), name + ", beside the cache, present: " + present);
    }
  }

  private static void refreshes(Rockpool mine, Rockpool theirs, int rounds) {
    PersistentCache<String, Long> other = theirs.cache(NAME, String.class, Long.class);
    List<Runnable> meanwhile = new ArrayList<>();
    PersistentCache<String, Long> one =
        mine.cache(
            NAME + "-refreshed",
            String.class,
            Long.class,
            options ->
                options
                    .softTtl(Duration.ofDays(1))
                    .refreshLoader(
                        key -> {
                          meanwhile.remove(0).run();
                          return 7L;
                        }));
    PersistentCache<String, Long> same =
        theirs.cache(NAME + "-refreshed", String.class, Long.class);
    assertThat(other.name()).isNotEqualTo(same.name());
    for (int i = 0; i < rounds; i++) {
      for (boolean present : new boolean[] {false, true}) {
        String key = "r" + i + present;
        if (present) {
          one.put(key, -1L);
        }
        meanwhile.add(() -> same.put(key, -1L)); // the same bytes
        one.refresh(key).join();
        assertThat(cold(theirs, NAME + "-refreshed").get(key)).as("refresh").isEqualTo(-1);
        meanwhile.add(() -> same.invalidate(key));
        one.refresh(key).join();
        assertThat(cold(theirs, NAME + "-refreshed").get(key)).as("refresh").isNull();
        meanwhile.add(() -> {});
        one.refresh(key).join();
        Long last = cold(theirs, NAME + "-refreshed").get(key);
        assertThat(last == null || last == 7).isTrue(); // late reports may prevent it
      }
    }
  }

  private static PersistentCache<String, Long> stored(Rockpool pool) {
    return cold(pool, NAME);
  }

  private static PersistentCache<String, Long> cold(Rockpool pool, String name) {
    return pool.cache(name, String.class, Long.class);
  }

  private static void expect(Rockpool theirs, String key, String what) {
    Long there = stored(theirs).get(key);
    assertThat(there == null || there == -1).as(what + " stores " + there).isTrue();
  }
}
