package io.rockpool.engine;

/**
 * What an engine has still to give back, and what it has given back. All of it together: what was
 * cleared or dropped belongs to no name any more.
 *
 * @param pendingClears how many times something was cleared, dropped, reset or expired as a whole
 *     whose disk is still to be given back. Small ones may stay for long, until there is more to be
 *     had together; they take little.
 * @param heldClears how many of these wait until a snapshot is closed
 * @param pendingBytes how many bytes these take on disk, about, without what is not yet in files
 * @param overdueMillis how long ago the oldest record expired that was not removed yet, in
 *     milliseconds; 0 if there is none. Records of spaces of {@link Layout#ENTRIES} are not looked
 *     at.
 * @param total what was given back since the engine was opened
 */
public record ReclaimState(
    long pendingClears, long heldClears, long pendingBytes, long overdueMillis, Reclaimed total) {}
