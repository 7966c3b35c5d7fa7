package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * The disk has no space left. The write was refused and nothing of it is visible; reads go on, and
 * writes succeed again by themselves soon after space returns.
 */
public final class StoreFullException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * An error with its message and what caused it.
   *
   * @param message what was tried, what was found and what to do
   * @param cause what was thrown below, or null if nothing was
   */
  public StoreFullException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
