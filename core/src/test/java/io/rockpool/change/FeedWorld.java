package io.rockpool.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentSortedSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import io.rockpool.structure.StoreUnderTest;
import io.rockpool.structure.StructureOptions;
import io.rockpool.structure.TableKey;
import io.rockpool.structure.TableRecord;
import io.rockpool.testing.ModelCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Every kind of name with a feed: at each step, the feed's replay is what the name holds. */
final class FeedWorld implements ModelCheck.World {
  private static final UnaryOperator<StructureOptions> FEED =
      o -> o.changes(ChangeOptions.keep(Duration.ofDays(100)));
  private static final int KEYS = 12;

  private final StoreUnderTest store;
  private PersistentMap<String, String> map;
  private PersistentSortedMap<Integer, String> sorted;
  private PersistentSet<String> set;
  private PersistentSortedSet<Integer> sortedSet;
  private PersistentScoredSet<String> scores;
  private PersistentDeque<String> deque;
  private PersistentValue<String> value;
  private PersistentCounter counter;
  private PersistentTable<String, Integer, String> table;
  private PersistentCache<String, String> cache;

  private Replay<String, String> mapReplay;
  private Replay<Integer, String> sortedReplay;
  private Replay<String, Void> setReplay;
  private Replay<Integer, Void> sortedSetReplay;
  private Replay<String, Double> scoresReplay;
  private Replay<Long, String> dequeReplay;
  private Replay<Void, String> valueReplay;
  private Replay<Void, Long> counterReplay;
  private Replay<TableKey<String, Integer>, String> tableReplay;
  private Replay<String, String> cacheReplay;

  FeedWorld(StoreUnderTest store) {
    this.store = store;
    open();
  }

  private void open() {
    Rockpool pool = store.pool();
    map = pool.map("all/map", String.class, String.class, FEED);
    sorted = pool.sortedMap("sorted", Integer.class, String.class, FEED);
    set = pool.set("set", String.class, FEED);
    sortedSet = pool.sortedSet("sortedSet", Integer.class, FEED);
    scores = pool.scoredSet("scores", String.class, FEED);
    deque = pool.deque("deque", String.class, FEED);
    value = pool.value("value", String.class, FEED);
    counter = pool.counter("counter", FEED);
    table = pool.table("table", String.class, Integer.class, String.class, FEED);
    cache =
        pool.cache(
            "cache",
            String.class,
            String.class,
            o -> o.changes(ChangeOptions.keep(Duration.ofDays(100))).hotEntries(4));
    mapReplay = new Replay<>(pool.changes("all/map", String.class, String.class));
    sortedReplay = new Replay<>(pool.changes("sorted", Integer.class, String.class));
    setReplay = new Replay<>(pool.changes("set", String.class, Void.class));
    sortedSetReplay = new Replay<>(pool.changes("sortedSet", Integer.class, Void.class));
    scoresReplay = new Replay<>(pool.changes("scores", String.class, Double.class));
    dequeReplay = new Replay<>(pool.changes("deque", Long.class, String.class));
    valueReplay = new Replay<>(pool.changes("value", Void.class, String.class));
    counterReplay = new Replay<>(pool.changes("counter", Void.class, Long.class));
    tableReplay =
        new Replay<>(pool.tableChanges("table", String.class, Integer.class, String.class));
    cacheReplay = new Replay<>(pool.changes("cache", String.class, String.class));
  }

  @Override
  public void step(Random random, Consumer<String> log) {
    switch (random.nextInt(20)) {
      case 0 -> {
        log.accept("reopen");
        store.reopen();
        open();
      }
      case 1 -> {
        log.accept("crash");
        store.crash();
        open();
      }
      case 2 -> {
        long millis = random.nextInt(2_000);
        log.accept("clock +" + millis);
        store.clock.advanceMillis(millis);
      }
      case 3 -> {
        log.accept("reclaim");
        store.pool().reclaim();
      }
      case 4, 5 -> whole(random, log);
      case 6, 7, 8, 9 -> transaction(random, log);
      default -> change(random, log);
    }
    compare();
  }

  /** What no transaction can do. */
  private void whole(Random random, Consumer<String> log) {
    int which = random.nextInt(6);
    Duration ttl = Duration.ofMillis(random.nextInt(1_500) - 300);
    log.accept("whole " + which + " " + ttl);
    switch (which) {
      case 0 -> map.clear();
      case 1 -> map.clearAfter(ttl);
      case 2 -> deque.clearAfter(ttl);
      case 3 -> cache.clear();
      case 4 -> scores.clear();
      default -> map.cancelClear();
    }
  }

  private static final class Rollback extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void transaction(Random random, Consumer<String> log) {
    long seed = random.nextLong();
    int changes = 1 + random.nextInt(4);
    boolean fails = random.nextInt(3) == 0;
    boolean nests = random.nextInt(3) == 0;
    log.accept("transaction of " + changes + (fails ? ", fails" : "") + (nests ? ", nests" : ""));
    List<String> lines = new ArrayList<>();
    try {
      store
          .pool()
          .runAtomically(
              tx -> {
                lines.clear();
                Random again = new Random(seed); // it may run more than once
                for (int i = 0; i < changes; i++) {
                  change(again, lines::add);
                }
                if (nests) {
                  try {
                    store
                        .pool()
                        .runAtomically(
                            nested -> {
                              change(again, lines::add);
                              throw new Rollback();
                            });
                  } catch (Rollback e) {
                    change(again, lines::add);
                  }
                }
                if (fails) {
                  throw new Rollback();
                }
              });
    } catch (Rollback e) {
      assertThat(fails).isTrue();
    }
    lines.forEach(line -> log.accept("  " + line));
  }

  private void change(Random random, Consumer<String> log) {
    int which = random.nextInt(28);
    int number = random.nextInt(KEYS);
    String key = "k" + number;
    String text = "v" + random.nextInt(1_000);
    Duration ttl = Duration.ofMillis(1 + random.nextInt(1_500));
    log.accept("change " + which + " of " + key + " to " + text + ", " + ttl);
    switch (which) {
      case 0 -> map.put(key, text);
      case 1 -> map.put(key, text, ttl);
      case 2 -> map.remove(key);
      case 3 -> map.merge(key, text, (a, b) -> a.length() > 20 ? b : a + b);
      case 4 -> map.putAll(Map.of(key, text, "m0", "zero", "m1", "one"));
      case 5 -> sorted.put(number, text);
      case 6 -> sorted.pollFirstEntry();
      case 7 -> sorted.headMap(number / 3).clear();
      case 8 -> set.add(key);
      case 9 -> set.remove(key);
      case 10 -> sortedSet.add(number);
      case 11 -> sortedSet.pollLast();
      case 12 -> scores.add(key, number * 1.5);
      case 13 -> scores.remove(key);
      case 14 -> scores.add(key, -number, ttl);
      case 15 -> deque.addFirst(text);
      case 16 -> deque.addLast(text);
      case 17 -> deque.pollFirst();
      case 18 -> deque.pollLast();
      case 19 -> deque.insertBefore(String.valueOf(deque.peekLast()), text);
      case 20 -> value.set(text);
      case 21 -> value.set(null);
      case 22 -> counter.addAndGet(number);
      case 23 -> table.put("r" + number % 3, number, text);
      case 24 -> table.remove("r" + number % 3, number);
      case 25 -> cache.put(key, text);
      case 26 -> cache.remove(key);
      default -> cache.putAll(Map.of(key, text, "m2", "two"));
    }
  }

  private void compare() {
    Instant now = store.clock.instant();
    assertThat(mapReplay.catchUp(now)).isEqualTo(new HashMap<>(map));
    assertThat(sortedReplay.catchUp(now)).isEqualTo(new HashMap<>(sorted));
    assertThat(setReplay.catchUp(now).keySet()).isEqualTo(new HashSet<>(set));
    assertThat(sortedSetReplay.catchUp(now).keySet()).isEqualTo(new HashSet<>(sortedSet));
    Map<String, Double> scored = new HashMap<>();
    scores.forEach(element -> scored.put(element, scores.score(element).orElseThrow()));
    assertThat(scoresReplay.catchUp(now)).isEqualTo(scored);
    Map<Object, Object> elements = dequeReplay.catchUp(now);
    Map<Long, String> inOrder = new TreeMap<>();
    elements.forEach((place, element) -> inOrder.put((Long) place, (String) element));
    assertThat(inOrder.values()).containsExactlyElementsOf(List.copyOf(deque));
    assertThat(valueReplay.catchUp(now).get(Replay.ONLY)).isEqualTo(value.get());
    assertThat(counterReplay.catchUp(now).getOrDefault(Replay.ONLY, 0L)).isEqualTo(counter.get());
    Map<TableKey<String, Integer>, String> records = new HashMap<>();
    try (Stream<TableRecord<String, Integer, String>> all = table.stream()) {
      all.forEach(it -> records.put(new TableKey<>(it.hashKey(), it.sortKey()), it.value()));
    }
    assertThat(tableReplay.catchUp(now)).isEqualTo(records);
    Map<Object, Object> cached = cacheReplay.catchUp(now);
    Map<String, String> entries = new HashMap<>();
    cache.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    assertThat(cached).isEqualTo(entries);
  }

  @Override
  public void close() {
    assertThat(store.pool().verify().findings()).isEmpty();
    store.close();
  }
}
