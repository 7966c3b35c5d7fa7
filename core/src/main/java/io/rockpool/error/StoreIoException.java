package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * The file system reported an error. The message names the operation and the file; the cause has
 * the system's message.
 */
public final class StoreIoException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public StoreIoException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
