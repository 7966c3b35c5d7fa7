package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * Bytes in the store are not what was written: a failed checksum, a missing file, a record that its
 * format does not allow.
 */
public final class CorruptStoreException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * An error with its message and what caused it.
   *
   * @param message what was tried, what was found and what to do
   * @param cause what was thrown below, or null if nothing was
   */
  public CorruptStoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
