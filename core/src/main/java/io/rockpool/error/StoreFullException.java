package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * A write was rejected for lack of disk space: the disk is full, its free space is below the
 * free-space floor, or the store has reached its disk budget. Nothing of the write is visible.
 * Reads continue, also with a loader, whose value is not stored, and so do removals unless the disk
 * is completely full. Writes succeed again soon after there is room; after a completely full disk,
 * once no cursor and no snapshot is open.
 */
public final class StoreFullException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public StoreFullException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
