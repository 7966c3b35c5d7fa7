package io.rockpool.benchmarks;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Gets as caches see them, some keys far more often than others; there is room for a tenth of the
 * entries in memory.
 */
public class ZipfGet extends Row {
  private static final double SKEW = 0.99;

  /** Who takes part. */
  @Param({"ROCKSDB", "NAIVE", "ROCKPOOL"})
  public Peer peer;

  /** Reads until the entries that are asked for most are in memory. */
  @Setup
  public void open() {
    int[] sequence = Data.zipf(entries, SKEW);
    open(peer, new Data(entries, VALUE_BYTES), entries / 10, sequence);
    readBackwards(sequence);
  }

  /** One get. */
  @Benchmark
  public @Nullable Object get(Cursor cursor) {
    return contestant().get(next(cursor));
  }
}
