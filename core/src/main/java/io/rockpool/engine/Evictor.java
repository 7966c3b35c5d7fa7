package io.rockpool.engine;

import java.util.List;
import java.util.Map;

/**
 * Lets records of spaces of {@link Layout#ENTRIES} go where the disk they take is needed, or there
 * are more than there may be. It belongs to the layer that owns these spaces: what it knows of them
 * in memory, and whom it tells, is its own affair. Called from a thread of the engine's, outside
 * any transaction.
 */
public interface Evictor {
  /**
   * Tells which spaces may take only so much disk. Called about once a second; holds no lock.
   *
   * @return the bytes each of these may take, by name
   */
  Map<String, Long> budgets();

  /**
   * Tells which spaces may have only so many entries. Called about once a second; holds no lock.
   *
   * @return the bound of each of these, by name
   */
  default Map<String, EntryBound> entryBounds() {
    return Map.of();
  }

  /**
   * How many entries a space may have.
   *
   * @param entries the most it may have
   * @param puts how many were put since some instant, whether they replaced others or not; so many
   *     more than were counted there are at the most
   */
  record EntryBound(long entries, long puts) {}

  /**
   * Removes rows of a space, or leaves those that are worth more than others.
   *
   * @param space the space; it is not to be kept
   * @param hashKeys the rows, up to some thousand
   * @param all whether to remove all of them, because there are no others
   * @return how many were removed
   */
  int evict(Space space, List<byte[]> hashKeys, boolean all);
}
