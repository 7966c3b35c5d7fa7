package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
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
import io.rockpool.structure.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What one thread alone writes to: caches and structures of each kind below a level of its own, and
 * keys of its own in some that all threads share. They are opened, and created, as they are asked
 * for.
 */
final class Home {
  /** The names below a home, each of which may be cleared or dropped. */
  static final List<String> NAMES =
      List.of(
          "cache",
          "cold",
          "map",
          "sorted-map",
          "set",
          "sorted-set",
          "scores",
          "deque",
          "spare",
          "table",
          "counter",
          "value");

  private static final long HOT_ENTRIES = 20;

  private final Rockpool pool;
  private final int thread;

  Home(Rockpool pool, int thread) {
    this.pool = pool;
    this.thread = thread;
  }

  Rockpool pool() {
    return pool;
  }

  String level() {
    return "home-" + thread;
  }

  String name(String ofOne) {
    return level() + "/" + ofOne;
  }

  /** A key of this thread's in what all share. */
  String own(String key) {
    return thread + ":" + key;
  }

  /** With some entries in memory. */
  PersistentCache<String, String> cache() {
    return cache("cache", HOT_ENTRIES);
  }

  /** With none in memory. */
  PersistentCache<String, String> cold() {
    return cache("cold", 0);
  }

  private PersistentCache<String, String> cache(String ofOne, long hotEntries) {
    CacheOptions<String, String> options =
        CacheOptions.<String, String>defaults().hotEntries(hotEntries);
    return pool.cache(name(ofOne), String.class, String.class, o -> options);
  }

  PersistentMap<String, String> map() {
    return pool.map(name("map"), String.class, String.class);
  }

  PersistentSortedMap<String, String> sortedMap() {
    return pool.sortedMap(name("sorted-map"), String.class, String.class);
  }

  PersistentSet<String> set() {
    return pool.set(name("set"), String.class);
  }

  PersistentSortedSet<String> sortedSet() {
    return pool.sortedSet(name("sorted-set"), String.class);
  }

  PersistentScoredSet<String> scores() {
    return pool.scoredSet(name("scores"), String.class);
  }

  PersistentDeque<String> deque() {
    return pool.deque(name("deque"), String.class);
  }

  PersistentDeque<String> spare() {
    return pool.deque(name("spare"), String.class);
  }

  PersistentTable<String, Long, String> table() {
    return pool.table(name("table"), String.class, Long.class, String.class);
  }

  PersistentCounter counter() {
    return pool.counter(name("counter"));
  }

  PersistentValue<String> value() {
    return pool.value(name("value"), String.class);
  }

  /** All threads write to it, each at keys of its own. */
  PersistentMap<String, String> sharedMap() {
    return pool.map("shared/map", String.class, String.class);
  }

  /** All threads write to its one row, each elements of its own. */
  PersistentScoredSet<String> sharedScores() {
    return pool.scoredSet("shared/scores", String.class);
  }

  /** All that is there now, by name; what is empty is as if it had never been. */
  SortedMap<String, Object> contents() {
    SortedMap<String, Object> contents = new TreeMap<>();
    put(contents, "cache", () -> entries(cache()));
    put(contents, "cold", () -> entries(cold()));
    put(contents, "map", () -> new ArrayList<>(new TreeMap<>(map()).entrySet()));
    put(contents, "sorted-map", () -> new ArrayList<>(sortedMap().entrySet()));
    put(contents, "set", () -> new ArrayList<>(set()).stream().sorted().toList());
    put(contents, "sorted-set", () -> new ArrayList<>(sortedSet()));
    put(contents, "scores", () -> scores().range(Range.all()));
    put(contents, "deque", () -> new ArrayList<>(deque()));
    put(contents, "spare", () -> new ArrayList<>(spare()));
    put(contents, "table", () -> table().stream().map(Object::toString).sorted().toList());
    put(contents, "counter", () -> counter().get() == 0 ? List.of() : counter().get());
    put(contents, "value", () -> value().isPresent() ? String.valueOf(value().get()) : List.of());
    TreeMap<String, String> ownEntries = new TreeMap<>(sharedMap());
    ownEntries.keySet().removeIf(key -> !key.startsWith(own("")));
    contents.put("shared map", ownEntries);
    contents.put(
        "shared scores",
        sharedScores().range(Range.all()).stream()
            .filter(element -> element.element().startsWith(own("")))
            .toList());
    return contents;
  }

  private void put(SortedMap<String, Object> contents, String ofOne, Supplier<Object> reading) {
    contents.put(
        ofOne, pool.names().find(name(ofOne)).isPresent() ? reading.get().toString() : "[]");
  }

  private static List<String> entries(PersistentCache<String, String> cache) {
    List<String> entries = new ArrayList<>();
    cache.forEach(entry -> entries.add(entry.toString()));
    return entries.stream().sorted().toList();
  }
}
