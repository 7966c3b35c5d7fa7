package io.rockpool.structure;

import java.util.function.Function;

/** Reads of a scored set by ranks, during which nothing changes and nothing expires. */
interface SteadyReads {
  /** Reads; {@code reading} may run more than once. */
  <R> R read(Function<RankReads, R> reading);

  /** Removes what has expired, if anything has, so that it is not counted. */
  void sweep();
}
