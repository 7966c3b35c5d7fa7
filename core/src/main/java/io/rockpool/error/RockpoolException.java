package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * The root of every error that Rockpool raises of its own accord. The message says what was tried,
 * what was found and what to do. Misuse keeps its JDK type: {@link NullPointerException} for a
 * null, {@link IllegalStateException} for something closed or dropped, {@link
 * UnsupportedOperationException} for what an engine cannot do.
 */
public class RockpoolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * An error with a message for the person who has to act on it.
   *
   * @param message what was tried, what was found and what to do
   */
  public RockpoolException(String message) {
    super(message);
  }

  /**
   * An error with a message for the person who has to act on it, and what caused it.
   *
   * @param message what was tried, what was found and what to do
   * @param cause what was thrown below, or null if nothing was
   */
  public RockpoolException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
