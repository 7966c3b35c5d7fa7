package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * The server of an engine cannot be reached, or did not answer in time. A write that throws this
 * was not made; if that is not certain, it throws {@link OutcomeUnknownException}. The engine
 * connects again by itself: repeat the call later.
 */
public final class ServerUnavailableException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public ServerUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
