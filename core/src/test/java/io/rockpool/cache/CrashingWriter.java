package io.rockpool.cache;

import io.rockpool.Rockpool;
import io.rockpool.engine.Durability;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The child of {@link CacheCrashTest}: writes to a cache from several threads, each in keys of its
 * own, until it is killed. What a thread does at each step follows from the seed, so that the
 * parent knows it too; once a step has returned, the thread's number goes down the pipe.
 */
final class CrashingWriter {
  static final String CACHE = "crash/numbers";
  static final int THREADS = 4;
  private static final int KEYS_PER_THREAD = 200;

  private CrashingWriter() {}

  static PersistentCache<String, String> open(Rockpool pool, boolean hot) {
    return pool.cache(
        CACHE,
        String.class,
        String.class,
        CacheOptions.<String, String>defaults().hotEntries(hot ? 100 : 0));
  }

  /** Arguments: directory, durability, whether there is a hot tier, seed. */
  public static void main(String[] args) throws IOException {
    Rockpool pool = Rockpool.at(Path.of(args[0])).durability(Durability.valueOf(args[1])).open();
    PersistentCache<String, String> cache = open(pool, Boolean.parseBoolean(args[2]));
    long seed = Long.parseLong(args[3]);
    DataOutputStream acks = new DataOutputStream(System.out);
    for (int thread = 0; thread < THREADS; thread++) {
      Steps steps = new Steps(seed, thread);
      int number = thread;
      new Thread(
              () -> {
                while (true) {
                  steps.next().applyTo(cache);
                  synchronized (acks) {
                    try {
                      acks.writeByte(number);
                      acks.flush();
                    } catch (IOException e) {
                      return;
                    }
                  }
                }
              })
          .start();
    }
  }

  /** What a thread does, step by step. */
  static final class Steps {
    private final SplittableRandom random;
    private final int thread;
    private long count;

    Steps(long seed, int thread) {
      this.random = new SplittableRandom(seed * THREADS + thread);
      this.thread = thread;
    }

    Step next() {
      count++;
      String key = "t" + thread + "-" + random.nextInt(KEYS_PER_THREAD);
      String value = count + "-" + "x".repeat(random.nextInt(200));
      int kind = random.nextInt(10);
      if (kind == 0) {
        return new Step(List.of(key), null);
      }
      if (kind > 1) {
        return new Step(List.of(key), value);
      }
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        keys.add("t" + thread + "-" + random.nextInt(KEYS_PER_THREAD));
      }
      return new Step(keys, value);
    }
  }

  /** Puts a value under keys, or removes them where it is null. */
  record Step(List<String> keys, String value) {
    void applyTo(PersistentCache<String, String> cache) {
      if (value == null) {
        cache.remove(keys.get(0));
      } else if (keys.size() == 1) {
        cache.put(keys.get(0), value);
        cache.get(keys.get(0));
      } else {
        Map<String, String> map = new TreeMap<>();
        keys.forEach(key -> map.put(key, value));
        cache.putAll(map);
      }
    }

    void applyTo(Map<String, String> model) {
      for (String key : keys) {
        if (value == null) {
          model.remove(key);
        } else {
          model.put(key, value);
        }
      }
    }
  }
}
