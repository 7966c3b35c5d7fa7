package io.rockpool.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes the calls that docs/round-trips.md lists, and counts the round trips of each. */
public final class RoundTripCalls {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Rockpool pool;
  private final BiConsumer<String, Runnable> visitor;
  private final Map<String, Long> measured = new LinkedHashMap<>();

  /**
   * Counts on a store.
   *
   * @param roundTrips how many there were so far
   */
  public RoundTripCalls(Rockpool pool, LongSupplier roundTrips) {
    this(pool, roundTrips, () -> {});
  }

  /**
   * Counts on a store.
   *
   * @param quiet runs before each call; waits for work in the background
   */
  public RoundTripCalls(Rockpool pool, LongSupplier roundTrips, Runnable quiet) {
    this.pool = pool;
    this.visitor =
        (call, code) -> {
          quiet.run();
          long before = roundTrips.getAsLong();
          code.run();
          measured.merge(call, roundTrips.getAsLong() - before, Math::min);
        };
  }

  private RoundTripCalls(Rockpool pool, BiConsumer<String, Runnable> visitor) {
    this.pool = pool;
    this.visitor = visitor;
  }

  /** Returns the calls of caches, of tags and of collections, without making them. */
  public static Map<String, Runnable> of(Rockpool pool) {
    Map<String, Runnable> found = new LinkedHashMap<>();
    RoundTripCalls calls = new RoundTripCalls(pool, found::put);
    calls.caches();
    calls.tags();
    calls.collections();
    return found;
  }

  /**
   * Checks the fewest round trips of each call so far against a column of the page, in its order.
   * There, {@code n} is a number that grows with the number of keys.
   *
   * @param engine the head of the column, such as {@code Redis}
   */
  public void check(String engine) throws IOException {
    Map<String, String> listed = listed(engine);
    Map<String, String> found = new LinkedHashMap<>();
    measured.forEach(
        (call, number) ->
            found.put(
                call, number > 2 && "n".equals(listed.get(call)) ? "n" : String.valueOf(number)));
    assertThat(found).containsExactlyEntriesOf(listed);
  }

  private static Map<String, String> listed(String engine) throws IOException {
    Path page = Path.of("").toAbsolutePath();
    while (!Files.exists(page.resolve("docs/round-trips.md"))) {
      page = page.getParent();
    }
    Map<String, String> listed = new LinkedHashMap<>();
    int column = -1;
    for (String line : Files.readAllLines(page.resolve("docs/round-trips.md"))) {
      List<String> cells = List.of(line.split(" *\\| *"));
      if (cells.contains("call")) {
        column = cells.indexOf(engine);
      } else if (line.startsWith("| `") && column >= 0 && !cells.get(column).equals("–")) {
        listed.put(cells.get(1).replace("`", ""), cells.get(column));
      }
    }
    return listed;
  }

  private void count(String call, Runnable code) {
    visitor.accept(call, code);
  }

  private static Map<Integer, Long> hundred(int from) {
    return IntStream.range(from, from + 100)
        .boxed()
        .collect(Collectors.toMap(key -> key, Long::valueOf));
  }

  /** Calls every method of a cache that reads or writes entries. */
  @SuppressWarnings("ReturnValueIgnored")
  public void caches() {
    PersistentCache<Integer, Long> cache = pool.cache("cache", Integer.class, Long.class);
    PersistentCache<Integer, Long> timed =
        pool.cache(
            "timed",
            Integer.class,
            Long.class,
            options -> options.expiry(CacheExpiry.afterWrite(HOUR)));
    PersistentCache<Integer, Long> cold =
        pool.cache("cold", Integer.class, Long.class, options -> options.hotEntries(0));
    for (PersistentCache<Integer, Long> each : List.of(cache, timed, cold)) {
      for (int from = 0; from < 300; from += 100) { // an engine may learn something about keys
        each.putAll(hundred(from));
        each.invalidateAll(hundred(from).keySet());
      }
    }
    count("cache.put", () -> cache.put(1, 1L));
    count("cache.put, with a time to live", () -> cache.put(2, 1L, HOUR));
    count("cache.get", () -> cache.get(1));
    count("cache.get, of an absent key", () -> cache.get(0));
    cold.put(1, 1L);
    count("cache.get, not in memory", () -> cold.get(1));
    count("cache.get, with a loader that runs", () -> cache.get(3, key -> 1L));
    count("cache.computeIfAbsent, which runs its function", () -> computeIfAbsent(cache, 4));
    count("cache.containsKey", () -> cache.containsKey(1));
    count("cache.containsKey, not in memory", () -> cold.containsKey(1));
    count("cache.ttl", () -> cache.ttl(2));
    count("cache.getAndPut", () -> cache.getAndPut(1, 2L));
    count("cache.getAndPut, with an expiry", () -> timed.getAndPut(1, 2L));
    count("cache.putIfAbsent", () -> cache.putIfAbsent(5, 2L));
    count("cache.putIfAbsent, of a key that is there", () -> cache.putIfAbsent(5, 2L));
    cache.put(1, 1L);
    count("cache.replace", () -> cache.replace(1, 3L));
    count("cache.replace, not in memory", () -> cold.replace(1, 3L));
    count("cache.replace, of a key and value", () -> cache.replace(1, 3L, 4L));
    timed.put(1, 3L);
    count("cache.replace, of a key and value that expire", () -> timed.replace(1, 3L, 4L));
    count("cache.replace, of a key and value not in memory", () -> cold.replace(1, 3L, 4L));
    count("cache.replace, of another value", () -> cold.replace(1, 3L, 5L));
    count("cache.compute", () -> cache.compute(1, (key, value) -> 4L));
    count("cache.computeIfPresent", () -> cache.computeIfPresent(1, (key, value) -> 5L));
    count("cache.merge", () -> cache.merge(1, 6L, Long::sum));
    count("cache.expireAfter", () -> cache.expireAfter(1, HOUR));
    count("cache.expireAt", () -> cache.expireAt(1, Instant.now().plusSeconds(9_999)));
    count("cache.persist", () -> cache.persist(1));
    count("cache.invalidate", () -> cache.invalidate(1));
    count("cache.remove", () -> cache.remove(2));
    count("cache.remove, of an absent key", () -> cache.remove(2));
    count("cache.remove, of a key and value", () -> cache.remove(3, 1L));
    count("cache.remove, of a key and value that expire", () -> timed.remove(1, 4L));
    count("cache.getAndRemove", () -> cache.getAndRemove(4));
    count("cache.putAll, of 100 entries", () -> cache.putAll(hundred(100)));
    cold.putAll(hundred(100));
    count("cache.getAll, of 100 keys", () -> cold.getAll(hundred(100).keySet()));
    count(
        "cache.getAll, with a loader that runs for 100 keys",
        () -> cold.getAll(hundred(200).keySet(), keys -> hundred(200)));
    count("cache.forEach, of 100 entries", () -> cold.forEach(entry -> {}));
    count("cache.invalidateAll, of 100 keys", () -> cache.invalidateAll(hundred(100).keySet()));
    count("cache.clear", cache::clear);
  }

  private static void computeIfAbsent(PersistentCache<Integer, Long> cache, int key) {
    Long unused = cache.computeIfAbsent(key, any -> 1L);
  }

  /** Calls the methods of caches that need collections. */
  public void tags() {
    PersistentCache<Integer, Long> tagged =
        pool.cache("tagged", Integer.class, Long.class, options -> options.hotEntries(0));
    tagged.put(1, 1L, Set.of("other"));
    tagged.invalidateTag("other");
    count("cache.put, with a tag", () -> tagged.put(1, 1L, Set.of("tag")));
    count("cache.get, of an entry with a tag", () -> tagged.get(1));
    count("cache.invalidateTag", () -> tagged.invalidateTag("tag"));
  }

  /** Calls the methods of collections. */
  public void collections() {
    maps();
    others();
  }

  @SuppressWarnings("ReturnValueIgnored")
  private void maps() {
    PersistentMap<Integer, Long> map = pool.map("map", Integer.class, Long.class);
    count("map.put", () -> map.put(1, 1L));
    count("map.get", () -> map.get(1));
    count("map.putIfAbsent", () -> map.putIfAbsent(2, 1L));
    count("map.replace", () -> map.replace(1, 2L));
    count("map.compute", () -> map.compute(1, (key, value) -> 3L));
    count("map.increment", () -> map.increment(1, 1));
    count("map.remove", () -> map.remove(1));
    count("map.size", map::size);
    count("map.clear", map::clear);
    map.putAll(hundred(0));
    count("map.keySet().removeIf, of 100 keys", () -> map.keySet().removeIf(key -> true));
    PersistentSortedMap<Integer, Long> sorted = pool.sortedMap("sorted", Integer.class, Long.class);
    sorted.put(1, 1L);
    count("sortedMap.firstEntry", sorted::firstEntry);
    count("sortedMap.pollFirstEntry", sorted::pollFirstEntry);
    sorted.putAll(hundred(0));
    count("sortedMap.values().removeIf, of 100 values", () -> sorted.values().removeIf(v -> true));
    PersistentTable<Integer, Integer, Long> table =
        pool.table("table", Integer.class, Integer.class, Long.class);
    count("table.put", () -> table.put(1, 1, 1L));
    count("table.get", () -> table.get(1, 1));
  }

  @SuppressWarnings("ReturnValueIgnored")
  private void others() {
    PersistentSet<Integer> set = pool.set("set", Integer.class);
    count("set.add", () -> set.add(1));
    count("set.contains", () -> set.contains(1));
    count("set.remove", () -> set.remove(1));
    List<Integer> hundred = IntStream.range(0, 100).boxed().toList();
    set.addAll(hundred);
    PersistentSet<Integer> target = pool.set("target", Integer.class);
    count("set.containsAll, of 100 elements", () -> set.containsAll(hundred));
    count("set.moveTo", () -> set.moveTo(target, 1));
    PersistentValue<Long> value = pool.value("value", Long.class);
    count("value.set", () -> value.set(1L));
    count("value.get", value::get);
    PersistentCounter counter = pool.counter("counter");
    count("counter.incrementAndGet", counter::incrementAndGet);
    PersistentDeque<Integer> deque = pool.deque("deque", Integer.class);
    count("deque.offerLast", () -> deque.offerLast(1));
    count("deque.peekFirst", deque::peekFirst);
    count("deque.pollFirst", deque::pollFirst);
    count("deque.addAll, of 100 elements", () -> deque.addAll(hundred));
    count("deque.range, of 100 elements", () -> deque.range(0, 100));
    count("deque.offerLastIfNotEmpty", () -> deque.offerLastIfNotEmpty(1));
    PersistentScoredSet<Integer> scores = pool.scoredSet("scores", Integer.class);
    count("scoredSet.add", () -> scores.add(1, 1));
    count("scoredSet.score", () -> scores.score(1));
    count("scoredSet.addAll, of 100 elements", () -> scores.addAll(hundred));
    count("scoredSet.containsAll, of 100 elements", () -> scores.containsAll(hundred));
    count("scoredSet.pollFirst, of 10 elements", () -> scores.pollFirst(10));
    count("scoredSet.removeAll, of 100 elements", () -> scores.removeAll(hundred));
    scores.addAll(hundred);
    count("scoredSet.removeIf, of 100 elements", () -> scores.removeIf(element -> true));
  }
}
