package io.rockpool.store;

/**
 * What an engine has still to reclaim, and what it has reclaimed. For all names together: cleared
 * or dropped data no longer belongs to a name.
 *
 * @param pendingClears how many clears, drops, resets and expiries of whole spaces have disk space
 *     still to reclaim. Small ones may wait for long, until enough can be reclaimed together; they
 *     use little space
 * @param heldClears how many of these wait until a snapshot is closed
 * @param pendingBytes about how many bytes these use in files
 * @param overdueMillis for how long the oldest expired record has not been removed, in
 *     milliseconds; 0 if there is none. Without spaces of {@code Layout.ENTRIES}
 * @param total what was reclaimed since the engine was opened
 */
public record ReclaimState(
    long pendingClears, long heldClears, long pendingBytes, long overdueMillis, Reclaimed total) {}
