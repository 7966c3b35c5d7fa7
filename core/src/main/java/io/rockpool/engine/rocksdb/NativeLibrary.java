package io.rockpool.engine.rocksdb;

final class NativeLibrary {
  private NativeLibrary() {}

  static void load() {
    org.rocksdb.RocksDB.loadLibrary();
  }
}
