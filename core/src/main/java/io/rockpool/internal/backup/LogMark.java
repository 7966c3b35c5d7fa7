package io.rockpool.internal.backup;

/**
 * A moment of a store.
 *
 * @param sequence the number of the last change that was acknowledged then
 * @param millis the time since the epoch
 */
public record LogMark(long sequence, long millis) {}
