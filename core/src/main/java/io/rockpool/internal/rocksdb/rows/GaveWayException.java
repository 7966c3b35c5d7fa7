package io.rockpool.internal.rocksdb.rows;

/**
 * Ends a run of a transaction that conflicts with another one. It never leaves {@code atomically}:
 * the work runs again.
 */
final class GaveWayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  GaveWayException() {
    super(
        "The transaction gives way to another one and runs again by itself; let this exception"
            + " through.",
        null,
        false,
        false);
  }
}
