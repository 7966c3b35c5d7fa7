package io.rockpool.benchmarks;

import java.nio.file.Path;

/** Who takes part. */
public enum Peer {
  /** Caffeine alone: what memory can do. */
  CAFFEINE {
    @Override
    Contestant open(Path store, Data data, int hotEntries) {
      return new CaffeineAlone(data, hotEntries);
    }
  },
  /** RocksDB alone, with the same files, settings and bytes, and the same decoding. */
  ROCKSDB {
    @Override
    Contestant open(Path store, Data data, int hotEntries) {
      return new RocksDbAlone(store, data);
    }
  },
  /**
   * Caffeine in front of RocksDB, as anyone would write it; it keeps a tenth of all entries
   * whatever the others keep.
   */
  NAIVE {
    @Override
    Contestant open(Path store, Data data, int hotEntries) {
      return new NaiveContestant(store, data, data.entries() / 10);
    }
  },
  /** Rockpool's engine without the cache above it. */
  ENGINE {
    @Override
    Contestant open(Path store, Data data, int hotEntries) {
      return new EngineAlone(store, data);
    }
  },
  /** Rockpool's cache. */
  ROCKPOOL {
    @Override
    Contestant open(Path store, Data data, int hotEntries) {
      return new RockpoolContestant(store, data, hotEntries);
    }
  };

  /** Opens a contestant on a store that is its own. */
  abstract Contestant open(Path store, Data data, int hotEntries);
}
