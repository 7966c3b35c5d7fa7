package io.rockpool.error;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Stored bytes are damaged: a wrong checksum, a missing file, or a record that its format does not
 * allow.
 */
public final class CorruptStoreException extends DirectoryException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public CorruptStoreException(String message, @Nullable Throwable cause) {
    super(message, null, cause);
  }

  /**
   * Creates an exception for a directory.
   *
   * @param message what was tried, what was found and what to do
   * @param directory the store's directory, or null
   * @param cause the cause, or null
   */
  public CorruptStoreException(
      String message, @Nullable Path directory, @Nullable Throwable cause) {
    super(message, directory, cause);
  }
}
