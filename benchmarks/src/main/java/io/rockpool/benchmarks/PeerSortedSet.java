package io.rockpool.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A sorted set of strings of 16 characters. */
public class PeerSortedSet extends PeerRow {
  private static final long SEED = 42;
  private static final int RANGE = 100;

  /** Who takes part. */
  @Param({"ROCKPOOL", "MAPDB", "MAPDB_COMMIT", "MVSTORE", "MVSTORE_COMMIT", "REDIS"})
  public CollectionPeer peer;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private int newWord;
  private PeerCollections.@Nullable SortedWords set;

  /** Fills the set. */
  @Setup
  public void open() {
    newWord = entries;
    set = open(peer, "sorted", this::fill).sortedWords();
  }

  private void fill(PeerCollections empty) {
    PeerCollections.SortedWords filled = empty.sortedWords();
    List<String> batch = new ArrayList<>();
    inBatches(
        i -> batch.add(Data.key(i)),
        () -> {
          filled.addAll(batch);
          batch.clear();
        });
  }

  /** Adds an element that is not there, anywhere. */
  @Benchmark
  public boolean add() {
    return Objects.requireNonNull(set).add(Data.key(newWord++));
  }

  /** Reads a hundred elements from one on. */
  @Benchmark
  public int range() {
    return Objects.requireNonNull(set).read(Data.key(random.nextInt(entries)), RANGE);
  }
}
