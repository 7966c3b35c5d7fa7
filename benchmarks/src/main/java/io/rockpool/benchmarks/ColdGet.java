package io.rockpool.benchmarks;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Gets uniformly at random; there is room for a hundredth of the entries in memory. */
public class ColdGet extends Row {
  /** Who takes part. */
  @Param({"ROCKSDB", "NAIVE", "ENGINE", "ROCKPOOL"})
  public Peer peer;

  /** Reads every entry once, so that RocksDB has its blocks in memory. */
  @Setup
  public void open() {
    open(peer, new Data(entries, VALUE_BYTES), entries / 100, Data.uniform(entries));
    readAll(entries);
  }

  /** One get. */
  @Benchmark
  public @Nullable Object get(Cursor cursor) {
    return contestant().get(next(cursor));
  }
}
