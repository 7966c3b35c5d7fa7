package io.rockpool.benchmarks;

/** Who builds a collection. */
public enum BulkPeer {
  /** RocksDB alone, given the same records in batches. */
  ROCKSDB,
  /** A collection of Rockpool's. */
  ROCKPOOL
}
