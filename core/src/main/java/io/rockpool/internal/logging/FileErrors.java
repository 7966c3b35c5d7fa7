package io.rockpool.internal.logging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Map;

/** What an exception of a file system says. Some have nothing but a path. */
public final class FileErrors {
  private static final Map<Class<?>, String> REASONS =
      Map.of(
          NoSuchFileException.class, "there is no such file",
          AccessDeniedException.class, "permission denied",
          FileAlreadyExistsException.class, "it exists already",
          DirectoryNotEmptyException.class, "the directory is not empty");

  private FileErrors() {}

  /** The message, with a reason in place of the class that stands for it. */
  public static String text(Exception e) {
    if (e instanceof UncheckedIOException && e.getCause() instanceof IOException cause) {
      return text(cause);
    }
    if (e instanceof FileSystemException refused && refused.getReason() == null) {
      return refused.getFile()
          + ": "
          + REASONS.getOrDefault(e.getClass(), e.getClass().getSimpleName());
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
