package io.rockpool.internal.queue;

import io.rockpool.internal.format.QueueAttempts;

/**
 * A message that was leased, or one that is only shown.
 *
 * @param lease the number of its lease; -1 if it is only shown
 * @param attempts its deliveries so far
 * @param value its record
 * @param expiryMillis when its time to live ends
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Taken(long lease, QueueAttempts attempts, byte[] value, long expiryMillis) {}
