package io.rockpool.engine.rocksdb;

import io.rockpool.error.RockpoolException;
import java.nio.file.Path;

/**
 * A process that opens stores, and says of each in a line that it has, or what keeps it from it.
 */
final class StoreOpener {
  static final String OPENED = "opened";

  private StoreOpener() {}

  public static void main(String[] arguments) {
    for (String directory : arguments) {
      try {
        RocksDbEngine.open(Path.of(directory), RocksDbOptions.defaults()).close();
        System.out.println(OPENED);
      } catch (RockpoolException e) {
        System.out.println(e);
      }
    }
  }
}
