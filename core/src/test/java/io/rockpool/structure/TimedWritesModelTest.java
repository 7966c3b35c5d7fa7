package io.rockpool.structure;

import io.rockpool.Rockpool;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.ModelCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TimedWritesModelTest {
  private static final int STEPS_ON_DISK = 150;
  private static final int STEPS_IN_MEMORY = 600;

  @TempDir Path directory;
  private int worlds;

  /** The structures with conditional writes that start a time to live. */
  @SuppressWarnings("ImmutableEnumChecker") // only a test
  enum Type {
    MAP(pool -> new MapSlots(pool.map("model", String.class, Long.class))),
    SORTED_MAP(pool -> new MapSlots(pool.sortedMap("model", String.class, Long.class))),
    TABLE(pool -> new TableSlots(pool.table("model", String.class, String.class, Long.class))),
    VALUE(ValueSlots::new),
    COUNTER(CounterSlots::new);

    private final Function<Rockpool, TimedWritesWorld.Slots> opener;

    Type(Function<Rockpool, TimedWritesWorld.Slots> opener) {
      this.opener = opener;
    }

    ModelCheck.World world(StoreUnderTest store) {
      return new TimedWritesWorld(store, opener);
    }
  }

  static Stream<Arguments> all() {
    return Stream.of(Type.values())
        .flatMap(type -> Stream.of(Kind.values()).map(kind -> Arguments.of(type, kind)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void doesWhatOneValueAndOneExpiryDo(Type type, Kind kind) {
    ModelCheck.run(
        () -> type.world(new StoreUnderTest(kind, directory.resolve("world-" + worlds++))),
        kind == Kind.ROCKSDB ? STEPS_ON_DISK : STEPS_IN_MEMORY);
  }

  private record MapSlots(EntryMap<String, Long> map) implements TimedWritesWorld.Slots {
    @Override
    public Long get(String key) {
      return map.get(key);
    }

    @Override
    public Optional<Duration> ttl(String key) {
      return map.ttl(key);
    }

    @Override
    public void put(String key, long value, Duration ttl) {
      if (ttl == null) {
        map.put(key, value);
      } else {
        map.put(key, value, ttl);
      }
    }

    @Override
    public Boolean putIfAbsent(String key, long value, Duration ttl) {
      return null == (ttl == null ? map.putIfAbsent(key, value) : map.putIfAbsent(key, value, ttl));
    }

    @Override
    public Boolean replace(String key, long value, Duration ttl) {
      return null != (ttl == null ? map.replace(key, value) : map.putIfPresent(key, value, ttl));
    }

    @Override
    public boolean compareAndSet(String key, long expected, long next, Duration ttl) {
      return ttl == null
          ? map.replace(key, expected, next)
          : map.replace(key, (Long) expected, (Long) next, ttl);
    }

    @Override
    public Long getAndPut(String key, long value, Duration ttl) {
      return ttl == null ? map.put(key, value) : map.getAndPut(key, value, ttl);
    }

    @Override
    public long increment(String key, long by, Duration ttl) {
      return ttl == null ? map.increment(key, by) : map.increment(key, by, ttl);
    }

    @Override
    public boolean expireAfter(String key, Duration ttl, ExpiryCondition condition) {
      return map.expireAfter(key, ttl, condition);
    }
  }

  private record TableSlots(PersistentTable<String, String, Long> table)
      implements TimedWritesWorld.Slots {
    @Override
    public Long get(String key) {
      return table.get("row", key);
    }

    @Override
    public Optional<Duration> ttl(String key) {
      return table.ttl("row", key);
    }

    @Override
    public void put(String key, long value, Duration ttl) {
      if (ttl == null) {
        table.put("row", key, value);
      } else {
        table.put("row", key, value, ttl);
      }
    }

    @Override
    public Boolean putIfAbsent(String key, long value, Duration ttl) {
      return null
          == (ttl == null
              ? table.putIfAbsent("row", key, value)
              : table.putIfAbsent("row", key, value, ttl));
    }

    @Override
    public Boolean replace(String key, long value, Duration ttl) {
      return null
          != (ttl == null
              ? table.replace("row", key, value)
              : table.putIfPresent("row", key, value, ttl));
    }

    @Override
    public boolean compareAndSet(String key, long expected, long next, Duration ttl) {
      return ttl == null
          ? table.compareAndSet("row", key, expected, next)
          : table.compareAndSet("row", key, expected, next, ttl);
    }

    @Override
    public Long getAndPut(String key, long value, Duration ttl) {
      return ttl == null
          ? table.getAndPut("row", key, value)
          : table.getAndPut("row", key, value, ttl);
    }

    @Override
    public long increment(String key, long by, Duration ttl) {
      return ttl == null ? table.increment("row", key, by) : table.increment("row", key, by, ttl);
    }

    @Override
    public boolean expireAfter(String key, Duration ttl, ExpiryCondition condition) {
      return table.expireAfter("row", key, ttl, condition);
    }
  }

  /** A value for each key; all are opened at once, because a transaction cannot open one. */
  private static final class ValueSlots implements TimedWritesWorld.Slots {
    private final Rockpool pool;

    ValueSlots(Rockpool pool) {
      this.pool = pool;
      Stream.of("a", "b", "c").forEach(this::of);
    }

    private PersistentValue<Long> of(String key) {
      return pool.value("model/" + key, Long.class);
    }

    @Override
    public Long get(String key) {
      return of(key).get();
    }

    @Override
    public Optional<Duration> ttl(String key) {
      return of(key).clearsIn();
    }

    @Override
    public void put(String key, long value, Duration ttl) {
      if (ttl == null) {
        of(key).set(value);
      } else {
        of(key).set(value, ttl);
      }
    }

    @Override
    public Boolean putIfAbsent(String key, long value, Duration ttl) {
      return ttl == null ? of(key).setIfAbsent(value) : of(key).setIfAbsent(value, ttl);
    }

    @Override
    public Boolean replace(String key, long value, Duration ttl) {
      return ttl == null ? of(key).setIfPresent(value) : of(key).setIfPresent(value, ttl);
    }

    @Override
    public boolean compareAndSet(String key, long expected, long next, Duration ttl) {
      return ttl == null
          ? of(key).compareAndSet(expected, next)
          : of(key).compareAndSet(expected, next, ttl);
    }

    @Override
    public Long getAndPut(String key, long value, Duration ttl) {
      return ttl == null ? of(key).getAndSet(value) : of(key).getAndSet(value, ttl);
    }

    @Override
    public long increment(String key, long by, Duration ttl) {
      return ttl == null ? of(key).increment(by) : of(key).increment(by, ttl);
    }

    @Override
    public boolean expireAfter(String key, Duration ttl, ExpiryCondition condition) {
      return of(key).clearAfter(ttl, condition);
    }
  }

  private static final class CounterSlots implements TimedWritesWorld.Slots {
    private final Rockpool pool;

    CounterSlots(Rockpool pool) {
      this.pool = pool;
      Stream.of("a", "b", "c").forEach(this::of);
    }

    private PersistentCounter of(String key) {
      return pool.counter("model/" + key);
    }

    @Override
    public boolean startsAtZero() {
      return true;
    }

    @Override
    public Long get(String key) {
      return of(key).get();
    }

    @Override
    public Optional<Duration> ttl(String key) {
      return of(key).clearsIn();
    }

    @Override
    public void put(String key, long value, Duration ttl) {
      if (ttl == null) {
        of(key).set(value);
      } else {
        of(key).set(value, ttl);
      }
    }

    @Override
    public Boolean putIfAbsent(String key, long value, Duration ttl) {
      return null;
    }

    @Override
    public Boolean replace(String key, long value, Duration ttl) {
      return null;
    }

    @Override
    public boolean compareAndSet(String key, long expected, long next, Duration ttl) {
      return ttl == null
          ? of(key).compareAndSet(expected, next)
          : of(key).compareAndSet(expected, next, ttl);
    }

    @Override
    public Long getAndPut(String key, long value, Duration ttl) {
      return ttl == null ? of(key).getAndSet(value) : of(key).getAndSet(value, ttl);
    }

    @Override
    public long increment(String key, long by, Duration ttl) {
      return ttl == null ? of(key).addAndGet(by) : of(key).addAndGet(by, ttl);
    }

    @Override
    public boolean expireAfter(String key, Duration ttl, ExpiryCondition condition) {
      return of(key).clearAfter(ttl, condition);
    }
  }
}
