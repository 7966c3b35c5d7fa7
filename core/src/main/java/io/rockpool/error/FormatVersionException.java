package io.rockpool.error;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A newer Rockpool wrote the store in a format that this version cannot read. Nothing was changed.
 */
public final class FormatVersionException extends DirectoryException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception for a directory.
   *
   * @param message what was tried, what was found and what to do
   */
  public FormatVersionException(String message, @Nullable Path directory) {
    super(message, directory, null);
  }
}
