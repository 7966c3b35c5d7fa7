package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.HandleUnderTest;
import io.rockpool.testing.ModelCheck;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Two stores over one engine's data put, read and invalidate entries with tags, while reports are
 * delayed and lost. What changes or decides is exact, but that a put may end at once if its tag was
 * invalidated and the report is on its way. A read returns what was there at some time since the
 * reports of its handle were delayed, and never goes back. And how many reads tags cost.
 */
final class SeveralHandlesTagsTest {
  private static final int STEPS = 2_000;
  private static final List<String> KEYS = List.of("a", "b", "c", "d");

  @Test
  void noHandleSeesWhatItMustNot() {
    ModelCheck.run(World::new, STEPS);
  }

  @Test
  void tagsCostOneReadAtMost() {
    HandleUnderTest handle = new HandleUnderTest(MemoryEngine.builder().shared().build());
    HandleUnderTest another = handle.another();
    try (Rockpool pool = Rockpool.at(o -> handle.engine()).open();
        Rockpool other = Rockpool.at(o -> another.engine()).open()) {
      PersistentCache<String, Long> plain = pool.cache("plain", String.class, Long.class);
      assertThat(trips(handle, () -> plain.put("k", 1L))).isEqualTo(1);
      assertThat(trips(handle, () -> plain.get("k"))).isZero();
      assertThat(trips(handle, () -> plain.get("absent"))).isEqualTo(1);

      PersistentCache<String, Long> cache = pool.cache("cache", String.class, Long.class);
      cache.put("k", 1L, Set.of("t", "u")); // makes the space of tags
      assertThat(trips(handle, () -> cache.put("k", 1L, Set.of("t", "u")))).isEqualTo(1);
      assertThat(trips(handle, () -> cache.get("k"))).isLessThanOrEqualTo(1);
      assertThat(trips(handle, () -> cache.get("k"))).isZero();
      PersistentCache<String, Long> cold =
          other.cache("cache", String.class, Long.class, o -> o.hotEntries(0));
      cold.get("k"); // opens the space of tags
      assertThat(trips(another, () -> cold.get("k"))).isLessThanOrEqualTo(2);
      assertThat(trips(another, () -> cold.get("k"))).isEqualTo(1);
      cold.invalidateTag("other");
      handle.settle();
      assertThat(trips(handle, () -> cache.get("k"))).isLessThanOrEqualTo(1);
      assertThat(trips(handle, () -> cache.get("k"))).isZero();
      cold.invalidateTag("t");
      handle.settle();
      assertThat(trips(handle, () -> assertThat(cache.get("k")).isNull())).isLessThanOrEqualTo(2);
    }
  }

  private static long trips(HandleUnderTest handle, Runnable call) {
    long before = handle.roundTrips();
    call.run();
    return handle.roundTrips() - before;
  }

  private static final class Handle implements AutoCloseable {
    final HandleUnderTest feed;
    final Rockpool pool;
    final PersistentCache<String, Long> cache;
    final Map<String, Integer> oldest = new HashMap<>();

    /** What it has removed by its tag. */
    final Set<Long> removed = new HashSet<>();

    boolean delayed;
    boolean lost;

    Handle(HandleUnderTest feed) {
      this.feed = feed;
      this.pool = Rockpool.at(o -> feed.engine()).open();
      this.cache = pool.cache("cache", String.class, Long.class, o -> o.tags((k, v) -> own(v)));
    }

    boolean isExact() {
      return lost || !delayed;
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  /** The tag of a value; none for some. */
  private static Set<String> own(long value) {
    return value % 4 == 0 ? Set.of() : Set.of("t" + value % 4);
  }

  private static final class World implements ModelCheck.World {
    private final MemoryEngine engine = MemoryEngine.builder().shared().build();
    private final List<Handle> handles =
        List.of(
            new Handle(new HandleUnderTest(engine)),
            new Handle(new HandleUnderTest(engine.openAnother())));
    private final Map<String, List<@Nullable Long>> states = new HashMap<>();
    private long lastValue;

    World() {
      for (String key : KEYS) {
        List<@Nullable Long> first = new ArrayList<>();
        first.add(null);
        states.put(key, first);
        handles.forEach(handle -> handle.oldest.put(key, 0));
      }
    }

    @Override
    public void step(Random random, Consumer<String> log) {
      int number = random.nextInt(2);
      Handle handle = handles.get(number);
      PersistentCache<String, Long> cache = handle.cache;
      String key = KEYS.get(random.nextInt(KEYS.size()));
      handles.forEach(each -> each.feed.settle());
      long value = ++lastValue;
      int operation = random.nextInt(16);
      log.accept("handle " + number + ": " + operation + " " + key + " " + value);
      switch (operation) {
        case 0, 1, 2 -> {
          cache.put(key, value);
          wrote(handle, key, value);
        }
        case 3 -> {
          assertThat(cache.getAndPut(key, value)).isEqualTo(now(key));
          wrote(handle, key, value);
        }
        case 4 -> {
          Long before = now(key);
          assertThat(cache.putIfAbsent(key, value)).isEqualTo(before);
          wrote(handle, key, before == null ? value : before);
        }
        case 5 -> {
          Long before = now(key);
          assertThat(cache.remove(key)).isEqualTo(before != null);
          wrote(handle, key, null);
        }
        case 6, 7 -> {
          String tag = "t" + (1 + random.nextInt(3));
          log.accept("  invalidates " + tag);
          if (random.nextBoolean()) {
            cache.invalidateTag(tag);
          } else {
            handle.pool.runAtomically(transaction -> cache.invalidateTag(tag));
          }
          for (String each : KEYS) {
            states.get(each).stream()
                .filter(there -> there != null && own(there).contains(tag))
                .forEach(handle.removed::add);
            if (handle.removed.contains(now(each))) {
              states.get(each).add(null);
            }
          }
        }
        case 8 -> {
          Map<String, Long> found = cache.getAll(KEYS);
          KEYS.forEach(each -> read(handle, each, found.get(each)));
        }
        case 9 -> {
          Map<String, Long> found = new HashMap<>(cache.asMap());
          found.forEach((each, there) -> read(handle, each, there));
          KEYS.stream()
              .filter(each -> !found.containsKey(each)) // an iterator that omits it shows nothing
              .forEach(each -> assertThat(allowed(handle, each)).containsNull());
        }
        case 10 -> {
          Long[] seen = new Long[1];
          handle.pool.runAtomically(transaction -> seen[0] = cache.get(key));
          assertThat(seen[0]).isEqualTo(now(key));
        }
        case 11 -> feed(random, handle, log);
        default -> read(handle, key, cache.get(key));
      }
    }

    private void feed(Random random, Handle handle, Consumer<String> log) {
      int what = random.nextInt(4);
      log.accept("  feed " + what);
      if (what == 0) {
        if (!handle.delayed) {
          KEYS.forEach(key -> handle.oldest.put(key, states.get(key).size() - 1));
        }
        handle.feed.delay();
        handle.delayed = true;
      } else if (what == 1) {
        handle.feed.lose();
        handle.lost = true;
      } else if (handle.lost) {
        handle.feed.regain();
        handle.lost = false;
        KEYS.forEach(key -> handle.oldest.put(key, states.get(key).size() - 1));
      } else {
        handle.feed.deliver();
        handle.delayed = false;
      }
    }

    private @Nullable Long now(String key) {
      List<@Nullable Long> all = states.get(key);
      return all.get(all.size() - 1);
    }

    private void wrote(Handle handle, String key, @Nullable Long value) {
      Long stored = value;
      if (value != null && !Objects.equals(value, now(key)) && !handle.isExact()) {
        stored = exact(handle, key);
        assertThat(stored).isIn(value, null);
      }
      if (!Objects.equals(stored, now(key))) {
        states.get(key).add(stored);
      }
      handle.oldest.put(key, states.get(key).size() - 1);
    }

    /** What a decision finds. */
    private static @Nullable Long exact(Handle handle, String key) {
      Long[] seen = new Long[1];
      try {
        handle.cache.computeIfPresent(
            key,
            (same, there) -> {
              seen[0] = there;
              throw new IllegalArgumentException("only looks");
            });
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessage("only looks");
      }
      return seen[0];
    }

    private void read(Handle handle, String key, @Nullable Long value) {
      List<@Nullable Long> allowed = allowed(handle, key);
      assertThat(allowed).as("what may be read of " + key).contains(value);
      assertThat(handle.removed).doesNotContain(value);
      int newer = allowed.size() - 1 - allowed.lastIndexOf(value);
      handle.oldest.put(key, states.get(key).size() - 1 - newer);
    }

    private List<@Nullable Long> allowed(Handle handle, String key) {
      List<@Nullable Long> all = states.get(key);
      int from = handle.isExact() ? all.size() - 1 : handle.oldest.get(key);
      return all.subList(from, all.size());
    }

    @Override
    public void close() {
      handles.forEach(Handle::close);
    }
  }
}
