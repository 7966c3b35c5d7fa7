package io.rockpool.crash;

import io.rockpool.Rockpool;
import java.nio.file.Path;

/**
 * A process that counts in a store as fast as it can. Every few milliseconds it prints how far each
 * thread has come, until it is killed.
 */
final class CopyVictim {
  /** So that files are written, compacted and deleted all the time. */
  private static final long MEMORY_BYTES = 8L << 20;

  private static final long PERIOD_MILLIS = 2;

  private CopyVictim() {}

  public static void main(String[] arguments) throws InterruptedException {
    Rockpool pool = Rockpool.at(Path.of(arguments[0])).memoryBytes(MEMORY_BYTES).open();
    Counting counting = new Counting(pool);
    counting.resume();
    for (int thread = 0; thread < Counting.THREADS; thread++) {
      int number = thread;
      new Thread(
              () -> {
                while (true) {
                  counting.step(number);
                }
              })
          .start();
    }
    while (true) {
      System.out.println(counting.acknowledged());
      Thread.sleep(PERIOD_MILLIS);
    }
  }
}
