package io.rockpool.cache;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.ModelCheck;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random operations on a cache that is written behind, whose writer fails for random keys. At every
 * step, a load of a key returns what was put last, wherever that is: in the cache, pending, or in
 * the target. No change is written twice. In the end the target has exactly what was put.
 */
@Tag("encrypted")
class WriteBehindModelTest {
  private static final int KEYS = 8;
  private static final int STEPS = 300;

  private static final WriteBehindOptions OPTIONS =
      WriteBehindOptions.defaults()
          .batchSize(4)
          .delay(ofMillis(100))
          .backoff(ofMillis(50), ofMillis(400))
          .maximumAttempts(3)
          .withoutThread();

  @TempDir Path directory;
  private int stores;

  @Test
  void targetGetsWhatWasPut() {
    ModelCheck.run(() -> new Behind(directory.resolve("store-" + stores++)), STEPS);
  }

  private static final class Behind implements ModelCheck.World {
    private final FakeClock clock = new FakeClock();
    private final RecordingWriter writer = new RecordingWriter();
    private final Path directory;
    private final Map<String, String> put = new HashMap<>();
    private Rockpool pool;
    private PersistentCache<String, String> cache;
    private int values;

    Behind(Path directory) {
      this.directory = directory;
      open(true);
    }

    private void open(boolean withWriter) {
      pool =
          Rockpool.at(
                  o -> RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build()))
              .open();
      cache =
          pool.cache(
              "c",
              String.class,
              String.class,
              o -> {
                CacheOptions<String, String> plain =
                    o.expiry(CacheExpiry.afterWrite(ofSeconds(2))).hotEntries(3);
                return withWriter ? plain.writeBehind(writer, OPTIONS) : plain;
              });
    }

    @Override
    public void step(Random random, Consumer<String> log) {
      String key = "k" + random.nextInt(KEYS);
      String value = "v" + values++;
      int operation = random.nextInt(24);
      log.accept(operation + " " + key + " " + value);
      switch (operation) {
        case 0, 1, 2 -> put(key, value);
        case 3 -> {
          cache.remove(key);
          put.remove(key);
        }
        case 4 -> {
          cache.invalidate(key);
          put.remove(key);
        }
        case 5 -> {
          cache.getAndRemove(key);
          put.remove(key);
        }
        case 6 -> {
          if (cache.putIfAbsent(key, value) == null) {
            put.put(key, value);
          }
        }
        case 7 -> {
          if (cache.replace(key, value) != null) {
            put.put(key, value);
          }
        }
        case 8 -> putAll(random, value);
        case 9 -> {
          cache.put(key, value, random.nextBoolean() ? ofMillis(0) : ofMillis(300));
          put.put(key, value);
        }
        case 10 -> {
          List<String> keys = List.of(key, "k" + random.nextInt(KEYS));
          cache.invalidateAll(keys);
          put.keySet().removeAll(keys);
        }
        case 11 -> transaction(key, value, random.nextBoolean());
        case 12 -> cache.clear();
        case 13 -> evict();
        case 14, 15, 16 -> clock.advanceMillis(random.nextInt(400));
        case 17, 18, 19 -> cache.entries.shared.drainer.drain();
        case 20 -> fail(random);
        case 21 -> {
          if (random.nextInt(3) == 0) { // opening takes long
            reopen(key, value, random.nextInt(3) == 0);
          }
        }
        case 22 -> letters(random, key);
        default -> flush();
      }
      check();
    }

    private void put(String key, String value) {
      cache.put(key, value);
      put.put(key, value);
    }

    private void putAll(Random random, String value) {
      Map<String, String> all = new HashMap<>();
      for (int i = 0; i < 4; i++) {
        all.put("k" + random.nextInt(KEYS), value + i);
      }
      cache.putAll(all);
      put.putAll(all);
    }

    private void transaction(String key, String value, boolean commits) {
      try {
        pool.atomically(
            transaction -> {
              cache.put(key, value);
              cache.remove("k0");
              String seen = cache.get(key, absent -> "loaded");
              String expected = key.equals("k0") ? null : value;
              assertThat(seen).isEqualTo(expected);
              if (!commits) {
                throw new IllegalArgumentException("rolls back");
              }
              return value;
            });
        put.put(key, value);
        put.remove("k0");
      } catch (IllegalArgumentException e) {
        assertThat(commits).isFalse();
      }
    }

    private void evict() {
      List<byte[]> keys = new ArrayList<>();
      List<String> pending = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        String key = "k" + i;
        keys.add(cache.entries.format.key(key).bytes());
        if (cache.entries.pending(cache.entries.format.key(key)) != null
            && cache.containsKey(key)) {
          pending.add(key);
        }
      }
      cache.entries.shared.evict(keys, true);
      assertThat(pending).allMatch(cache::containsKey);
    }

    private void fail(Random random) {
      int mask = random.nextInt(3) == 0 ? 0 : random.nextInt(1 << KEYS);
      writer.failing =
          random.nextBoolean() ? RecordingWriter.Failing.WHOLE : RecordingWriter.Failing.ALONE;
      writer.fails = key -> (mask >> (key.charAt(1) - '0') & 1) == 1;
    }

    /** Opens the store again; first without the writer, and with a change, if asked. */
    private void reopen(String key, String value, boolean withoutWriter) {
      PendingIndex.Amount before = kill();
      if (withoutWriter) {
        open(false);
        assertThat(cache.writeBehind().pending()).isEqualTo(before.changes());
        if (cache.entries.pending(cache.entries.format.key(key)) != null) {
          put(key, value);
        }
        check();
        kill();
      }
      open(true);
    }

    private PendingIndex.Amount kill() {
      // Closing would write what is pending.
      if (cache.entries.drainer != null) {
        Objects.requireNonNull(cache.entries.drainer).end();
      }
      PendingIndex.Amount amount = cache.entries.shared.pending.index.amount();
      pool.close();
      return amount;
    }

    private void letters(Random random, String key) {
      WriteBehind<String, String> behind = cache.writeBehind();
      List<DeadChange<String, String>> dead = behind.deadLetters();
      assertThat(dead)
          .allSatisfy(
              letter -> {
                assertThat(letter.value()).isEqualTo(put.get(letter.key()));
                assertThat(letter.cause()).contains("refused");
                assertThat(letter.attempts()).isEqualTo(3);
              });
      if (random.nextBoolean()) {
        assertThat(behind.retryAll()).isEqualTo(dead.size());
      } else if (!dead.isEmpty()) {
        String dropped = dead.get(0).key();
        assertThat(behind.drop(dropped)).isTrue();
        String there = writer.target.get(dropped);
        if (there == null) {
          put.remove(dropped);
        } else {
          put.put(dropped, there);
        }
      }
      if (behind.deadLetters().stream().noneMatch(letter -> letter.key().equals(key))) {
        assertThat(behind.drop(key)).isFalse();
        assertThat(behind.retry(key)).isFalse();
      }
    }

    private void flush() {
      writer.fails = key -> false;
      cache.writeBehind().retryAll();
      try {
        assertThat(cache.writeBehind().flush(ofSeconds(10))).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      assertThat(cache.writeBehind().pending()).isZero();
      assertThat(writer.target).isEqualTo(put);
    }

    /** A load of any key returns what was put last. */
    private void check() {
      for (int i = 0; i < KEYS; i++) {
        String key = "k" + i;
        Change.Behind<String> pending = cache.entries.pending(cache.entries.format.key(key));
        String expected = put.get(key);
        assertThat(pending == null ? writer.target.get(key) : pending.value())
            .as(key)
            .isEqualTo(expected);
        assertThat(cache.entries.shared.pending.index.contains(cache.entries.format.key(key)))
            .isEqualTo(pending != null);
        String there = cache.asMap().get(key);
        assertThat(there == null ? expected : there).as(key).isEqualTo(expected);
      }
      String loaded = "k" + (values % KEYS);
      assertThat(cache.get(loaded, writer.target::get)).isEqualTo(put.get(loaded));
      List<String> both = List.of("k1", "k2");
      Map<String, String> all = new HashMap<>(put);
      all.keySet().retainAll(both);
      assertThat(cache.getAll(both, keys -> new HashMap<>(writer.target))).isEqualTo(all);
      assertThat(writer.repeated).isZero();
    }

    @Override
    public void close() {
      kill();
    }
  }
}
