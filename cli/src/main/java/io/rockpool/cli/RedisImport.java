package io.rockpool.cli;

import io.rockpool.Rockpool;
import io.rockpool.error.LimitExceededException;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentStructure;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Copies keys of a Redis server. Its strings become the entries of one map, each with its time to
 * live. A hash becomes a map, a list a deque, a set a set and a sorted set a scored set, below the
 * name of the map, which are cleared when the key would expire.
 */
final class RedisImport {
  private static final String PAGE = "1000";
  private static final int PAGE_ELEMENTS = 1_000;

  private final Rockpool pool;
  private final String name;
  private final RedisSource redis;
  private final PrintWriter err;
  private long imported;
  private long skipped;

  RedisImport(Rockpool pool, String name, RedisSource redis, PrintWriter err) {
    this.pool = pool;
    this.name = name;
    this.redis = redis;
    this.err = err;
  }

  /** The number of keys that were copied. */
  long imported() {
    return imported;
  }

  /** The number of keys that were not. */
  long skipped() {
    return skipped;
  }

  /** Copies the keys that match a pattern. */
  void run(String pattern) throws IOException {
    String cursor = "0";
    do {
      List<?> page =
          (List<?>)
              Objects.requireNonNull(redis.call("SCAN", cursor, "MATCH", pattern, "COUNT", PAGE));
      cursor = Objects.requireNonNull(RedisSource.text(page.get(0)));
      for (Object key : (List<?>) page.get(1)) {
        try {
          importKey(Objects.requireNonNull(RedisSource.text(key)));
        } catch (RedisSource.NoTextException e) {
          skip("a key", String.valueOf(e.getMessage()));
        }
      }
    } while (!cursor.equals("0"));
  }

  private void skip(String key, String why) {
    skipped++;
    err.println("rockpool: " + key + " was left out: " + why);
  }

  private void importKey(String key) throws IOException {
    long ttl = redis.number("PTTL", key);
    String type = Objects.requireNonNull(redis.text("TYPE", key));
    if (ttl == -2 || ttl == 0 || type.equals("none")) {
      return; // it has expired
    }
    Duration life = ttl < 0 ? null : Duration.ofMillis(ttl);
    try {
      switch (type) {
        case "string" -> {
          String value = redis.text("GET", key);
          PersistentMap<String, String> map = pool.map(name, String.class, String.class);
          if (value != null && life != null) {
            map.put(key, value, life);
          } else if (value != null) {
            map.put(key, value);
          }
        }
        case "hash" -> {
          PersistentMap<String, String> map = pool.map(below(key), String.class, String.class);
          pages("HSCAN", key, page -> map.putAll(pairs(page)));
          limit(map, life);
        }
        case "list" -> {
          PersistentDeque<String> deque = pool.deque(below(key), String.class);
          deque.clear();
          List<String> page = range(key, 0);
          for (long from = 0; !page.isEmpty(); page = range(key, from)) {
            deque.addAll(page);
            from += page.size();
          }
          limit(deque, life);
        }
        case "set" -> {
          PersistentSet<String> set = pool.set(below(key), String.class);
          pages("SSCAN", key, set::addAll);
          limit(set, life);
        }
        case "zset" -> {
          PersistentScoredSet<String> set = pool.scoredSet(below(key), String.class);
          pages(
              "ZSCAN",
              key,
              page -> {
                Map<String, Double> scores = new HashMap<>();
                pairs(page).forEach((element, score) -> scores.put(element, score(score)));
                set.addScores(scores);
              });
          limit(set, life);
        }
        default -> {
          skip("\"" + key + "\"", "it is a " + type);
          return;
        }
      }
      imported++;
    } catch (RedisSource.NoTextException
        | LimitExceededException
        | IllegalArgumentException
        | UnsupportedOperationException e) {
      skip("\"" + key + "\"", String.valueOf(e.getMessage()));
    }
  }

  private String below(String key) {
    return name + "/" + key;
  }

  private static void limit(PersistentStructure structure, @Nullable Duration life) {
    if (life != null) {
      structure.clearAfter(life);
    }
  }

  private List<String> range(String key, long from) throws IOException {
    return redis.texts("LRANGE", key, "" + from, "" + (from + PAGE_ELEMENTS - 1));
  }

  /** Takes a page of elements. */
  private interface Page {
    void take(List<String> elements);
  }

  private void pages(String command, String key, Page pages) throws IOException {
    String cursor = "0";
    do {
      List<?> page =
          (List<?>) Objects.requireNonNull(redis.call(command, key, cursor, "COUNT", PAGE));
      cursor = Objects.requireNonNull(RedisSource.text(page.get(0)));
      pages.take(RedisSource.texts(page.get(1)));
    } while (!cursor.equals("0"));
  }

  private static Map<String, String> pairs(List<String> page) {
    Map<String, String> pairs = new HashMap<>();
    for (int at = 0; at < page.size(); at += 2) {
      pairs.put(page.get(at), page.get(at + 1));
    }
    return pairs;
  }

  private static double score(String text) {
    return switch (text) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
