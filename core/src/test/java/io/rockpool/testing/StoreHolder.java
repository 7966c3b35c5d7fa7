package io.rockpool.testing;

import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** A process that opens a store, says so, and holds it until its input ends. */
public final class StoreHolder {
  private StoreHolder() {}

  public static void main(String[] arguments) throws IOException {
    try (RocksDbEngine engine =
        RocksDbEngine.open(Path.of(arguments[0]), RocksDbOptions.defaults())) {
      System.out.println(engine.description());
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
