package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.ValueLoader;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.testing.HandleUnderTest;
import io.rockpool.testing.ModelCheck;
import io.rockpool.testing.NotEncrypted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random operations of two stores on a cache of one engine's data, whose adversary invents
 * conflicts and unknown outcomes, while reports are delayed and lost. Operations that change or
 * decide are exact. A read returns what was there at some time since the reports of its handle were
 * delayed, and never goes back.
 */
@NotEncrypted("some of its handles are engines without Rockpool")
final class SeveralHandlesModelTest {
  private static final int STEPS = 3_000;
  private static final double UNKNOWN_OUTCOMES = 0.03;
  private static final List<String> KEYS = List.of("a", "b", "c", "d");

  @Test
  void noHandleSeesWhatItMustNot() {
    ModelCheck.run(CacheWorld::new, STEPS);
  }

  /** One of the handles, and the oldest state of each key that it may still see. */
  private static final class Handle implements AutoCloseable {
    final HandleUnderTest feed;
    final Rockpool pool;
    final PersistentCache<String, Long> cache;
    final Map<String, Integer> oldest = new HashMap<>();
    boolean delayed;
    boolean lost;

    Handle(HandleUnderTest feed) {
      this.feed = feed;
      this.pool = Rockpool.at(o -> feed.engine()).open();
      this.cache = pool.cache("cache", String.class, Long.class);
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  private static final class CacheWorld implements ModelCheck.World {
    private final MemoryEngine engine =
        MemoryEngine.builder().adversary(1).unknownOutcomes(UNKNOWN_OUTCOMES).shared().build();
    private final List<Handle> handles =
        List.of(
            new Handle(new HandleUnderTest(engine)),
            new Handle(new HandleUnderTest(engine.openAnother())));

    /** Reads what is stored, past all memory. */
    private final Rockpool observer = Rockpool.at(o -> engine.openAnother()).open();

    private final PersistentCache<String, Long> stored =
        observer.cache("cache", String.class, Long.class, options -> options.hotEntries(0));

    /** The states of each key, oldest first. Each value is put once. */
    private final Map<String, List<@Nullable Long>> states = new HashMap<>();

    private long lastValue;

    CacheWorld() {
      KEYS.forEach(
          key -> {
            List<@Nullable Long> first = new ArrayList<>();
            first.add(null);
            states.put(key, first);
            handles.forEach(handle -> handle.oldest.put(key, 0));
          });
    }

    @Override
    public void step(Random random, Consumer<String> log) {
      int number = random.nextInt(handles.size());
      Handle handle = handles.get(number);
      Handle other = handles.get(1 - number);
      String key = KEYS.get(random.nextInt(KEYS.size()));
      handles.forEach(each -> each.feed.settle());
      try {
        step(random, handle, other, key, what -> log.accept("handle " + number + ": " + what));
      } catch (OutcomeUnknownException e) {
        log.accept("  its outcome is unknown");
      } finally {
        KEYS.forEach(this::observe);
      }
    }

    private void step(
        Random random, Handle handle, Handle other, String key, Consumer<String> log) {
      PersistentCache<String, Long> cache = handle.cache;
      long value = ++lastValue;
      Long now = now(key);
      switch (random.nextInt(23)) {
        case 0, 1 -> {
          log.accept("put " + key + " " + value);
          cache.put(key, value);
          wrote(handle, key, value);
        }
        case 2 -> {
          log.accept("invalidate " + key);
          cache.invalidate(key);
          wrote(handle, key, null);
        }
        case 3 -> {
          log.accept("remove " + key);
          assertThat(cache.remove(key)).isEqualTo(now != null);
          wrote(handle, key, null);
        }
        case 4 -> {
          log.accept("getAndPut " + key + " " + value);
          assertThat(cache.getAndPut(key, value)).isEqualTo(now);
          wrote(handle, key, value);
        }
        case 5 -> {
          log.accept("putIfAbsent " + key + " " + value);
          assertThat(cache.putIfAbsent(key, value)).isEqualTo(now);
          wrote(handle, key, now == null ? value : now);
        }
        case 6 -> {
          log.accept("compute " + key + " " + value);
          cache.compute(
              key,
              (same, there) -> {
                assertThat(there).isEqualTo(now);
                return value;
              });
          wrote(handle, key, value);
        }
        case 7 -> {
          log.accept("compute without a change " + key);
          assertThat(cache.computeIfPresent(key, (same, there) -> there)).isEqualTo(now);
          wrote(handle, key, now);
        }
        case 8 -> {
          log.accept("putAll " + value);
          Map<String, Long> all = new LinkedHashMap<>();
          KEYS.subList(0, 2).forEach(each -> all.put(each, value * 10_000 + all.size()));
          cache.putAll(all);
          all.forEach((each, put) -> wrote(handle, each, put));
        }
        case 9 -> {
          log.accept("clear");
          cache.clear();
          KEYS.forEach(each -> wrote(handle, each, null));
        }
        case 10 -> {
          log.accept("atomically " + key + " " + value);
          Long[] seen = new Long[1];
          handle.pool.runAtomically(
              transaction -> {
                seen[0] = cache.get(key);
                cache.put(key, value);
              });
          assertThat(seen[0]).isEqualTo(now);
          wrote(handle, key, value);
        }
        case 11 -> {
          log.accept("iterate");
          Map<String, Long> found = new HashMap<>();
          cache.forEach(entry -> found.put(entry.getKey(), entry.getValue()));
          found.forEach((each, there) -> read(handle, each, there));
          KEYS.stream()
              .filter(each -> !found.containsKey(each)) // an iterator that omits it shows nothing
              .forEach(each -> assertThat(allowed(handle, each)).containsNull());
        }
        case 12 -> {
          log.accept("getAll");
          Map<String, Long> found = cache.getAll(KEYS);
          KEYS.forEach(each -> read(handle, each, found.get(each)));
        }
        case 13 -> load(random, handle, other, key, value, log);
        case 14 -> feed(random, handle, log);
        case 15, 16 -> {
          log.accept("latest get " + key);
          assertThat(handle.pool.<@Nullable Long>withLatestReads(() -> cache.get(key)))
              .isEqualTo(now);
          wrote(handle, key, now);
        }
        case 17, 18 -> conditionally(random, handle, key, value, now, log);
        default -> {
          log.accept("get " + key);
          read(handle, key, cache.get(key));
        }
      }
    }

    /** Changes a key if it has a value, which may be an earlier one. */
    private void conditionally(
        Random random,
        Handle handle,
        String key,
        long value,
        @Nullable Long now,
        Consumer<String> log) {
      PersistentCache<String, Long> cache = handle.cache;
      List<@Nullable Long> all = states.get(key);
      Long some = all.get(random.nextInt(all.size()));
      Long expected = random.nextBoolean() || some == null ? now : some;
      boolean same = expected != null && expected.equals(now);
      switch (random.nextInt(4)) {
        case 0 -> {
          log.accept("replace " + key + " " + value);
          assertThat(cache.replace(key, value)).isEqualTo(now);
          wrote(handle, key, now == null ? null : value);
        }
        case 1 -> {
          log.accept("getAndRemove " + key);
          assertThat(cache.getAndRemove(key)).isEqualTo(now);
          wrote(handle, key, null);
        }
        case 2 -> {
          log.accept("replace " + key + " " + expected + " " + value);
          if (expected != null) {
            assertThat(cache.replace(key, expected, value)).isEqualTo(same);
            wrote(handle, key, same ? Long.valueOf(value) : now);
          }
        }
        default -> {
          log.accept("remove " + key + " " + expected);
          if (expected != null) {
            assertThat(cache.remove(key, expected)).isEqualTo(same);
            wrote(handle, key, same ? null : now);
          }
        }
      }
    }

    /** Loads a key; the other handle may change it meanwhile. */
    private void load(
        Random random, Handle handle, Handle other, String key, long value, Consumer<String> log) {
      int meanwhile = random.nextInt(4);
      boolean many = random.nextBoolean();
      log.accept("load " + key + " " + value + ", meanwhile " + meanwhile + ", many " + many);
      Long before = now(key);
      boolean[] loaded = new boolean[1];
      boolean reported = !handle.delayed && !handle.lost;
      ValueLoader<String, Long> loader =
          same -> {
            loaded[0] = true;
            change(other, key, meanwhile, -value);
            if (reported && !many) {
              handle.feed.settle();
            }
            return value;
          };
      Long result =
          many
              ? handle.cache.getAll(List.of(key), absent -> Map.of(key, load(loader, key))).get(key)
              : handle.cache.get(key, loader);
      if (!loaded[0]) {
        read(handle, key, result);
        return;
      }
      assertThat(before).isNull();
      observe(key);
      Long now = now(key);
      if (meanwhile == 1
          && Objects.equals(states.get(key).get(states.get(key).size() - 1), -value)) {
        assertThat(now).isEqualTo(-value);
      }
      if (handle.lost || meanwhile >= 2) {
        assertThat(Objects.equals(now, value)).as("stores a superseded load").isFalse();
      } else if (meanwhile == 0) {
        assertThat(now).isEqualTo(value);
        wrote(handle, key, value);
      }
    }

    private static Long load(ValueLoader<String, Long> loader, String key) throws Exception {
      return Objects.requireNonNull(loader.load(key));
    }

    private static void change(Handle other, String key, int meanwhile, long value) {
      try {
        if (meanwhile == 1) {
          other.cache.put(key, value);
        } else if (meanwhile == 2) {
          other.cache.remove(key);
        } else if (meanwhile == 3) {
          other.cache.put(key, value);
          other.cache.invalidate(key);
        }
      } catch (OutcomeUnknownException e) {
        // The state is observed afterwards. A removal that was not applied concerns no load.
        if (meanwhile >= 2) {
          other.cache.invalidate(key);
        }
      }
    }

    private void feed(Random random, Handle handle, Consumer<String> log) {
      switch (random.nextInt(4)) {
        case 0 -> {
          log.accept("delay");
          if (!handle.delayed) {
            KEYS.forEach(key -> handle.oldest.put(key, states.get(key).size() - 1));
          }
          handle.feed.delay();
          handle.delayed = true;
        }
        case 1 -> {
          log.accept("lose");
          handle.feed.lose();
          handle.lost = true;
        }
        default -> {
          if (handle.lost) {
            log.accept("regain");
            handle.feed.regain();
            handle.lost = false;
            KEYS.forEach(key -> handle.oldest.put(key, states.get(key).size() - 1));
          } else {
            log.accept("deliver");
            handle.feed.deliver();
            handle.delayed = false;
          }
        }
      }
    }

    private @Nullable Long now(String key) {
      List<@Nullable Long> all = states.get(key);
      return all.get(all.size() - 1);
    }

    /** Adds the stored state of a key, if it is another one. */
    private void observe(String key) {
      Long there = stored.get(key);
      if (!Objects.equals(there, now(key))) {
        states.get(key).add(there);
      }
    }

    /** A write has returned. */
    private void wrote(Handle handle, String key, @Nullable Long value) {
      assertThat(stored.get(key)).isEqualTo(value);
      observe(key);
      handle.oldest.put(key, states.get(key).size() - 1);
    }

    /** A read has returned {@code value}. */
    private void read(Handle handle, String key, @Nullable Long value) {
      List<@Nullable Long> allowed = allowed(handle, key);
      assertThat(allowed).as("what may be read of " + key).contains(value);
      int newer = allowed.size() - 1 - allowed.lastIndexOf(value);
      handle.oldest.put(key, states.get(key).size() - 1 - newer);
    }

    /** What a handle may read of a key, oldest first. */
    private List<@Nullable Long> allowed(Handle handle, String key) {
      List<@Nullable Long> all = states.get(key);
      boolean exact = handle.lost || !handle.delayed;
      return all.subList(exact ? all.size() - 1 : handle.oldest.get(key), all.size());
    }

    @Override
    public void close() {
      observer.close();
      handles.forEach(Handle::close);
    }
  }
}
