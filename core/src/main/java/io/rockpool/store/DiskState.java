package io.rockpool.store;

/**
 * How much disk a store uses, and how much it may use.
 *
 * @param takenBytes the size of all its files together
 * @param budgetBytes the most it may use; 0 for no limit
 * @param usableBytes the free space of its file system
 * @param floorBytes the free-space floor; 0 for none
 * @param refusing whether inserts into collections are rejected for lack of space, as of the last
 *     check, about a second ago, or since a write found the disk full
 * @param refusingEntries whether inserts into caches are rejected as well
 */
public record DiskState(
    long takenBytes,
    long budgetBytes,
    long usableBytes,
    long floorBytes,
    boolean refusing,
    boolean refusingEntries) {
  /** The state of an engine that uses no local disk. */
  public static final DiskState NONE = new DiskState(0, 0, 0, 0, false, false);
}
