package io.rockpool.store;

/**
 * What opening a store found out about the time before.
 *
 * @param clean whether the store had been closed, and holds exactly what it held then; or is new
 * @param changesLost how many changes of records are known to be lost, of those that had been
 *     forced to the disk; there may be more, made after that
 * @param message the same in a sentence
 */
public record RecoveryReport(boolean clean, long changesLost, String message) {}
