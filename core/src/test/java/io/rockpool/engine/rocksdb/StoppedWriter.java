package io.rockpool.engine.rocksdb;

import io.rockpool.Rockpool;
import io.rockpool.error.StalledWriteException;
import io.rockpool.structure.PersistentMap;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process that puts numbers into a map in several threads until it is killed, and says each once
 * it is put. It holds what is refused because writing has stalled to be put later.
 */
final class StoppedWriter {
  /** Longer than that it is stopped. */
  static final Duration STALL_LIMIT = Duration.ofMillis(100);

  private static final int THREADS = 3;

  private StoppedWriter() {}

  static PersistentMap<Integer, String> map(Rockpool pool) {
    return pool.map("map", Integer.class, String.class);
  }

  static String value(int number) {
    return "value " + number;
  }

  public static void main(String[] arguments) {
    RocksDbEngine engine =
        RocksDbEngine.open(
            Path.of(arguments[0]), RocksDbOptions.builder().stallLimit(STALL_LIMIT).build());
    PersistentMap<Integer, String> map = map(Rockpool.at(o -> engine).open());
    PrintStream said = new PrintStream(System.out, true);
    for (int thread = 0; thread < THREADS; thread++) {
      int first = thread;
      new Thread(
              () -> {
                for (int number = first; ; number += THREADS) {
                  put(map, number);
                  said.println(number);
                }
              })
          .start();
    }
  }

  private static void put(PersistentMap<Integer, String> map, int number) {
    while (true) {
      try {
        map.put(number, value(number));
        return;
      } catch (StalledWriteException e) {
        Thread.onSpinWait();
      }
    }
  }
}
