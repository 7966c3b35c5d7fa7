package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * The engine did not learn the outcome of a write: it may have been applied or not. It was not
 * retried, because that could apply it twice. Read before you decide what to do.
 */
public final class OutcomeUnknownException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public OutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
