package io.rockpool.engine;

import java.util.List;
import java.util.Map;

/**
 * Chooses records to evict from spaces of {@link Layout#ENTRIES} when their disk space is needed.
 * The layer that owns these spaces implements it, because it knows their state in memory and their
 * listeners. The engine calls it from its own thread, outside any transaction.
 */
public interface Evictor {
  /**
   * Returns the disk budgets of spaces. Called about once a second, without a lock.
   *
   * @return the most bytes each of these spaces may use, by name
   */
  Map<String, Long> budgets();

  /**
   * Removes rows of a space, but may keep the more valuable ones.
   *
   * @param space the space; do not keep a reference to it
   * @param hashKeys the rows, up to some thousand
   * @param all whether to remove all of them, because there are no others
   * @return how many were removed
   */
  int evict(Space space, List<byte[]> hashKeys, boolean all);
}
