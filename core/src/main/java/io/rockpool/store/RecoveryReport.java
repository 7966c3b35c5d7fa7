package io.rockpool.store;

/**
 * What opening a store found out about its last use.
 *
 * @param clean true if the store is new, or was closed and holds exactly what it held then
 * @param changesLost how many record changes are known to be lost, of those forced to disk; later
 *     changes may be lost too
 * @param message the same as one sentence
 */
public record RecoveryReport(boolean clean, long changesLost, String message) {}
