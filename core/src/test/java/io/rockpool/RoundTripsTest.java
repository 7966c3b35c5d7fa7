package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import io.rockpool.testing.HandleUnderTest;
import io.rockpool.testing.NotEncrypted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What docs/round-trips.md lists is what the calls need. */
@NotEncrypted("counts the calls of an engine below")
final class RoundTripsTest {
  private static final Pattern LINE = Pattern.compile("\\| `([^`]+)`([^|]*) \\| (\\d+) \\|");

  private final HandleUnderTest handle =
      new HandleUnderTest(MemoryEngine.builder().shared().build());
  private final Rockpool pool = Rockpool.over(handle.engine());
  private final Map<String, Long> measured = new LinkedHashMap<>();

  @AfterEach
  void close() {
    pool.close();
  }

  private void count(String call, Runnable code) {
    long before = handle.roundTrips();
    code.run();
    measured.put(call, handle.roundTrips() - before);
  }

  @Test
  void thePageListsWhatCallsNeed() throws IOException {
    cache();
    maps();
    others();
    Path page = Path.of("").toAbsolutePath();
    while (!Files.exists(page.resolve("docs/round-trips.md"))) {
      page = page.getParent();
    }
    Map<String, Long> listed =
        Files.readAllLines(page.resolve("docs/round-trips.md")).stream()
            .map(LINE::matcher)
            .filter(line -> line.matches())
            .collect(
                Collectors.toMap(
                    line -> line.group(1) + line.group(2),
                    line -> Long.valueOf(line.group(3)),
                    (one, other) -> one,
                    LinkedHashMap::new));
    assertThat(listed).containsExactlyEntriesOf(measured);
  }

  private void cache() {
    PersistentCache<Integer, Long> cache = pool.cache("cache", Integer.class, Long.class);
    Map<Integer, Long> many =
        IntStream.range(100, 200).boxed().collect(Collectors.toMap(key -> key, Long::valueOf));
    count("cache.put", () -> cache.put(1, 1L));
    count("cache.get", () -> cache.get(1));
    count("cache.get, of an absent key", () -> cache.get(0));
    count("cache.get, with a loader that runs", () -> cache.get(2, key -> 1L));
    count("cache.getAndPut", () -> cache.getAndPut(1, 2L));
    count("cache.putIfAbsent", () -> cache.putIfAbsent(3, 2L));
    count("cache.replace", () -> cache.replace(1, 3L));
    count("cache.compute", () -> cache.compute(1, (key, value) -> 4L));
    count("cache.invalidate", () -> cache.invalidate(1));
    count("cache.remove", () -> cache.remove(2));
    count("cache.putAll, of 100 entries", () -> cache.putAll(many));
    cache.clear();
    many.forEach(cache::put);
    pool.cache("cold", Integer.class, Long.class, options -> options.hotEntries(0)).putAll(many);
    PersistentCache<Integer, Long> cold = pool.cache("cold", Integer.class, Long.class);
    count("cache.getAll, of 100 keys", () -> cold.getAll(many.keySet()));
    count("cache.forEach, of 100 entries", () -> cold.forEach(entry -> {}));
    count("cache.clear", cache::clear);
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
    PersistentSortedMap<Integer, Long> sorted = pool.sortedMap("sorted", Integer.class, Long.class);
    sorted.put(1, 1L);
    count("sortedMap.firstEntry", sorted::firstEntry);
    count("sortedMap.pollFirstEntry", sorted::pollFirstEntry);
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
    scores.addAll(hundred);
    count("scoredSet.containsAll, of 100 elements", () -> scores.containsAll(hundred));
  }
}
