package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * A value's bytes cannot be turned back into an object: its class changed beyond what its codec
 * follows, is not on the allow-list, or the bytes are damaged. The record is still there. A cache
 * treats this as a miss; a collection fails.
 */
public final class UndecodableValueException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * An error with its message and what caused it.
   *
   * @param message what was tried, what was found and what to do
   * @param cause what was thrown below, or null if nothing was
   */
  public UndecodableValueException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
