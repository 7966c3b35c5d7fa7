package io.rockpool.error;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file system reported an error. The message names the operation and the file; the cause has
 * the system's message.
 */
public final class StoreIoException extends DirectoryException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception for a directory.
   *
   * @param message what was tried, what was found and what to do
   * @param directory the store's directory, or null
   * @param cause the cause, or null
   */
  public StoreIoException(String message, @Nullable Path directory, @Nullable Throwable cause) {
    super(message, directory, cause);
  }
}
