package io.rockpool.benchmarks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two measurements to hold against each other.
 *
 * @param row what is compared, for people
 * @param ours the one that should be fast
 * @param theirs the one it is held against
 * @param goal how many times as fast ours should be at least; null where that is for information
 */
record Comparison(String row, Measured ours, Measured theirs, @Nullable Double goal) {
  /** A benchmark and who does it. */
  record Measured(Class<?> benchmark, String method, Peer peer) {}

  /** What it takes to beat someone. */
  private static final double BEATEN = 1;

  /** All comparisons, those of one row next to each other. */
  static List<Comparison> all() {
    return List.of(
        of("hot get", HotGet.class, "get", Peer.ROCKPOOL, Peer.CAFFEINE, 0.6),
        of("hot get", HotGet.class, "get", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("zipf 0.99 get", ZipfGet.class, "get", Peer.ROCKPOOL, Peer.ROCKSDB, 3.0),
        of("zipf 0.99 get", ZipfGet.class, "get", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("cold get", ColdGet.class, "get", Peer.ROCKPOOL, Peer.ROCKSDB, 0.9),
        of("cold get", ColdGet.class, "get", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("cold get", ColdGet.class, "get", Peer.ENGINE, Peer.ROCKSDB, null),
        of("put, 1 thread", Put.class, "byOneThread", Peer.ROCKPOOL, Peer.ROCKSDB, 0.9),
        of("put, 1 thread", Put.class, "byOneThread", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("put, 1 thread", Put.class, "byOneThread", Peer.ENGINE, Peer.ROCKSDB, null),
        of("put, 2 threads", Put.class, "byTwoThreads", Peer.ROCKPOOL, Peer.ROCKSDB, 0.9),
        of("put, 2 threads", Put.class, "byTwoThreads", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("put, 2 threads", Put.class, "byTwoThreads", Peer.ENGINE, Peer.ROCKSDB, null),
        new Comparison(
            "put with TTL",
            new Measured(PutWithTtl.class, "byOneThread", Peer.ROCKPOOL),
            new Measured(Put.class, "byOneThread", Peer.ROCKPOOL),
            0.95),
        of("putAll of 100", Batches.class, "putAll", Peer.ROCKPOOL, Peer.ROCKSDB, null),
        of("putAll of 100", Batches.class, "putAll", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("putAll of 100", Batches.class, "putAll", Peer.ENGINE, Peer.ROCKSDB, null),
        of("getAll of 100", Batches.class, "getAll", Peer.ROCKPOOL, Peer.ROCKSDB, null),
        of("getAll of 100", Batches.class, "getAll", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("getAll of 100", Batches.class, "getAll", Peer.ENGINE, Peer.ROCKSDB, null));
  }

  private static Comparison of(
      String row,
      Class<?> benchmark,
      String method,
      Peer ours,
      Peer theirs,
      @Nullable Double goal) {
    return new Comparison(
        row, new Measured(benchmark, method, ours), new Measured(benchmark, method, theirs), goal);
  }
}
