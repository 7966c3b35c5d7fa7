package io.rockpool.error;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Another process has the directory open, or this process has it open through another class loader.
 * Nothing was changed.
 */
public final class StoreLockedException extends DirectoryException {
  private static final long serialVersionUID = 1L;

  private final @Nullable Long pid;

  /**
   * Creates an exception for a directory.
   *
   * @param message what was tried, what was found and what to do
   * @param pid the process that has it open, or null
   */
  public StoreLockedException(String message, @Nullable Path directory, @Nullable Long pid) {
    super(message, directory, null);
    this.pid = pid;
  }

  /** The pid of the other process, if that has written it. */
  public OptionalLong pid() {
    return pid == null ? OptionalLong.empty() : OptionalLong.of(pid);
  }
}
