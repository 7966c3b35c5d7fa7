package io.rockpool.structure;

import java.util.function.Function;

/** Reads of a scored set by rank. Nothing changes or expires during a read. */
interface SteadyReads {
  /** Runs {@code reading}, possibly more than once. */
  <R> R read(Function<RankReads, R> reading);

  /** Removes expired members, so that they are not counted. */
  void sweep();
}
