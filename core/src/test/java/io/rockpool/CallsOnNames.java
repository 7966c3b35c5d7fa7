package io.rockpool;

import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeOptions;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The calls whose costs {@link ManyNamesTest} compares, in a store where some names of each kind
 * are open.
 */
public final class CallsOnNames implements AutoCloseable {
  private static final Duration DAY = Duration.ofDays(1);

  private final FakeClock clock = new FakeClock();
  private final Path directory;
  private final int names;
  private Rockpool pool;
  private final Map<String, Integer> uses = new HashMap<>();
  private int number;

  /** Opens a store in a directory. */
  public CallsOnNames(Path directory, Integer names) {
    this.directory = directory;
    this.names = names;
    this.pool = open();
    for (int i = 0; i < names; i++) {
      cache("cache-" + i).put("key", "value", DAY);
      map("map-" + i);
      queue("queue-" + i);
      feed("feed-" + i);
    }
  }

  private Rockpool open() {
    return Rockpool.at(directory).clock(clock).open();
  }

  private PersistentCache<String, String> cache(String name) {
    return pool.cache(name, String.class, String.class);
  }

  private void map(String name) {
    Object unused = pool.map(name, String.class, String.class);
  }

  private void queue(String name) {
    Object unused = pool.queue(name, String.class);
  }

  private void feed(String name) {
    Object unusedMap =
        pool.map(name, String.class, String.class, o -> o.changes(ChangeOptions.keep(DAY)));
    Object unused = pool.changes(name, String.class, String.class);
  }

  private String next(String kind) {
    return kind + "-" + (names - 1 - uses.merge(kind, 1, Integer::sum) % names);
  }

  private String fresh() {
    return "new-" + number++;
  }

  /** Calls that concern one name. */
  public Map<String, Runnable> call() {
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("open a new cache", () -> cache(fresh()));
    calls.put("open a new map", () -> map(fresh()));
    calls.put("open a new queue", () -> queue(fresh()));
    calls.put("open a new feed", () -> feed(fresh()));
    calls.put("open a cache again", () -> cache(next("cache")));
    calls.put("open a map again", () -> map(next("map")));
    calls.put("open a queue again", () -> queue(next("queue")));
    calls.put("open a feed again", () -> feed(next("feed")));
    calls.put("find", () -> pool.names().find(next("cache")));
    calls.put("close a cache, and open it", () -> reopen(next("cache")));
    calls.put("rename", () -> pool.names().rename(next("map"), fresh()));
    calls.put("drop a cache", () -> pool.names().drop(next("cache")));
    calls.put("drop a queue", () -> pool.names().drop(next("queue")));
    calls.put("drop a feed", () -> pool.names().drop(next("feed")));
    return calls;
  }

  private void reopen(String name) {
    cache(name).close();
    cache(name);
  }

  /** Calls that concern each name. */
  public Map<String, Runnable> callsOnAll() {
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("list", () -> pool.names().list());
    calls.put("close the store", () -> pool.close());
    calls.put("open the store", () -> pool = open());
    calls.put("reclaim what expired", this::expire);
    calls.put("drop all", () -> pool.names().dropAll());
    return calls;
  }

  private void expire() {
    clock.advanceMillis(DAY.multipliedBy(2).toMillis());
    pool.reclaim();
  }

  @Override
  public void close() {
    pool.close();
  }
}
