package io.rockpool.internal.format;

/**
 * A lease that is kept in the head of its queue.
 *
 * @param number its number
 * @param attempts of its message; {@link QueueAttempts#outside} if it was extended
 */
public record QueueLease(long number, QueueAttempts attempts) {}
