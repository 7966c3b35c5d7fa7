package io.rockpool.internal.engine;

import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import java.util.List;
import java.util.Map;

/**
 * Chooses records to evict from spaces of {@link Layout#ENTRIES} when their disk space is needed,
 * or a space has too many. The layer that owns these spaces implements it, because it knows their
 * state in memory and their listeners. The engine calls it from its own thread, outside any
 * transaction.
 */
public interface Evictor {
  /**
   * Returns the disk budgets of spaces. Called about once a second, without a lock.
   *
   * @return the most bytes each of these spaces may use, by name
   */
  Map<String, Long> budgets();

  /**
   * Returns the bounds of spaces whose number of entries is bounded. The engine calls it about once
   * a second, with no lock held.
   *
   * @return the bounds by name
   */
  default Map<String, EntryBound> entryBounds() {
    return Map.of();
  }

  /**
   * A bound on the entries of a space.
   *
   * @param entries the maximum number of entries
   * @param puts how many entries were put since some instant, replacements included: an upper bound
   *     of the entries added since a count
   */
  record EntryBound(long entries, long puts) {}

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
