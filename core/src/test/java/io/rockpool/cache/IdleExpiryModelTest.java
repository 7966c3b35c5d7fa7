package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.StoreFullException;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.LeavesOpen;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations through two caches of one name, beside a model that knows of each entry until
 * when it lives by the rules, with the store closed, killed and full among them. Nothing is served
 * that has ended, and nothing is lost that lives, but what reads have added since the last time the
 * store was closed, where it is killed.
 */
@Slow
@LeavesOpen("a killed process is played by a store that is never closed")
final class IdleExpiryModelTest {
  private static final long MINUTE = 60_000;
  private static final long DAY = 24 * 60 * MINUTE;
  private static final int KEYS = 6;
  private static final TypeRef<String> STRING = TypeRef.of(String.class);
  private static final TypeRef<Integer> INTEGER = TypeRef.of(Integer.class);

  /** Pairs of policies, the first of which uses accesses, with times of about this many millis. */
  private record Policies(
      CacheExpiry<String, Integer> first, CacheExpiry<String, Integer> second, long unit) {}

  private static final List<Policies> POLICIES =
      List.of(
          new Policies(idle(10), CacheExpiry.never(), MINUTE),
          new Policies(idle(10), idle(60), MINUTE),
          new Policies(shortening(60, 10), CacheExpiry.afterWrite(Duration.ofMinutes(30)), MINUTE),
          new Policies(shortening(10, 0), shortening(20, 5), MINUTE),
          new Policies(
              CacheExpiry.afterWriteOrAccess(Duration.ofDays(100), Duration.ofDays(40)),
              CacheExpiry.afterWrite(Duration.ofDays(60)),
              4 * DAY));

  private static CacheExpiry<String, Integer> idle(long minutes) {
    return CacheExpiry.afterAccess(Duration.ofMinutes(minutes));
  }

  private static CacheExpiry<String, Integer> shortening(long created, long accessed) {
    return new FixedExpiry<>(Duration.ofMinutes(created), null, Duration.ofMinutes(accessed), null);
  }

  /**
   * An entry by the rules.
   *
   * @param deadline from when on it is gone
   * @param floor from when on it may be gone if the process is killed
   * @param end what no read moves the deadline beyond, of a cache with a limit
   */
  private record Entry(int value, long deadline, long floor, long end) {}

  private final FakeClock clock = new FakeClock();
  private final RefusingEngine refusing = new RefusingEngine();
  private final Map<String, Entry> model = new HashMap<>();
  private final List<PersistentCache<String, Integer>> caches = new ArrayList<>();
  private Policies policies = POLICIES.get(0);
  private Random random = new Random(0);
  private @Nullable MemoryEngine memory;
  private Rockpool pool;
  private int nextValue;

  static LongStream seeds() {
    return Seeds.all();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void inMemory(long seed) {
    for (int i = 0; i < POLICIES.size(); i++) {
      begin(seed, i);
      memory = MemoryEngine.builder().clock(clock).build();
      open(refusing.over(memory));
      for (int step = 0; step < 2_000; step++) {
        step(true);
      }
      pool.close();
    }
  }

  @Test
  void onDisk(@TempDir Path directory) {
    for (int i = 0; i < POLICIES.size(); i++) {
      Path where = directory.resolve("" + i);
      begin(7, i);
      openOnDisk(where);
      for (int step = 0; step < 400; step++) {
        step(false);
        if (step % 100 == 99) {
          closed();
          openOnDisk(where);
        }
      }
      pool.close();
    }
  }

  private void begin(long seed, int number) {
    random = new Random(seed * 31 + number);
    policies = POLICIES.get(number);
    model.clear();
  }

  private void openOnDisk(Path where) {
    open(refusing.over(RocksDbEngine.open(where, RocksDbOptions.builder().clock(clock).build())));
  }

  private void open(Engine engine) {
    pool = Rockpool.at(o -> engine).open();
    caches.clear();
    for (CacheExpiry<String, Integer> expiry : List.of(policies.first, policies.second)) {
      CacheOptions<String, Integer> options = CacheOptions.<String, Integer>defaults();
      caches.add(
          Internals.store(pool)
              .caches()
              .openOwn(
                  "idle",
                  STRING,
                  INTEGER,
                  options.hotEntries(List.of(0, 2, 1_000).get(random.nextInt(3))).expiry(expiry)));
    }
  }

  private void step(boolean mayRestart) {
    int which = random.nextInt(2);
    PersistentCache<String, Integer> cache = caches.get(which);
    CacheExpiry<String, Integer> expiry = which == 0 ? policies.first : policies.second;
    String key = "k" + random.nextInt(KEYS);
    int kind = random.nextInt(mayRestart ? 1_000 : 980);
    if (kind < 250) {
      assertThat(cache.get(key)).as(key).isEqualTo(value(key));
      read(expiry, key);
    } else if (kind < 300) {
      assertThat(cache.getAll(List.of(key)))
          .isEqualTo(live(key) == null ? Map.of() : Map.of(key, live(key).value));
      read(expiry, key);
    } else if (kind < 350) {
      assertThat(cache.containsKey(key)).isEqualTo(live(key) != null);
    } else if (kind < 450) {
      assertThat(cache.ttl(key)).as(key).isEqualTo(ttl(key));
    } else if (kind < 550) {
      int value = random.nextInt(4) == 0 && value(key) != null ? value(key) : nextValue++;
      cache.put(key, value);
      written(expiry, key, value, null);
    } else if (kind < 600) {
      Duration ttl = Duration.ofMillis(random.nextInt(20) * policies.unit);
      cache.put(key, nextValue, ttl);
      written(expiry, key, nextValue++, ttl);
    } else if (kind < 630) {
      assertThat(cache.remove(key)).isEqualTo(live(key) != null);
      model.remove(key);
    } else if (kind < 660) {
      boolean before = live(key) != null;
      assertThat(cache.putIfAbsent(key, nextValue)).isEqualTo(value(key));
      if (!before) {
        written(expiry, key, nextValue, null);
      }
      nextValue++;
    } else if (kind < 690) {
      Map<String, Integer> all = new HashMap<>();
      cache.forEach(entry -> all.put(entry.getKey(), entry.getValue()));
      assertThat(all).isEqualTo(liveValues());
    } else if (kind < 720) {
      boolean fails = random.nextBoolean();
      inTransaction(cache, key, fails);
      read(expiry, key);
    } else if (kind < 740) {
      whileFull(which, cache, expiry, key);
    } else if (kind < 980) {
      long unit = policies.unit;
      clock.advanceMillis(random.nextInt(4) > 0 ? random.nextInt(5) * unit : random.nextInt(3));
    } else if (kind < 990) {
      closed();
      open(refusing.over(Objects.requireNonNull(memory)));
    } else {
      killed();
    }
  }

  private void inTransaction(PersistentCache<String, Integer> cache, String key, boolean fails) {
    Integer expected = value(key);
    try {
      pool.atomically(
          transaction -> {
            assertThat(cache.get(key)).isEqualTo(expected);
            if (fails) {
              throw new IllegalArgumentException("rolled back");
            }
            return 0;
          });
    } catch (IllegalArgumentException e) {
      assertThat(fails).isTrue();
    }
  }

  /** Reads through both caches while nothing can be written, until some of it has expired. */
  private void whileFull(
      int which,
      PersistentCache<String, Integer> cache,
      CacheExpiry<String, Integer> expiry,
      String key) {
    refusing.full = true;
    Entry before = live(key);
    for (int i = 0; i < 6; i++) {
      loseUnwritten(cache, key, before);
      assertThat(cache.get(key)).as(key).isEqualTo(value(key));
      read(expiry, key);
      assertThat(caches.get(1 - which).get(key)).as(key).isEqualTo(value(key));
      read(which == 0 ? policies.second : policies.first, key);
      clock.advanceMillis(random.nextInt(6) * policies.unit / 2);
    }
    assertThatThrownBy(() -> cache.put(key, 0)).isInstanceOf(StoreFullException.class);
    refusing.full = false;
    clock.advanceMillis(2_000);
    for (int i = 0; i < KEYS; i++) { // what was left is tried again, by reads that move something
      caches.get(0).put("other", 0);
      clock.advanceMillis(1);
      assertThat(caches.get(0).get("other")).isZero();
    }
    caches.get(0).remove("other");
    loseUnwritten(cache, key, before);
  }

  /** What reads have added needs a write where the record does not last so long. */
  private void loseUnwritten(
      PersistentCache<String, Integer> cache, String key, @Nullable Entry before) {
    if (before != null && before.deadline <= clock.millis() && !cache.containsKey(key)) {
      model.remove(key);
    }
  }

  private void written(
      CacheExpiry<String, Integer> expiry, String key, int value, @Nullable Duration ttl) {
    Entry before = live(key);
    Duration lasts =
        ttl != null
            ? ttl
            : before == null ? expiry.afterCreation(key, value) : expiry.afterUpdate(key, value);
    long deadline = lasts == null ? before.deadline : Expiry.after(clock, lasts);
    Duration limit = expiry.usesAccess() ? expiry.limit(value) : null;
    long end = limit == null ? deadline : Math.max(deadline, clock.millis() + limit.toMillis());
    model.put(key, new Entry(value, deadline, deadline, end));
  }

  private void read(CacheExpiry<String, Integer> expiry, String key) {
    Entry entry = live(key);
    Duration ttl = entry == null ? null : expiry.afterAccess(key, entry.value);
    if (ttl != null) {
      long deadline = Expiry.after(clock, ttl);
      if (expiry.limit(entry.value) != null) {
        deadline = Math.min(deadline, entry.end);
      }
      model.put(key, new Entry(entry.value, deadline, Math.min(entry.floor, deadline), entry.end));
    }
  }

  private void closed() {
    pool.close();
    model.replaceAll((key, e) -> new Entry(e.value, e.deadline, e.deadline, e.end));
    if (memory != null) {
      memory = memory.reopen();
    }
  }

  private void killed() {
    MemoryEngine before = Objects.requireNonNull(memory);
    memory = before.reopen();
    open(refusing.over(memory));
    for (String key : List.copyOf(model.keySet())) {
      Entry entry = model.get(key);
      Optional<Duration> ttl = caches.get(0).ttl(key);
      long now = clock.millis();
      long deadline =
          ttl.isEmpty()
              ? now
              : ttl.get().equals(CacheExpiry.FOREVER) ? Expiry.NEVER : now + ttl.get().toMillis();
      assertThat(deadline)
          .as(key)
          .isBetween(Math.min(now, entry.deadline), Math.max(now, entry.deadline));
      assertThat(deadline)
          .as(key)
          .isGreaterThanOrEqualTo(
              Math.min(Math.max(now, entry.floor), Math.max(now, entry.deadline)));
      model.put(key, new Entry(entry.value, deadline, deadline, entry.end));
    }
  }

  private @Nullable Entry live(String key) {
    Entry entry = model.get(key);
    return entry == null || entry.deadline <= clock.millis() ? null : entry;
  }

  private @Nullable Integer value(String key) {
    Entry entry = live(key);
    return entry == null ? null : (Integer) entry.value;
  }

  private Optional<Duration> ttl(String key) {
    Entry entry = live(key);
    return entry == null
        ? Optional.empty()
        : Optional.of(
            entry.deadline == Expiry.NEVER
                ? CacheExpiry.FOREVER
                : Duration.ofMillis(entry.deadline - clock.millis()));
  }

  private Map<String, Integer> liveValues() {
    Map<String, Integer> values = new HashMap<>();
    model.forEach(
        (key, entry) -> {
          if (live(key) != null) {
            values.put(key, entry.value);
          }
        });
    return values;
  }
}
