package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.testing.CallArguments;
import io.rockpool.testing.OneMoment;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SteppingClock;
import io.rockpool.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every public operation of a cache decides at one moment: its answer and what it leaves agree,
 * whichever of its looks at the clock is the first that shows an entry as expired.
 */
@Slow
@Timeout(600)
final class CacheMomentTest {
  private static final String NAME = "name";

  /** What new entries live; the one that expires was written long before. */
  private static final Duration LONG = Duration.ofHours(1);

  private static final String K = CallArguments.EXPIRING;

  /** Operations that end the cache, and measurements, which count what the test itself does. */
  private static final Set<String> WITHOUT =
      Set.of("close", "hashCode", "statistics", "hotMemory", "hotSize", "countedSize");

  @TempDir Path directory;

  /** Where the entries are. */
  enum Place {
    MEMORY,
    SHARED,
    ROCKSDB
  }

  /** Why the entry expires. */
  enum Ending {
    TTL,
    POLICY,
    UNUSED
  }

  private Engine open(Place place, SteppingClock clock) {
    return switch (place) {
      case MEMORY ->
          TestServer.provided()
              .map(server -> server.newStore().apply(clock))
              .orElseGet(() -> MemoryEngine.builder().clock(clock).build());
      case SHARED -> MemoryEngine.builder().clock(clock).shared().build();
      case ROCKSDB -> RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build());
    };
  }

  private static final class World implements OneMoment.World {
    private final PersistentCache<String, Long> cache;

    World(Rockpool pool, SteppingClock clock, Ending ending, long hotEntries) {
      long begun = clock.nowMillis();
      cache =
          pool.cache(
              NAME,
              String.class,
              Long.class,
              o ->
                  switch (ending) {
                    case TTL -> o.hotEntries(hotEntries);
                    case POLICY -> o.hotEntries(hotEntries).expiry(CacheExpiry.afterWrite(LONG));
                    case UNUSED -> o.hotEntries(hotEntries).expiry(CacheExpiry.afterAccess(LONG));
                  });
      if (ending == Ending.TTL) {
        cache.put("z", 9L);
        cache.put(K, 1L, OneMoment.LIFE);
      } else {
        clock.setMillis(begun - LONG.toMillis() + OneMoment.LIFE.toMillis());
        cache.put(K, 1L);
      }
      assertThat(cache.get(K)).isEqualTo(1L);
      clock.setMillis(begun);
    }

    @Override
    public Object subject() {
      return cache;
    }

    @Override
    public Object state() {
      Map<String, String> state = new TreeMap<>();
      cache
          .getAll(List.of("j", K, "l", "z", "zz"))
          .forEach((key, value) -> state.put(key, value + lasting(key)));
      return state;
    }

    private String lasting(String key) {
      return cache.ttl(key).orElseThrow().equals(CacheExpiry.FOREVER) ? "" : " for a time";
    }

    @Override
    public void close() {
      cache.clear();
    }
  }

  static Stream<Arguments> all() {
    List<Arguments> all = new ArrayList<>();
    for (Place place : Place.values()) {
      for (Ending ending : Ending.values()) {
        all.add(Arguments.of(place, ending, 0, false));
        all.add(Arguments.of(place, ending, 10_000, false));
        all.add(Arguments.of(place, ending, 10_000, true));
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{0}, {1}, {2} hot entries, in a transaction: {3}")
  @MethodSource("all")
  void isDecidedAtOneMoment(Place place, Ending ending, long hotEntries, boolean inTransaction) {
    SteppingClock clock = new SteppingClock();
    CallArguments arguments =
        new CallArguments()
            .ofMaps()
            .keys("E")
            .put("Collection<K>", List.of(K, "z"))
            .put("Collection", List.of(K, "z"));
    try (Rockpool pool = Rockpool.at(o -> open(place, clock)).open()) {
      OneMoment each =
          new OneMoment(pool, clock, arguments, any -> new World(pool, clock, ending, hotEntries))
              .without(WITHOUT);
      if (ending == Ending.UNUSED) {
        // A read in the last moment prolongs no life: others may have seen the end already.
        each.disregarding("k=1 for a time(, )?");
      }
      if (inTransaction) {
        each.inTransaction();
      }
      assertThat(String.join("\n", each.run(PersistentCache.class))).isEmpty();
      assertThat(each.runs()).isGreaterThan(100);
    }
  }
}
