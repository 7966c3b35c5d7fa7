package io.rockpool.benchmarks;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Gets of a tenth of the entries, uniformly at random, all of which are in memory. */
public class HotGet extends Row {
  /** Who takes part. */
  @Param({"CAFFEINE", "NAIVE", "ROCKPOOL"})
  public Peer peer;

  /** Fills the memory. */
  @Setup
  public void open() {
    int hot = entries / 10;
    open(peer, new Data(entries, VALUE_BYTES), hot, Data.uniform(hot));
    readAll(hot);
  }

  /** One get. */
  @Benchmark
  public @Nullable Object get(Cursor cursor) {
    return contestant().get(next(cursor));
  }
}
