package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * Stored bytes are damaged: a wrong checksum, a missing file, or a record that its format does not
 * allow.
 */
public final class CorruptStoreException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public CorruptStoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
