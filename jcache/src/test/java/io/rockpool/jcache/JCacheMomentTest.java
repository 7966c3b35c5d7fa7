package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.CallArguments;
import io.rockpool.testing.OneMoment;
import io.rockpool.testing.SteppingClock;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.processor.EntryProcessor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every operation of {@link Cache} decides at one moment: its answer and what it leaves agree,
 * whichever of its looks at the clock is the first that shows an entry as expired.
 */
@Timeout(600)
class JCacheMomentTest extends JCacheTest {
  private static final String K = CallArguments.EXPIRING;

  /** Operations that end the cache or answer with what is not data. */
  private static final Set<String> WITHOUT =
      Set.of(
          "close",
          "unwrap",
          "getCacheManager",
          "getConfiguration",
          "registerCacheEntryListener",
          "deregisterCacheEntryListener",
          "iterator",
          "spliterator",
          "loadAll");

  /** Each of their entries begins its own life at its own moment. */
  private static final Set<String> BULK = Set.of("putAll", "invokeAll");

  /** Lives as long as is said for what is written next. */
  private static final class Lives implements ExpiryPolicy {
    private Duration next = Duration.ETERNAL;

    @Override
    public Duration getExpiryForCreation() {
      return next;
    }

    @Override
    public Duration getExpiryForAccess() {
      return null;
    }

    @Override
    public Duration getExpiryForUpdate() {
      return next;
    }
  }

  private static final class World implements OneMoment.World {
    private final Cache<String, Long> cache;

    World(Cache<String, Long> cache, Lives lives, Duration later) {
      this.cache = cache;
      lives.next = Duration.ETERNAL;
      cache.put("z", 9L);
      lives.next = new Duration(TimeUnit.MILLISECONDS, OneMoment.LIFE.toMillis());
      cache.put(K, 1L);
      lives.next = later;
    }

    @Override
    public Object subject() {
      return cache;
    }

    @Override
    public Object state() {
      Map<String, Long> state = new TreeMap<>();
      cache.forEach(entry -> state.put(entry.getKey(), entry.getValue()));
      return state;
    }

    @Override
    public void close() {
      cache.removeAll();
    }
  }

  private static CallArguments arguments() {
    EntryProcessor<String, Long, Object> set =
        (entry, all) -> {
          boolean was = entry.exists();
          entry.setValue(was ? entry.getValue() + 1 : 5L);
          return was;
        };
    EntryProcessor<String, Long, Object> remove =
        (entry, all) -> {
          boolean was = entry.exists();
          entry.remove();
          return was;
        };
    return new CallArguments()
        .ofMaps()
        .put("Object", K)
        .put("Object[]", (Object) new Object[0])
        .put("Set", Set.of(K, "l", "z"))
        .put("EntryProcessor", set, remove);
  }

  @ParameterizedTest(name = "new entries live {0} ms, events: {1}")
  @CsvSource({"3600000, false", "3600000, true", "10000, false", "10000, true"})
  void isDecidedAtOneMoment(long laterMillis, boolean events) {
    SteppingClock clock = new SteppingClock();
    MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
    Lives lives = new Lives();
    try (RockpoolJCacheManager manager = managerOver(engine)) {
      Cache<String, Long> cache =
          manager.createCache(
              "name", RockpoolConfiguration.of(String.class, Long.class).expiry(() -> lives));
      if (events) {
        CacheEntryCreatedListener<String, Long> listener = all -> all.forEach(each -> {});
        cache.registerCacheEntryListener(
            new MutableCacheEntryListenerConfiguration<>(() -> listener, null, true, true));
      }
      Duration later = new Duration(TimeUnit.MILLISECONDS, laterMillis);
      OneMoment each =
          new OneMoment(null, clock, arguments(), any -> new World(cache, lives, later))
              .without(WITHOUT);
      if (laterMillis == OneMoment.LIFE.toMillis()) {
        each.without(BULK);
      }
      assertThat(String.join("\n", each.run(Cache.class))).isEmpty();
      assertThat(each.runs()).isGreaterThan(50);
    }
  }
}
