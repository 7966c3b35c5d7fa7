package io.rockpool.structure;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;

/**
 * A store that a test of structures runs on, on one of the engines: open from the start, and opened
 * again on the same data whenever the test wants.
 */
final class StoreUnderTest implements AutoCloseable {
  /** What every test of structures runs on. */
  enum Kind {
    MEMORY,
    /** With an adversary, which runs transactions twice and shows scans what comes meanwhile. */
    ADVERSARIAL,
    ROCKSDB
  }

  private static final long ADVERSARY_SEED = 1;

  final FakeClock clock = new FakeClock();
  private final Path directory;
  private Engine engine;
  private Rockpool pool;

  /** Opens an empty store; one on disk in {@code directory}, which must be empty then. */
  StoreUnderTest(Kind kind, Path directory) {
    this.directory = directory;
    this.engine =
        switch (kind) {
          case MEMORY -> MemoryEngine.builder().clock(clock).build();
          case ADVERSARIAL -> MemoryEngine.builder().clock(clock).adversary(ADVERSARY_SEED).build();
          case ROCKSDB -> onDisk();
        };
    this.pool = Rockpool.over(engine);
  }

  private Engine onDisk() {
    return RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build());
  }

  Rockpool pool() {
    return pool;
  }

  /** What lies below the open store. */
  Engine engine() {
    return engine;
  }

  /** Closes the store and opens it again. */
  Rockpool reopen() {
    pool.close();
    engine = engine instanceof MemoryEngine memory ? memory.reopen() : onDisk();
    pool = Rockpool.over(engine);
    return pool;
  }

  @Override
  public void close() {
    pool.close();
  }
}
