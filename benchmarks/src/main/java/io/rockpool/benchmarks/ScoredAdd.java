package io.rockpool.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Writes of a scored set, with and without ranks. */
public class ScoredAdd extends ScoredRow {
  /** Whether the set keeps an index of ranks. */
  @Param({"true", "false"})
  public boolean ranked;

  private long newElement;

  /** Fills the set. */
  @Setup
  public void open() {
    open(ranked);
    newElement = entries;
  }

  /** Adds an element that is not there. */
  @Benchmark
  public boolean add() {
    return set().add(newElement++, nextScore());
  }

  /** Gives an element that is there another score. */
  @Benchmark
  public boolean move() {
    return set().add(nextElement(), nextScore());
  }
}
