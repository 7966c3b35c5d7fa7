package io.rockpool.crash;

import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.Check;
import io.rockpool.structure.DequeEnd;
import io.rockpool.structure.Mutations;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentSortedSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a thread of the campaign does. Each step is one change that is whole or not made at all, and
 * follows from its seed and what is there; so a model that has made the same steps holds the same.
 *
 * <p>What has a brief time to live lies at keys that no other step reads, since whether it is still
 * there is a matter of milliseconds.
 */
final class Steps {
  /** Ends between a round and the next where the clock goes on by an hour in between. */
  static final Duration FADING_TTL = Duration.ofMinutes(45);

  private static final int MAX_BRIEF_MILLIS = 20;
  private static final int KEYS = 30;
  private static final double BRIEF_SCORE = -1_000;

  /** Of a hundred steps. */
  private static final int CLEARS = 3;

  private static final int DROPS = 2;
  private static final int DROPS_OF_ALL = 200;

  private final Home home;
  private final boolean sweeping;

  /**
   * The steps of one thread.
   *
   * @param sweeping whether it clears and drops, for which the store forces its log; else it does
   *     nothing in such a step
   */
  Steps(Home home, boolean sweeping) {
    this.home = home;
    this.sweeping = sweeping;
  }

  /** Whether the step of a seed removes much at once. */
  static boolean sweeps(long seed) {
    return new SplittableRandom(seed).nextInt(100) < CLEARS + DROPS;
  }

  void run(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int percent = random.nextInt(100);
    if (percent < CLEARS + DROPS) {
      sweep(percent, random);
    } else if (percent < 20) {
      cache(home.cache(), random);
    } else if (percent < 30) {
      cache(home.cold(), random);
    } else if (percent < 38) {
      map(random);
    } else if (percent < 46) {
      sortedMap(random);
    } else if (percent < 51) {
      set(random);
    } else if (percent < 56) {
      sortedSet(random);
    } else if (percent < 64) {
      scores(random);
    } else if (percent < 75) {
      deque(random);
    } else if (percent < 82) {
      table(random);
    } else if (percent < 85) {
      counter(random);
    } else if (percent < 88) {
      value(random);
    } else {
      atomically(random);
    }
  }

  private void sweep(int percent, SplittableRandom random) {
    if (!sweeping) {
      return;
    }
    if (percent < CLEARS) {
      clear(random);
    } else {
      drop(random);
    }
  }

  private void clear(SplittableRandom random) {
    switch (Home.NAMES.get(random.nextInt(Home.NAMES.size()))) {
      case "cache" -> home.cache().clear();
      case "cold" -> home.cold().clear();
      case "map" -> home.map().clear();
      case "sorted-map" -> home.sortedMap().clear();
      case "set" -> home.set().clear();
      case "sorted-set" -> home.sortedSet().clear();
      case "scores" -> home.scores().clear();
      case "deque" -> home.deque().clear();
      case "spare" -> home.spare().clear();
      case "table" -> home.table().clear();
      case "counter" -> home.counter().clear();
      default -> home.value().clear();
    }
  }

  private void drop(SplittableRandom random) {
    if (random.nextInt(DROPS_OF_ALL) == 0) {
      home.pool().names().dropLevel(home.level());
    } else {
      home.pool().names().drop(home.name(Home.NAMES.get(random.nextInt(Home.NAMES.size()))));
    }
  }

  private static void cache(PersistentCache<String, String> cache, SplittableRandom random) {
    String key = key(random);
    String text = text(random);
    switch (random.nextInt(9)) {
      case 0, 1 -> cache.put(key, text);
      case 2 -> cache.put(key, text, FADING_TTL);
      case 3 -> cache.put(briefKey(random), text, briefTtl(random));
      case 4 -> cache.putIfAbsent(key, text);
      case 5 -> cache.replace(key, text);
      case 6 -> cache.invalidate(key);
      case 7 -> cache.get(key);
      default -> cache.compute(key, (same, found) -> longer(found, text));
    }
  }

  private void map(SplittableRandom random) {
    PersistentMap<String, String> map = home.map();
    String key = key(random);
    String text = text(random);
    switch (random.nextInt(7)) {
      case 0, 1 -> map.put(key, text);
      case 2 -> map.put(key, text, FADING_TTL);
      case 3 -> map.put(briefKey(random), text, briefTtl(random));
      case 4 -> map.putIfAbsent(key, text);
      case 5 -> map.remove(key);
      default -> map.compute(key, (same, found) -> longer(found, text));
    }
  }

  private void sortedMap(SplittableRandom random) {
    PersistentSortedMap<String, String> map = home.sortedMap();
    String key = key(random);
    String text = text(random);
    switch (random.nextInt(7)) {
      case 0, 1 -> map.put(key, text);
      case 2 -> map.put(key, text, FADING_TTL);
      case 3 -> map.put(briefKey(random), text, briefTtl(random));
      case 4 -> map.pollLastEntry();
      case 5 -> map.remove(key);
      default -> map.merge(key, text, Steps::longer);
    }
  }

  /** Whether an element fades follows from the element: that it is there says all. */
  private void set(SplittableRandom random) {
    PersistentSet<String> set = home.set();
    String element = key(random);
    switch (random.nextInt(5)) {
      case 0, 1 -> set.add(element);
      case 2 -> set.add("fading " + element, FADING_TTL);
      case 3 -> set.add(briefKey(random), briefTtl(random));
      default -> set.remove(random.nextBoolean() ? element : "fading " + element);
    }
  }

  private void sortedSet(SplittableRandom random) {
    PersistentSortedSet<String> set = home.sortedSet();
    String element = key(random);
    switch (random.nextInt(6)) {
      case 0, 1 -> set.add(element);
      case 2 -> set.add("fading " + element, FADING_TTL);
      case 3 -> set.add(briefKey(random), briefTtl(random));
      case 4 -> set.pollLast();
      default -> set.remove(random.nextBoolean() ? element : "fading " + element);
    }
  }

  private void scores(SplittableRandom random) {
    PersistentScoredSet<String> scores = home.scores();
    String element = key(random);
    double score = random.nextInt(1_000);
    switch (random.nextInt(8)) {
      case 0, 1 -> scores.add(element, score);
      case 2 -> scores.add("fading " + element, score, FADING_TTL);
      case 3 -> scores.add(briefKey(random), BRIEF_SCORE, briefTtl(random));
      case 4 -> scores.incrementScore(element, 1);
      case 5 -> scores.pollLast();
      case 6 -> scores.pollLast(2);
      default -> scores.remove(element);
    }
  }

  private void deque(SplittableRandom random) {
    PersistentDeque<String> deque = home.deque();
    String text = text(random);
    switch (random.nextInt(11)) {
      case 0, 1 -> deque.offerLast(text);
      case 2 -> deque.offerFirst(text);
      case 3 -> deque.offerLastExpiring(text, FADING_TTL);
      case 4 -> deque.pollFirst();
      case 5 -> deque.pollLast();
      case 6 -> deque.pollFirst(3);
      case 7 -> deque.moveFirstTo(home.spare(), DequeEnd.LAST);
      case 8 -> home.spare().moveLastTo(deque, DequeEnd.FIRST);
      case 9 -> deque.addAll(List.of(text, "and another", "and a third"));
      default -> deque.insert(deque.isEmpty() ? 0 : 1, text);
    }
  }

  private void table(SplittableRandom random) {
    PersistentTable<String, Long, String> table = home.table();
    String row = "row " + random.nextInt(3);
    long sortKey = random.nextInt(10);
    String text = text(random);
    switch (random.nextInt(7)) {
      case 0 -> table.put(row, sortKey, text);
      case 1 -> table.put(row, sortKey, text, FADING_TTL);
      case 2 -> table.put("brief", sortKey, text, briefTtl(random));
      case 3 -> table.remove(row, sortKey);
      case 4 -> table.putAll(row, Map.of(sortKey, text, sortKey + 1, text, sortKey + 2, text));
      case 5 ->
          table.mutate(row, new Mutations<Long, String>().put(sortKey, text).remove(sortKey + 1));
      default -> table.when(row, sortKey, Check.absent()).put(sortKey + 1, text);
    }
  }

  private void counter(SplittableRandom random) {
    PersistentCounter counter = home.counter();
    switch (random.nextInt(4)) {
      case 0 -> counter.set(random.nextInt(1_000_000));
      case 1 -> counter.set(random.nextInt(1_000_000), FADING_TTL);
      default -> counter.addAndGet(1 + random.nextInt(10));
    }
  }

  private void value(SplittableRandom random) {
    PersistentValue<String> value = home.value();
    String text = text(random);
    switch (random.nextInt(4)) {
      case 0 -> value.set(text);
      case 1 -> value.set(text, FADING_TTL);
      case 2 -> value.set(null);
      default -> value.updateAndGet(found -> longer(found, text));
    }
  }

  /** Moves an element from one to the other, and notes it in all the others. */
  private void atomically(SplittableRandom random) {
    PersistentMap<String, String> map = home.map();
    PersistentMap<String, String> shared = home.sharedMap();
    PersistentScoredSet<String> sharedScores = home.sharedScores();
    PersistentDeque<String> deque = home.deque();
    PersistentCounter counter = home.counter();
    PersistentCache<String, String> cache = home.cache();
    String key = key(random);
    String text = text(random);
    boolean putting = random.nextInt(3) > 0;
    home.pool()
        .atomically(
            tx -> {
              if (putting) {
                map.put(key, text);
                shared.put(home.own(key), text);
                sharedScores.add(home.own(key), text.length());
                deque.offerLast(text);
                cache.put(key, text);
              } else {
                map.remove(key);
                shared.remove(home.own(key));
                sharedScores.remove(home.own(key));
                deque.pollFirst();
                cache.invalidate(key);
              }
              return counter.addAndGet(1);
            });
  }

  private static String key(SplittableRandom random) {
    return "k" + random.nextInt(KEYS);
  }

  private static String briefKey(SplittableRandom random) {
    return "brief " + random.nextInt(KEYS);
  }

  private static Duration briefTtl(SplittableRandom random) {
    return Duration.ofMillis(1 + random.nextInt(MAX_BRIEF_MILLIS));
  }

  /** Unlike any other; some are long enough for files of their own. */
  private static String text(SplittableRandom random) {
    String text = Long.toHexString(random.nextLong());
    return switch (random.nextInt(100)) {
      case 0 -> text + "x".repeat(17 << 10);
      case 1, 2, 3 -> text + "x".repeat(3 << 10);
      default -> text + "x".repeat(random.nextInt(100));
    };
  }

  private static String longer(@Nullable String found, String text) {
    return found == null || found.length() > 1_000 ? text : found + "+" + text;
  }
}
