package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * The base class of Rockpool's own exceptions. The message says what was tried, what was found and
 * what to do. Misuse throws JDK exceptions: {@link NullPointerException} for a null, an {@link
 * IllegalStateException} for a call at the wrong time, such as {@link StoreClosedException} for a
 * closed object, {@link UnsupportedOperationException} for a capability that the engine lacks.
 */
public class RockpoolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message.
   *
   * @param message what was tried, what was found and what to do
   */
  public RockpoolException(String message) {
    super(message);
  }

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public RockpoolException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
