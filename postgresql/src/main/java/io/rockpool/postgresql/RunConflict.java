package io.rockpool.postgresql;

/**
 * Ends a run of a transaction that must run again: something changed after its first read. User
 * code may catch it, so the run remembers it too.
 */
final class RunConflict extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RunConflict(String message) {
    super(message, null, false, false);
  }
}
