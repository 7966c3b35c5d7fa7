package io.rockpool.benchmarks;

import io.rockpool.structure.Range;
import io.rockpool.structure.ScoredElement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/** Reads of a scored set with ranks. */
public class ScoredRank extends ScoredRow {
  private static final int PAGE = 100;

  /** Fills the set. */
  @Setup
  public void open() {
    open(true);
  }

  /** The rank of an element. */
  @Benchmark
  public OptionalLong rank() {
    return set().rank(nextElement());
  }

  /** The element of a rank. */
  @Benchmark
  public Optional<ScoredElement<Long>> atRank() {
    return set().atRank(nextElement());
  }

  /** How many scores lie in a range. */
  @Benchmark
  public long count() {
    return set().count(Range.closed(0.0, nextScore()));
  }

  /** A hundred elements from a score on. */
  @Benchmark
  public List<ScoredElement<Long>> range() {
    return set().range(Range.atLeast(nextScore()).limit(PAGE));
  }
}
