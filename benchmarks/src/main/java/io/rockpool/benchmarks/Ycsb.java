package io.rockpool.benchmarks;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Threads;

/**
 * Reads and writes of keys with a zipf distribution, as workloads A and B of the Yahoo! Cloud
 * Serving Benchmark; there is room for a tenth of the entries in memory.
 */
@Threads(2)
public class Ycsb extends Row {
  private static final double SKEW = 0.99;

  /** Who takes part. */
  @Param({"ROCKSDB", "NAIVE", "ROCKPOOL"})
  public Peer peer;

  /** Reads until the entries that are read most are in memory. */
  @Setup
  public void open() {
    int[] sequence = Data.zipf(entries, SKEW);
    open(peer, new Data(entries, VALUE_BYTES), entries / 10, sequence);
    readBackwards(sequence);
  }

  /** Workload A. */
  @Benchmark
  public @Nullable Object halfWrites(Cursor cursor) {
    return readOrWrite(cursor, 50);
  }

  /** Workload B. */
  @Benchmark
  public @Nullable Object fewWrites(Cursor cursor) {
    return readOrWrite(cursor, 5);
  }

  private @Nullable Object readOrWrite(Cursor cursor, int percentWrites) {
    boolean writes = nextWrites(cursor, percentWrites);
    int index = next(cursor);
    if (writes) {
      contestant().put(index);
      return null;
    }
    return contestant().get(index);
  }
}
