package io.rockpool.error;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A problem with the directory of a store. */
abstract class DirectoryException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /** A text, because a path is not serializable. */
  private final @Nullable String directory;

  DirectoryException(String message, @Nullable Path directory, @Nullable Throwable cause) {
    super(message, cause);
    this.directory = directory == null ? null : directory.toString();
  }

  /** The directory of the store, if it is known where the problem was found. */
  public final Optional<Path> directory() {
    return Optional.ofNullable(directory).map(Path::of);
  }
}
