package io.rockpool.compatibility.machines;

/**
 * A failover that may lose acknowledged writes. While it lasts, some processes may use the old
 * server and others the new one. Times are those of {@link System#nanoTime}.
 *
 * @param fromNanos when it begins
 * @param untilNanos a write that is acknowledged later is not lost
 * @param servedNanos when all processes use the new server
 */
record Loss(long fromNanos, long untilNanos, long servedNanos) {}
