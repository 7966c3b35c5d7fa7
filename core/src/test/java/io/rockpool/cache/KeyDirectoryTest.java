package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.KeyKinds.Label;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.testing.Child;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The directory of foreign keys has a record for each entry of one, and no other. */
@Slow
class KeyDirectoryTest {
  private static final TypeRef<Object> ANY = TypeRef.of(Object.class);
  private static final TypeRef<String> TEXT = TypeRef.of(String.class);

  private static final int COMING_AND_GOING = Rounds.of(10_000, 100_000);

  @TempDir Path directory;

  private final FakeClock clock = new FakeClock();
  private Engine engine = MemoryEngine.open();
  private Rockpool pool = Rockpool.at(o -> engine).open();

  @AfterEach
  void close() {
    pool.close();
  }

  private PersistentCache<Object, String> open(boolean onDisk) {
    pool.close();
    engine =
        onDisk
            ? RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build())
            : MemoryEngine.builder().clock(clock).build();
    pool = Rockpool.at(o -> engine).open();
    return Internals.store(pool).caches().openOwn("cache", ANY, TEXT, CacheOptions.defaults());
  }

  /** How many records the directory has, witnesses included. */
  private static int records(Engine engine) {
    Space hidden = Objects.requireNonNull(new Catalog(engine).hotKeys("cache", false));
    int records = 0;
    try (Cursor all = hidden.scanAll()) {
      while (all.next()) {
        records += all.hashKey().length == 0 ? 0 : 1; // hot keys
      }
    }
    return records;
  }

  private int records() {
    return records(engine);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readsOfAbsentKeysWriteNothing(boolean onDisk) {
    PersistentCache<Object, String> cache = open(onDisk);
    Label key = new Label("a");
    assertThat(cache.get(key)).isNull();
    assertThat(cache.containsKey(key)).isFalse();
    assertThat(cache.get(key, same -> null)).isNull();
    assertThat(cache.getAll(List.of(key, new Label("b")))).isEmpty();
    assertThat(cache.remove(key)).isFalse();
    assertThat(cache.compute(key, (same, value) -> null)).isNull();
    cache.invalidateAll(List.of(key, List.of(key)));
    assertThatThrownBy(
            () ->
                cache.get(
                    key,
                    same -> {
                      throw new IllegalStateException("as told");
                    }))
        .hasMessage("as told");
    assertThat(records()).isZero();
    assertThat(cache.get(key, same -> "v")).isEqualTo("v");
    assertThat(records()).as("the key and the witness of its class").isEqualTo(2);
  }

  private interface Removal {
    void of(PersistentCache<Object, String> cache, Object key);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void removalsGiveTheRoomBack(boolean onDisk) {
    PersistentCache<Object, String> cache = open(onDisk);
    List<Removal> removals =
        List.of(
            (it, key) -> assertThat(it.remove(key)).isTrue(),
            (it, key) -> assertThat(it.getAndRemove(key)).isEqualTo("v"),
            (it, key) -> assertThat(it.remove(key, "v")).isTrue(),
            (it, key) -> it.invalidate(key),
            (it, key) -> it.invalidateAll(List.of(key, "another")),
            (it, key) -> it.put(key, "w", Duration.ZERO),
            (it, key) -> it.expireAfter(key, Duration.ZERO),
            (it, key) -> assertThat(it.compute(key, (same, value) -> null)).isNull(),
            (it, key) ->
                Internals.cache(it).decideAll(List.of(key, 1), (same, there) -> Decision.remove()),
            (it, key) -> pool.atomically(tx -> it.remove(key)),
            (it, key) -> pool.atomically(tx -> it.getAndRemove(key)));
    cache.put(new Label("stays"), "s");
    for (Removal removal : removals) {
      cache.putAll(Map.of(new Label("A"), "v", "string", "w"));
      cache.put(new Label("a"), "v");
      assertThat(records()).isEqualTo(3);
      removal.of(cache, new Label("a"));
      assertThat(cache.get(new Label("A"))).isNull();
      engine.reclaim();
      assertThat(records()).isEqualTo(2);
    }
    assertThat(cache.get(new Label("STAYS"))).isEqualTo("s");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatExpiresIsEvictedOrClearedGivesTheRoomBack(boolean onDisk) {
    PersistentCache<Object, String> cache = open(onDisk);
    cache.put(new Label("stays"), "s");
    cache.put(new Label("A"), "v", Duration.ofMinutes(1));
    engine.reclaim();
    assertThat(records()).isEqualTo(3);
    clock.advanceMillis(Duration.ofMinutes(2).toMillis());
    engine.reclaim();
    assertThat(records()).isEqualTo(2);

    cache.put(new Label("A"), "v");
    byte[] bytes = cache.entries.format.key(new Label("a")).bytes();
    assertThat(cache.entries.shared.evict(List.of(bytes), true)).isEqualTo(1);
    cache.put(new Label("a"), "w"); // before anything is swept
    engine.reclaim();
    assertThat(cache.get(new Label("A"))).isEqualTo("w");
    assertThat(records()).isEqualTo(3);

    cache.clear();
    cache.put(new Label("a"), "x");
    engine.reclaim();
    assertThat(records()).isEqualTo(2);
    assertThat(cache.get(new Label("A"))).isEqualTo("x");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTransactionThatIsRolledBackLeavesNothing(boolean onDisk) {
    PersistentCache<Object, String> cache = open(onDisk);
    assertThatThrownBy(
            () ->
                pool.atomically(
                    tx -> {
                      cache.put(new Label("A"), "v");
                      assertThat(cache.get(new Label("a"))).isEqualTo("v");
                      throw new IllegalStateException("as told");
                    }))
        .hasMessage("as told");
    assertThat(records()).isZero();
    cache.put(new Label("a"), "w");
    assertThat(cache.get(new Label("A"))).isEqualTo("w");
    assertThatThrownBy(
            () ->
                pool.atomically(
                    tx -> {
                      assertThat(cache.remove(new Label("A"))).isTrue();
                      cache.put(new Label("A"), "x");
                      throw new IllegalStateException("as told");
                    }))
        .hasMessage("as told");
    assertThat(cache.get(new Label("A"))).isEqualTo("w");
    assertThat(records()).isEqualTo(2);
  }

  @Test
  void unequalKeysOfOneHashThatWereEvictedTakeNoRoom() {
    PersistentCache<Object, String> cache = open(false);
    List<byte[]> bytes = new ArrayList<>();
    for (int i = 0; i < DirectoryRows.MAX_KEYS; i++) {
      cache.put(new KeyKinds.OneHash(i), "v");
      bytes.add(cache.entries.format.key(new KeyKinds.OneHash(i)).bytes());
    }
    cache.entries.shared.evict(bytes, true);
    cache.put(new KeyKinds.OneHash(-1), "w");
    assertThat(cache.get(new KeyKinds.OneHash(-1))).isEqualTo("w");
    assertThat(records()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void manyKeysThatComeAndGoTakeNoMoreAndMoreRoom(boolean onDisk) {
    PersistentCache<Object, String> cache = open(onDisk);
    DirectoryRows rows = Objects.requireNonNull(cache.entries.shared.directory());
    for (int i = 0; i < COMING_AND_GOING; i++) {
      cache.put(new Label("A" + i), "v");
      assertThat(cache.remove(new Label("a" + i))).isTrue();
      if (i % 1_000 == 0) {
        assertThat(records()).isEqualTo(1);
      }
    }
    assertThat(records()).isEqualTo(1);
    int left = rows.inUse.size();
    for (int tries = 0; left > 1_000 && tries < 100; tries++) {
      System.gc();
      left = rows.inUse.size();
    }
    assertThat(left).isLessThan(1_000);
    assertThat(cache.iterator().hasNext()).isFalse();
  }

  /** An equal key of other bytes finds the load, and its removal supersedes it. */
  @Test
  void aLoadIsOfEveryEqualKey() {
    PersistentCache<Object, String> cache = open(false);
    String loaded =
        cache.get(
            new Label("a"),
            key -> {
              assertThat(elsewhere(() -> cache.remove(new Label("A")))).isFalse();
              return "stale";
            });
    assertThat(loaded).isEqualTo("stale");
    assertThat(cache.get(new Label("a"))).isNull();
    assertThat(records()).isZero();
    loaded =
        cache.get(
            new Label("a"),
            key -> {
              elsewhere(() -> cache.putIfAbsent(new Label("A"), "put"));
              return "loaded";
            });
    assertThat(loaded).isEqualTo("put");
    assertThat(records()).isEqualTo(2);
  }

  private static <T> T elsewhere(Callable<T> work) {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      return thread.submit(work).get();
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      thread.shutdown();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void equalKeysAreOneBesideEachOther(boolean onDisk) throws Exception {
    PersistentCache<Object, String> cache = open(onDisk);
    PersistentCache<Object, String> other =
        Internals.store(pool)
            .caches()
            .openOwn("cache", ANY, TEXT, CacheOptions.<Object, String>defaults().hotEntries(0));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<Integer>> running = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int seed = i;
      running.add(
          threads.submit(() -> use(seed % 2 == 0 ? cache : other, new Random(seed), 3_000)));
    }
    for (int i = 0; i < 20; i++) {
      engine.reclaim();
    }
    for (Future<Integer> each : running) {
      assertThat(each.get()).isPositive();
    }
    threads.shutdown();
    assertWhole(cache, engine);
  }

  /** A class that each loader has by itself. */
  private static final String WORD =
      """
      public final class Main implements java.io.Serializable {
        private final String text;
        public Main(String text) { this.text = text; }
        @Override public boolean equals(Object other) {
          return other instanceof Main main && text.equalsIgnoreCase(main.text);
        }
        @Override public int hashCode() { return text.toLowerCase().hashCode(); }
      }
      """;

  @Test
  void equalKeysOfTwoClassLoadersAreOne() throws Exception {
    PersistentCache<Object, String> unused = open(false);
    List<PersistentCache<Object, String>> caches = new ArrayList<>();
    List<Class<?>> words = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      SourceLoader loader = new SourceLoader(WORD);
      words.add(loader.main());
      caches.add(
          Internals.store(pool)
              .caches()
              .openOwn(
                  "cache", ANY, TEXT, CacheOptions.<Object, String>defaults().classLoader(loader)));
    }
    Object upper = words.get(0).getConstructor(String.class).newInstance("A");
    Object lower = words.get(1).getConstructor(String.class).newInstance("a");
    assertThat(caches.get(1).get(lower)).isNull();
    caches.get(0).put(upper, "v");
    assertThat(caches.get(1).get(lower)).isEqualTo("v");
    caches.get(1).put(lower, "w");
    assertThat(caches.get(0).get(upper)).isEqualTo("w");
    assertThat(records()).isEqualTo(2);
    assertThat(caches.get(1).remove(lower)).isTrue();
    assertThat(caches.get(0).get(upper)).isNull();
    assertThat(records()).isEqualTo(1);
    caches.get(1).put(lower, "x");
    assertThat(caches.get(0).get(upper)).isEqualTo("x");
  }

  private static final String[] WORDS = {"aa", "bb", "cc"};

  /** Uses three keys in four spellings each. */
  private static int use(PersistentCache<Object, String> cache, Random random, int times) {
    int done = 0;
    for (int i = 0; i < times; i++, done++) {
      Object key = key(random);
      switch (random.nextInt(9)) {
        case 0 -> cache.put(key, "p");
        case 1 -> cache.remove(key);
        case 2 -> cache.invalidate(key);
        case 3 -> cache.get(key, same -> random.nextBoolean() ? "l" : null);
        case 4 -> cache.compute(key, (same, value) -> value == null ? "c" : null);
        case 5 -> cache.putAll(Map.of(key, "a"));
        case 6 -> cache.invalidateAll(List.of(key));
        case 7 -> cache.put(key, "e", Duration.ofMillis(1));
        default -> cache.get(key);
      }
    }
    return done;
  }

  private static Object key(Random random) {
    String word = WORDS[random.nextInt(WORDS.length)];
    char[] letters = word.toCharArray();
    for (int i = 0; i < letters.length; i++) {
      letters[i] = random.nextBoolean() ? Character.toUpperCase(letters[i]) : letters[i];
    }
    return new Label(String.valueOf(letters));
  }

  /** No two entries have equal keys, every spelling finds its entry, and no record is without. */
  private static void assertWhole(PersistentCache<Object, String> cache, Engine engine) {
    engine.reclaim();
    Set<Object> seen = new HashSet<>();
    cache.forEach(
        entry -> {
          assertThat(seen.add(entry.getKey())).as("%s", entry.getKey()).isTrue();
          String text = ((Label) entry.getKey()).text();
          assertThat(cache.get(new Label(text.toUpperCase(Locale.ROOT))))
              .isEqualTo(entry.getValue());
          assertThat(cache.get(new Label(text.toLowerCase(Locale.ROOT))))
              .isEqualTo(entry.getValue());
        });
    assertThat(records(engine)).isEqualTo(seen.size() + 1);
  }

  @Test
  void aKilledProcessLeavesNoRecordWithoutEntryNorTheOtherWayRound() throws Exception {
    for (int round = 0; round < Rounds.of(2, 20); round++) {
      try (Child child = Child.start(Killed.class, List.of(), directory, round)) {
        assertThat(child.readLine()).isEqualTo("runs");
        Thread.sleep(300 + 200L * (round % 3));
        child.kill();
      }
      PersistentCache<Object, String> cache = open(true);
      cache.put(new Label("witness"), "w");
      int before = records();
      int entries = 0;
      for (var it = cache.iterator(); it.hasNext(); it.next()) {
        entries++;
      }
      assertThat(before).isEqualTo(entries + 1);
      assertWhole(cache, engine);
      pool.close();
    }
  }

  /** Changes entries until it is killed. */
  static final class Killed {
    private Killed() {}

    public static void main(String[] args) {
      Rockpool pool = Rockpool.open(Path.of(args[0]));
      PersistentCache<Object, String> cache =
          Internals.store(pool).caches().openOwn("cache", ANY, TEXT, CacheOptions.defaults());
      Random random = new Random(Integer.parseInt(args[1]));
      cache.put(new Label("witness"), "w");
      System.out.println("runs");
      while (true) {
        Label key = new Label((random.nextBoolean() ? "A" : "a") + random.nextInt(500));
        if (random.nextBoolean()) {
          cache.put(key, "v");
        } else {
          cache.remove(key);
        }
      }
    }
  }
}
