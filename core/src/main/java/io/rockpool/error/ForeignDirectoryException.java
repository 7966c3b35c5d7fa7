package io.rockpool.error;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The directory, or a file in it, is not what it was given as: a Rockpool store, the place for
 * backups, or an empty directory. Nothing was changed.
 */
public final class ForeignDirectoryException extends DirectoryException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception for a directory.
   *
   * @param message what was tried, what was found and what to do
   */
  public ForeignDirectoryException(String message, @Nullable Path directory) {
    super(message, directory, null);
  }
}
