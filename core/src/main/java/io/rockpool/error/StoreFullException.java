package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * There is no room on the disk: it is full, or has less free space than the store is to leave, or
 * the store takes all that it may. The write was refused and nothing of it is visible; reads go on,
 * removals too unless the disk is full, and writes succeed again by themselves soon after there is
 * room; where the disk was full to its last byte, once no cursor and no snapshot is open.
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
