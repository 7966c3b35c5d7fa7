package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * The file system refused an operation. The message says which and on what; the cause carries the
 * system's own words.
 */
public final class StoreIoException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * An error with its message and what caused it.
   *
   * @param message what was tried, what was found and what to do
   * @param cause what was thrown below, or null if nothing was
   */
  public StoreIoException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
