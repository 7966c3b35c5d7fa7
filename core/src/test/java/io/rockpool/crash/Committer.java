package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.store.Durability;
import io.rockpool.structure.PersistentMap;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that writes numbers in several threads, the even ones to a map and the others to a
 * cache, and says each once it is written; flushes the store, says so, and closes it.
 */
final class Committer {
  static final String BEGINS = "begins";
  static final String WRITTEN = "written";
  static final String FLUSHED = "flushed";

  private static final TypeRef<Integer> KEY = TypeRef.of(Integer.class);
  private static final TypeRef<String> VALUE = TypeRef.of(String.class);

  private final PersistentMap<Integer, String> map;
  private final PersistentCache<Integer, String> cache;

  private Committer(Rockpool pool, Durability durability) {
    this.map = pool.map("map", KEY, VALUE, o -> o.durability(durability));
    this.cache = pool.cache("cache", KEY, VALUE, o -> o.durability(durability));
  }

  /**
   * What it is started with.
   *
   * @param store the durability of the store
   * @param handles the durability of its map and its cache
   * @param numbers how many each thread writes
   */
  record Orders(Path directory, Durability store, Durability handles, int threads, int numbers) {
    Object[] arguments() {
      return new Object[] {directory, store, handles, threads, numbers};
    }

    static Orders of(String[] arguments) {
      return new Orders(
          Path.of(arguments[0]),
          Durability.valueOf(arguments[1]),
          Durability.valueOf(arguments[2]),
          Integer.parseInt(arguments[3]),
          Integer.parseInt(arguments[4]));
    }

    int all() {
      return threads * numbers;
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    Orders orders = Orders.of(arguments);
    PrintStream said = new PrintStream(System.out, true);
    try (Rockpool pool = Rockpool.at(orders.directory).durability(orders.store).open()) {
      Committer committer = new Committer(pool, orders.handles);
      said.println(BEGINS);
      List<Thread> threads = new ArrayList<>();
      for (int thread = 0; thread < orders.threads; thread++) {
        int first = thread * orders.numbers;
        threads.add(
            new Thread(
                () -> {
                  for (int number = first; number < first + orders.numbers; number++) {
                    committer.put(number);
                    said.println(number);
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      said.println(WRITTEN);
      pool.flush();
      said.println(FLUSHED);
    }
  }

  private void put(int number) {
    if (number % 2 == 0) {
      map.put(number, value(number));
    } else {
      cache.put(number, value(number));
    }
  }

  private static String value(int number) {
    return "value " + number;
  }

  /** Whether a number is there in a store that this has written to. */
  static boolean hasWritten(Rockpool pool, int number) {
    Committer committer = new Committer(pool, Durability.BUFFERED);
    String found = number % 2 == 0 ? committer.map.get(number) : committer.cache.get(number);
    return value(number).equals(found);
  }
}
