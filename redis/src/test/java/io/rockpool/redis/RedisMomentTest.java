package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.EngineOptions;
import io.rockpool.testing.CallArguments;
import io.rockpool.testing.OneMoment;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SteppingClock;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every public operation of a cache on Redis decides at one moment: its answer and what it leaves
 * agree, whichever of its looks at the clock is the first that shows an entry as expired.
 */
@Slow
@Timeout(600)
@Needs(Tool.REDIS)
final class RedisMomentTest {
  private static final String K = CallArguments.EXPIRING;

  /** Operations that end the cache, and measurements, which count what the test itself does. */
  private static final Set<String> WITHOUT =
      Set.of("close", "hashCode", "statistics", "hotMemory", "hotSize", "countedSize");

  private record World(PersistentCache<String, Long> cache) implements OneMoment.World {
    World {
      cache.put("z", 9L);
      cache.put(K, 1L, OneMoment.LIFE);
    }

    @Override
    public Object subject() {
      return cache;
    }

    @Override
    public Object state() {
      return new TreeMap<>(cache.getAll(List.of("j", K, "l", "z", "zz")));
    }

    @Override
    public void close() {
      cache.clear();
    }
  }

  @ParameterizedTest(name = "{0} hot entries")
  @ValueSource(longs = {0, 10_000})
  void isDecidedAtOneMoment(long hotEntries) throws Exception {
    SteppingClock clock = new SteppingClock();
    CallArguments arguments =
        new CallArguments()
            .ofMaps()
            .keys("E")
            .put("Collection<K>", List.of(K, "z"))
            .put("Collection", List.of(K, "z"));
    try (RedisServer server = RedisServer.start();
        Rockpool pool =
            Rockpool.at(
                    o ->
                        RedisEngine.open(
                            server.uri("?timeout=20s&feed-timeout=20s"),
                            new EngineOptions(clock, null, Map.of())))
                .open()) {
      CacheOptions<String, Long> options =
          CacheOptions.<String, Long>defaults().hotEntries(hotEntries);
      OneMoment each =
          new OneMoment(
                  pool,
                  clock,
                  arguments,
                  any -> new World(pool.cache("name", String.class, Long.class, o -> options)))
              .without(WITHOUT);
      assertThat(String.join("\n", each.run(PersistentCache.class))).isEmpty();
      assertThat(each.runs()).isGreaterThan(100);
    }
  }
}
