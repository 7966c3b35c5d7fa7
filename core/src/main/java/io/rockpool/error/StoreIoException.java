package io.rockpool.error;

import org.jspecify.annotations.Nullable;
/**
 * The file system refused an operation. The message says which and on what; the cause carries the system's own words.
 */
public final class StoreIoException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /** An error with its message and what caused it. */
  public StoreIoException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
