package io.rockpool.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two measurements to compare.
 *
 * @param row what is compared, for people
 * @param ours the one that should be fast
 * @param theirs the one it is compared with
 * @param goal null where that is for information
 */
record Comparison(String row, Measured ours, Measured theirs, @Nullable Goal goal) {
  /**
   * What ours should come to.
   *
   * @param ratio how many times as fast it should be at least
   * @param byTheClock whether it is judged by the clock, not by processor time
   */
  record Goal(double ratio, boolean byTheClock) {
    private static Goal byProcessorTime(double ratio) {
      return new Goal(ratio, false);
    }

    /** Judged as users see it: with waiting, and with the threads of RocksDB. */
    private static Goal byTheClock(double ratio) {
      return new Goal(ratio, true);
    }
  }

  /** A benchmark and who does it, by its parameter {@code peer}. */
  record Measured(Class<?> benchmark, String method, Enum<?> peer) {
    /** What it is, in one word and a name. */
    @Override
    public String toString() {
      return benchmark.getSimpleName() + "." + method + " " + peer.name();
    }
  }

  /** What it takes to beat someone. */
  private static final Goal BEATEN = Goal.byProcessorTime(1);

  /** What a bulk build should come to of what RocksDB does. */
  private static final Goal BULK_GOAL = Goal.byProcessorTime(0.8);

  private static final List<CollectionPeer> MAPS =
      List.of(
          CollectionPeer.MAPDB,
          CollectionPeer.MAPDB_COMMIT,
          CollectionPeer.MVSTORE,
          CollectionPeer.MVSTORE_COMMIT,
          CollectionPeer.REDIS);
  private static final List<CollectionPeer> QUEUES =
      List.of(
          CollectionPeer.MVSTORE,
          CollectionPeer.MVSTORE_COMMIT,
          CollectionPeer.CHRONICLE,
          CollectionPeer.REDIS);
  private static final List<CollectionPeer> MESSAGE_QUEUES =
      List.of(CollectionPeer.SQLITE, CollectionPeer.REDIS);
  private static final List<CollectionPeer> RANKINGS =
      List.of(CollectionPeer.MVSTORE, CollectionPeer.MVSTORE_COMMIT, CollectionPeer.REDIS);

  /** All comparisons, those of one row next to each other. */
  static List<Comparison> all() {
    return List.of(
        of("hot get", HotGet.class, "get", Peer.ROCKPOOL, Peer.CAFFEINE, Goal.byTheClock(0.9)),
        of("hot get", HotGet.class, "get", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("zipf 0.99 get", ZipfGet.class, "get", Peer.ROCKPOOL, Peer.ROCKSDB, Goal.byTheClock(5)),
        of("zipf 0.99 get", ZipfGet.class, "get", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("cold get", ColdGet.class, "get", Peer.ROCKPOOL, Peer.ROCKSDB, Goal.byTheClock(1.3)),
        of("cold get", ColdGet.class, "get", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("cold get", ColdGet.class, "get", Peer.ENGINE, Peer.ROCKSDB, null),
        of(
            "put, 1 thread",
            Put.class,
            "byOneThread",
            Peer.ROCKPOOL,
            Peer.ROCKSDB,
            Goal.byTheClock(2)),
        of("put, 1 thread", Put.class, "byOneThread", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("put, 1 thread", Put.class, "byOneThread", Peer.ENGINE, Peer.ROCKSDB, null),
        of(
            "put, 2 threads",
            Put.class,
            "byTwoThreads",
            Peer.ROCKPOOL,
            Peer.ROCKSDB,
            Goal.byTheClock(2)),
        of("put, 2 threads", Put.class, "byTwoThreads", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("put, 2 threads", Put.class, "byTwoThreads", Peer.ENGINE, Peer.ROCKSDB, null),
        new Comparison(
            "put with TTL",
            new Measured(PutWithTtl.class, "byOneThread", Peer.ROCKPOOL),
            new Measured(Put.class, "byOneThread", Peer.ROCKPOOL),
            Goal.byTheClock(0.95)),
        ycsb("YCSB A, 2 threads", "halfWrites", Peer.ROCKSDB, Goal.byTheClock(2)),
        ycsb("YCSB A, 2 threads", "halfWrites", Peer.NAIVE, BEATEN),
        ycsb("YCSB B, 2 threads", "fewWrites", Peer.ROCKSDB, Goal.byTheClock(2.5)),
        ycsb("YCSB B, 2 threads", "fewWrites", Peer.NAIVE, BEATEN),
        of(
            "putAll of 100",
            Batches.class,
            "putAll",
            Peer.ROCKPOOL,
            Peer.ROCKSDB,
            Goal.byTheClock(1.2)),
        of("putAll of 100", Batches.class, "putAll", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("putAll of 100", Batches.class, "putAll", Peer.ENGINE, Peer.ROCKSDB, null),
        of(
            "getAll of 100",
            Batches.class,
            "getAll",
            Peer.ROCKPOOL,
            Peer.ROCKSDB,
            Goal.byTheClock(1)),
        of("getAll of 100", Batches.class, "getAll", Peer.ROCKPOOL, Peer.NAIVE, BEATEN),
        of("getAll of 100", Batches.class, "getAll", Peer.ENGINE, Peer.ROCKSDB, null));
  }

  /** The comparisons of {@link Peers}: Rockpool's collections with those of other libraries. */
  static List<Comparison> ofCollections() {
    List<Comparison> all = new ArrayList<>();
    addWithAll(all, "map put", PeerMap.class, "put", MAPS);
    addWithAll(all, "map get", PeerMap.class, "get", MAPS);
    addWithAll(all, "deque offer and poll", QueueOfferPoll.class, "offerAndPoll", QUEUES);
    addWithAll(all, "queue, by one", PeerQueue.class, "oneByOne", MESSAGE_QUEUES);
    addWithAll(all, "queue, by ten", PeerQueue.class, "byTen", MESSAGE_QUEUES);
    addWithAll(all, "sorted set add", PeerSortedSet.class, "add", MAPS);
    addWithAll(all, "sorted set, range of 100", PeerSortedSet.class, "range", MAPS);
    addWithAll(all, "scored set add", PeerScoredSet.class, "add", RANKINGS);
    addWithAll(all, "scored set rank", PeerScoredSet.class, "rank", RANKINGS);
    return all;
  }

  private static void addWithAll(
      List<Comparison> all,
      String row,
      Class<?> benchmark,
      String method,
      List<CollectionPeer> theirs) {
    for (CollectionPeer peer : theirs) {
      all.add(
          new Comparison(
              row,
              new Measured(benchmark, method, CollectionPeer.ROCKPOOL),
              new Measured(benchmark, method, peer),
              null));
    }
  }

  /** The comparisons of {@link Peers} that are of Rockpool with RocksDB. */
  static List<Comparison> ofBulkBuilds() {
    return List.of(
        bulk("map putAll", BulkMap.class),
        bulk("set addAll", BulkSet.class),
        bulk("sorted map putAll", BulkSortedMap.class));
  }

  private static Comparison bulk(String row, Class<?> benchmark) {
    return new Comparison(
        row,
        new Measured(benchmark, "build", BulkPeer.ROCKPOOL),
        new Measured(benchmark, "build", BulkPeer.ROCKSDB),
        BULK_GOAL);
  }

  private static Comparison ycsb(String row, String method, Peer theirs, Goal goal) {
    return of(row, Ycsb.class, method, Peer.ROCKPOOL, theirs, goal);
  }

  private static Comparison of(
      String row, Class<?> benchmark, String method, Peer ours, Peer theirs, @Nullable Goal goal) {
    return new Comparison(
        row, new Measured(benchmark, method, ours), new Measured(benchmark, method, theirs), goal);
  }
}
