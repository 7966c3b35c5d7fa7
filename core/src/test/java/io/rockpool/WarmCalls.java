package io.rockpool;

import io.rockpool.cache.PersistentCache;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentTable;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** The calls whose paths {@link CallPathTest} measures, with keys and values that are strings. */
public final class WarmCalls implements Callable<Map<String, Runnable>>, AutoCloseable {
  private final Rockpool pool;
  private int number;

  public WarmCalls(Path directory) {
    pool = Rockpool.open(directory);
  }

  private String next() {
    return "key-" + number++;
  }

  @Override
  public Map<String, Runnable> call() {
    PersistentCache<String, String> cache = pool.cache("cache", String.class, String.class);
    PersistentCache<String, String> cold =
        pool.cache("cold", String.class, String.class, o -> o.hotEntries(0));
    PersistentMap<String, String> map = pool.map("map", String.class, String.class);
    PersistentQueue<String> queue = pool.queue("queue", String.class);
    PersistentScoredSet<String> scores = pool.scoredSet("scores", String.class);
    PersistentDeque<String> deque = pool.deque("deque", String.class);
    PersistentTable<String, String, String> table =
        pool.table("table", String.class, String.class, String.class);
    PersistentCounter counter = pool.counter("counter");
    cache.put("hot", "value");
    cold.put("cold", "value");
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("cache.put", () -> cache.put(next(), "value"));
    calls.put("cache.get, hot", () -> cache.get("hot"));
    calls.put("cache.get, cold", () -> cold.get("cold"));
    calls.put("cache.putIfAbsent", () -> cache.putIfAbsent(next(), "value"));
    calls.put("map.put", () -> map.put(next(), "value"));
    calls.put("queue.send", () -> queue.send("value"));
    calls.put("scoredSet.add", () -> scores.add(next(), 1));
    calls.put("deque.offer", () -> deque.offer("value"));
    calls.put("table.put", () -> table.put(next(), "sort", "value"));
    calls.put("counter.increment", counter::incrementAndGet);
    return calls;
  }

  @Override
  public void close() {
    pool.close();
  }
}
