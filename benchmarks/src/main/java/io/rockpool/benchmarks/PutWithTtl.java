package io.rockpool.benchmarks;

import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Puts with a time to live of their own, to compare with {@link Put}. */
public class PutWithTtl extends Row {
  private static final Duration TTL = Duration.ofHours(1);

  /** Who takes part. */
  @Param("ROCKPOOL")
  public Peer peer;

  /** Leaves the memory empty. */
  @Setup
  public void open() {
    open(peer, new Data(entries, VALUE_BYTES), entries / 10, Data.inOrder(entries));
  }

  /** One put, without other threads. */
  @Benchmark
  public void byOneThread(Cursor cursor) {
    contestant().put(next(cursor), TTL);
  }
}
