package io.rockpool.engine;

/**
 * How much disk a store takes, and how much it may take.
 *
 * @param takenBytes what the store takes, all its files together
 * @param budgetBytes what it may take; 0 where that is not bounded
 * @param usableBytes what its file system has left
 * @param floorBytes what it is to leave free there; 0 for nothing
 * @param refusing whether writes that add to collections are refused because there is no room, by
 *     the last look, about a second ago
 * @param refusingEntries whether writes that add to caches are refused as well
 */
public record DiskState(
    long takenBytes,
    long budgetBytes,
    long usableBytes,
    long floorBytes,
    boolean refusing,
    boolean refusingEntries) {
  /** That of an engine which keeps nothing on a disk of its own. */
  public static final DiskState NONE = new DiskState(0, 0, 0, 0, false, false);
}
