package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * RocksDB cannot be loaded: its artifact {@code org.rocksdb:rocksdbjni} is not on the class path,
 * has no code for this machine, needs a library that the system lacks, or there is no directory
 * from which programs may be run. The message says which, and names the directories that were
 * tried.
 */
public final class NativeLibraryException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public NativeLibraryException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
