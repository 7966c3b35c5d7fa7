package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * Stored bytes cannot be decoded to an object: the class has changed more than its codec supports,
 * the class is not on the allow-list, or the bytes are damaged. The record stays. A cache treats
 * this as a miss; a collection throws.
 */
public final class UndecodableValueException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public UndecodableValueException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
