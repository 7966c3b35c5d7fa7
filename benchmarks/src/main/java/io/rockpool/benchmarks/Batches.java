package io.rockpool.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Gets and puts of a hundred entries at once, at random; there is room for a hundredth of the
 * entries in memory.
 */
public class Batches extends Row {
  private static final int BATCHES = 2_000;
  private static final int BATCH_ENTRIES = 100;

  /** Who takes part. */
  @Param({"ROCKSDB", "NAIVE", "ENGINE", "ROCKPOOL"})
  public Peer peer;

  /** Reads every entry once, so that RocksDB has its blocks in memory. */
  @Setup
  public void open() {
    Data data = new Data(entries, VALUE_BYTES);
    open(peer, data, entries / 100, Data.inOrder(BATCHES));
    contestant().prepare(data.batches(BATCHES, BATCH_ENTRIES));
    readAll(entries);
  }

  /** One batch read. */
  @Benchmark
  public Object getAll(Cursor cursor) {
    return contestant().getAll(next(cursor));
  }

  /** One batch written. */
  @Benchmark
  public void putAll(Cursor cursor) {
    contestant().putAll(next(cursor));
  }
}
