package io.rockpool.engine.rocksdb;

import io.rockpool.internal.rocksdb.rows.StoreParts;

/** Gives tests of other packages the native parts of an engine. */
public final class EngineInternals {
  private EngineInternals() {}

  public static StoreParts of(RocksDbEngine engine) {
    return engine.internals();
  }
}
