package io.rockpool.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Threads;

/** Puts that replace every entry in turn; there is room for a tenth of the entries in memory. */
public class Put extends Row {
  /** Who takes part. */
  @Param({"ROCKSDB", "NAIVE", "ENGINE", "ROCKPOOL"})
  public Peer peer;

  /** Leaves the memory empty. */
  @Setup
  public void open() {
    open(peer, new Data(entries, VALUE_BYTES), entries / 10, Data.inOrder(entries));
  }

  /** One put, without other threads. */
  @Benchmark
  @Threads(1)
  public void byOneThread(Cursor cursor) {
    contestant().put(next(cursor));
  }

  /** One put, while another thread puts other keys. */
  @Benchmark
  @Threads(2)
  public void byTwoThreads(Cursor cursor) {
    contestant().put(next(cursor));
  }
}
