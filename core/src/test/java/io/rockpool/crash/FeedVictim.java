package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.change.ChangeCursor;
import io.rockpool.change.ChangeEvent;
import io.rockpool.change.ChangeFeed;
import io.rockpool.change.ChangeOptions;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A process whose threads change a map with a feed, while another thread copies the changes to a
 * second map and counts them, in transactions. It says how many changes it has made.
 */
final class FeedVictim {
  private static final int WRITERS = 3;
  private static final int KEYS = 50;
  private static final Duration KEPT = Duration.ofDays(1);

  private FeedVictim() {}

  static PersistentMap<Integer, Integer> source(Rockpool pool) {
    return pool.map(
        "source",
        Integer.class,
        Integer.class,
        o -> o.changes(ChangeOptions.keep(KEPT).maxChanges(20_000)));
  }

  static ChangeFeed<Integer, Integer> feed(Rockpool pool) {
    return pool.changes("source", Integer.class, Integer.class);
  }

  static PersistentMap<Integer, Integer> target(Rockpool pool) {
    return pool.map("target", Integer.class, Integer.class);
  }

  static PersistentCounter copied(Rockpool pool) {
    return pool.counter("copied");
  }

  public static void main(String[] arguments) {
    Rockpool pool = Rockpool.open(Path.of(arguments[0]));
    long seed = Long.parseLong(arguments[1]);
    PersistentMap<Integer, Integer> source = source(pool);
    for (int writer = 0; writer < WRITERS; writer++) {
      Random random = new Random(seed + writer);
      start(
          () -> {
            change(pool, source, random);
            System.out.println("changed");
          });
    }
    PersistentMap<Integer, Integer> target = target(pool);
    PersistentCounter copied = copied(pool);
    ChangeCursor<Integer, Integer> cursor = feed(pool).cursor("copy");
    start(() -> copy(pool, cursor, target, copied));
  }

  private static void change(Rockpool pool, PersistentMap<Integer, Integer> source, Random random) {
    int key = random.nextInt(KEYS);
    switch (random.nextInt(20)) {
      case 0 -> source.clear();
      case 1 -> source.clearAfter(Duration.ZERO);
      case 2, 3, 4, 5 -> {
        int value = random.nextInt();
        pool.runAtomically(
            tx -> {
              source.put(key, value);
              source.remove(key + 1);
              source.put(key + 2, value);
            });
      }
      case 6, 7 -> source.remove(key);
      default -> source.put(key, random.nextInt());
    }
  }

  /** Copies the next changes, if there are any. */
  static int copy(
      Rockpool pool,
      ChangeCursor<Integer, Integer> cursor,
      PersistentMap<Integer, Integer> target,
      PersistentCounter copied) {
    return pool.atomically(
        tx -> {
          int count = 0;
          for (ChangeEvent<Integer, Integer> change : cursor.poll(100)) {
            switch (change.kind()) {
              case PUT -> target.put(change.key(), change.value());
              case REMOVE -> target.remove(change.key());
              default -> target.keySet().removeAll(List.copyOf(target.keySet()));
            }
            count++;
          }
          copied.addAndGet(count);
          cursor.commit();
          return count;
        });
  }

  private static void start(Runnable step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  step.run();
                }
              } catch (RuntimeException | Error e) {
                e.printStackTrace();
                System.out.println("failed");
              }
            });
    thread.start();
  }
}
