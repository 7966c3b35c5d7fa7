package io.rockpool.cache;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.ModelCheck;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random operations with tags, expiry, transactions and reopening, on a cache and on a map that
 * removes the entries of an invalidated tag one by one.
 */
@Tag("encrypted")
class TagsModelTest {
  private static final int KEYS = 6;
  private static final int TAGS = 4;
  private static final int STEPS = 400;

  @TempDir Path directory;
  private int stores;

  @Test
  void cacheAndMapAreEqual() {
    ModelCheck.run(() -> new Tagged(directory.resolve("store-" + stores++)), STEPS);
  }

  private record Entry(String value, Set<String> tags, long untilMillis) {}

  private static final class Tagged implements ModelCheck.World {
    private final FakeClock clock = new FakeClock();
    private final Path directory;
    private Map<String, Entry> model = new HashMap<>();
    private Rockpool pool;
    private PersistentCache<String, String> cache;
    private int values;

    Tagged(Path directory) {
      this.directory = directory;
      open();
    }

    private void open() {
      pool =
          Rockpool.at(
                  o -> RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build()))
              .open();
      cache =
          pool.cache(
              "c", String.class, String.class, o -> o.hotEntries(3).tags((key, v) -> own(v)));
    }

    /** The tags that are in a value. */
    private static Set<String> own(String value) {
      int at = value.indexOf('#');
      return at < 0 ? Set.of() : Set.of(value.substring(at + 1));
    }

    private static Set<String> all(String value, Set<String> more) {
      Set<String> all = new HashSet<>(own(value));
      all.addAll(more);
      return all;
    }

    private static String tag(Random random) {
      return "t" + random.nextInt(TAGS);
    }

    private @Nullable Entry there(String key) {
      Entry entry = model.get(key);
      return entry == null || entry.untilMillis <= clock.millis() ? null : entry;
    }

    private @Nullable String value(String key) {
      Entry entry = there(key);
      return entry == null ? null : entry.value;
    }

    private void wrote(String key, String value, Set<String> more, long ttlMillis) {
      long until = ttlMillis == 0 ? Long.MAX_VALUE : clock.millis() + ttlMillis;
      model.put(key, new Entry(value, all(value, more), until));
    }

    private void invalidated(Set<String> tags) {
      model.values().removeIf(entry -> entry.tags.stream().anyMatch(tags::contains));
    }

    @Override
    public void step(Random random, Consumer<String> log) {
      String key = "k" + random.nextInt(KEYS);
      String value = "v" + values++ + (random.nextBoolean() ? "#" + tag(random) : "");
      int operation = random.nextInt(24);
      log.accept(operation + " " + key + " " + value);
      if (operation == 20) {
        transaction(random, log);
      } else if (operation == 21) {
        if (random.nextInt(4) == 0) {
          pool.close();
          open();
        }
      } else {
        step(operation, random, key, value, log);
      }
      check(random);
    }

    private void step(
        int operation, Random random, String key, String value, Consumer<String> log) {
      Set<String> more = random.nextBoolean() ? Set.of(tag(random)) : Set.of(tag(random), "t9");
      switch (operation) {
        case 0, 1 -> {
          cache.put(key, value);
          wrote(key, value, Set.of(), 0);
        }
        case 2, 3, 4 -> {
          log.accept("  with " + more);
          cache.put(key, value, more);
          wrote(key, value, more, 0);
        }
        case 5 -> {
          log.accept("  with " + more);
          cache.put(key, value, ofMillis(300), more);
          wrote(key, value, more, 300);
        }
        case 6 -> {
          cache.putAll(Map.of(key, value, "other", value));
          wrote(key, value, Set.of(), 0);
          wrote("other", value, Set.of(), 0);
        }
        case 7 -> {
          String before = value(key);
          assertThat(cache.putIfAbsent(key, value)).isEqualTo(before);
          if (before == null) {
            wrote(key, value, Set.of(), 0);
          }
        }
        case 8 -> {
          String before = value(key);
          assertThat(cache.replace(key, value)).isEqualTo(before);
          if (before != null) {
            wrote(key, value, Set.of(), 0);
          }
        }
        case 9 -> {
          assertThat(cache.getAndPut(key, value)).isEqualTo(value(key));
          wrote(key, value, Set.of(), 0);
        }
        case 10 -> {
          String before = value(key);
          cache.compute(
              key,
              (same, seen) -> {
                assertThat(seen).isEqualTo(before);
                return value;
              });
          wrote(key, value, Set.of(), 0);
        }
        case 11 -> {
          assertThat(cache.getAndRemove(key)).isEqualTo(value(key));
          model.remove(key);
        }
        case 12 -> {
          Entry before = there(key);
          assertThat(cache.expireAfter(key, ofMillis(300))).isEqualTo(before != null);
          if (before != null) {
            model.put(key, new Entry(before.value, before.tags, clock.millis() + 300));
          }
        }
        case 13, 14, 15 -> {
          String tag = tag(random);
          log.accept("  invalidates " + tag);
          cache.invalidateTag(tag);
          invalidated(Set.of(tag));
        }
        case 16 -> {
          Set<String> tags = Set.of(tag(random), "t9");
          log.accept("  invalidates " + tags);
          cache.invalidateTags(tags);
          invalidated(tags);
        }
        case 17 -> load(random, key, value, log);
        case 18 -> clock.advanceMillis(random.nextInt(400));
        case 19 -> {
          pool.reclaim();
        }
        case 22 -> {
          cache.clear();
          model.clear();
        }
        default -> {
          for (int i = 0; i < 3; i++) {
            assertThat(cache.get(key)).isEqualTo(value(key));
          }
        }
      }
    }

    /** Loads a key; a tag is invalidated meanwhile. */
    private void load(Random random, String key, String value, Consumer<String> log) {
      String before = value(key);
      String tag = tag(random);
      log.accept("  loads " + before + " and invalidates " + tag);
      String loaded =
          cache.get(
              key,
              absent -> {
                cache.invalidateTag(tag);
                return value;
              });
      assertThat(loaded).isEqualTo(before == null ? value : before);
      if (before == null) {
        wrote(key, value, Set.of(), 0);
        invalidated(Set.of(tag));
      }
    }

    private void transaction(Random random, Consumer<String> log) {
      boolean commits = random.nextBoolean();
      log.accept("  in a transaction that " + (commits ? "commits" : "rolls back"));
      long seed = random.nextLong();
      Map<String, Entry> before = new HashMap<>(model);
      try {
        pool.runAtomically(
            transaction -> {
              model = new HashMap<>(before); // it may run again
              Random inside = new Random(seed);
              for (int i = 0; i < 4; i++) {
                String key = "k" + inside.nextInt(KEYS);
                String value = "v" + values++ + "#" + tag(inside);
                int operation = List.of(0, 3, 7, 8, 9, 10, 11, 13, 16).get(inside.nextInt(9));
                log.accept("  " + operation + " " + key + " " + value);
                step(operation, inside, key, value, log);
                String other = "k" + inside.nextInt(KEYS);
                assertThat(cache.get(other)).isEqualTo(value(other));
              }
              if (!commits) {
                throw new IllegalArgumentException("rolls back");
              }
            });
      } catch (IllegalArgumentException e) {
        model = before;
      }
    }

    private void check(Random random) {
      Map<String, String> expected = new HashMap<>();
      model.keySet().stream()
          .filter(key -> there(key) != null)
          .forEach(key -> expected.put(key, Objects.requireNonNull(value(key))));
      String key = "k" + random.nextInt(KEYS);
      Entry entry = there(key);
      assertThat(cache.containsKey(key)).as(key).isEqualTo(entry != null);
      assertThat(cache.tags(key)).as(key).isEqualTo(entry == null ? Set.of() : entry.tags);
      assertThat(cache.get(key)).as(key).isEqualTo(value(key));
      assertThat(cache.asMap()).isEqualTo(expected);
      assertThat(cache.getAll(List.of("k0", "k1", "k2", "k3", "k4", "k5", "other")))
          .isEqualTo(expected);
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
