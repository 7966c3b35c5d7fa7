package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * The server that keeps the data reported an error, or could not be reached. Of a write nothing was
 * changed; if that is not certain, the exception is an {@link OutcomeUnknownException}.
 */
public final class StoreServerException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the error of the client's library, or null
   */
  public StoreServerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
