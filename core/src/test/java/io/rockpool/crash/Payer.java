package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentMap;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process that pays each number once, in several threads that ask for the same numbers. It says
 * each number that was paid, and its result.
 */
final class Payer {
  static final int THREADS = 4;
  static final Duration KEPT = Duration.ofDays(1);

  private Payer() {}

  static PersistentMap<Integer, Integer> payments(Rockpool pool) {
    return pool.map("payments", Integer.class, Integer.class);
  }

  static PersistentCounter total(Rockpool pool) {
    return pool.counter("total");
  }

  static String key(int number) {
    return "pay/" + number;
  }

  public static void main(String[] arguments) {
    Rockpool pool = Rockpool.open(Path.of(arguments[0]));
    PrintStream said = new PrintStream(System.out, true);
    PersistentMap<Integer, Integer> payments = payments(pool);
    PersistentCounter total = total(pool);
    int first = Math.max(0, payments.size() - THREADS);
    for (int thread = 0; thread < THREADS; thread++) {
      new Thread(
              () -> {
                for (int next = first; ; next++) {
                  int number = next;
                  long result =
                      pool.<Long>once(
                          key(number),
                          KEPT,
                          tx -> {
                            payments.merge(number, 1, Integer::sum);
                            return total.incrementAndGet();
                          });
                  said.println(number + " " + result);
                }
              })
          .start();
    }
  }
}
