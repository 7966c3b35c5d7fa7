package io.rockpool.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Numbers with random scores and ranks. */
public class PeerScoredSet extends PeerRow {
  private static final long SEED = 42;

  /** Who takes part. */
  @Param({"ROCKPOOL", "MVSTORE", "MVSTORE_COMMIT", "REDIS"})
  public CollectionPeer peer;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private long newElement;
  private PeerCollections.@Nullable Ranking set;

  /** Fills the set. */
  @Setup
  public void open() {
    newElement = entries;
    set = open(peer, "scored", this::fill).ranking();
  }

  private void fill(PeerCollections empty) {
    PeerCollections.Ranking filled = empty.ranking();
    Map<Long, Double> batch = new LinkedHashMap<>();
    inBatches(
        i -> batch.put((long) i, random.nextDouble()),
        () -> {
          filled.addAll(batch);
          batch.clear();
        });
  }

  /** Adds an element that is not there. */
  @Benchmark
  public boolean add() {
    return Objects.requireNonNull(set).add(newElement++, random.nextDouble());
  }

  /** The rank of an element. */
  @Benchmark
  public long rank() {
    return Objects.requireNonNull(set).rank(random.nextInt(entries));
  }
}
