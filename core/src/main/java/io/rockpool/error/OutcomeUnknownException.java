package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * A write was sent and its answer never came: it may have been applied or not. It was not tried
 * again, because doing so could apply it twice; read before deciding.
 */
public final class OutcomeUnknownException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * An error with its message and what caused it.
   *
   * @param message what was tried, what was found and what to do
   * @param cause what was thrown below, or null if nothing was
   */
  public OutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
