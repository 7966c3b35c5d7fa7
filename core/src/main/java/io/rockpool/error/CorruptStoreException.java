package io.rockpool.error;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stored bytes are damaged: a wrong checksum, a missing file, or a record that its format does not
 * allow.
 */
public final class CorruptStoreException extends DirectoryException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String name;
  private final @Nullable String key;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public CorruptStoreException(String message, @Nullable Throwable cause) {
    this(message, null, null, null, cause);
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
    this(message, directory, null, null, cause);
  }

  /**
   * Creates an exception for a record.
   *
   * @param message what was tried, what was found and what to do
   * @param directory the store's directory, or null
   * @param name the name of the space of the record, or null
   * @param key its key, as messages show keys, or null
   * @param cause the cause, or null
   */
  public CorruptStoreException(
      String message,
      @Nullable Path directory,
      @Nullable String name,
      @Nullable String key,
      @Nullable Throwable cause) {
    super(message, directory, cause);
    this.name = name;
    this.key = key;
  }

  /** The name of the cache or structure whose record is damaged, if it is known. */
  public Optional<String> name() {
    return Optional.ofNullable(name);
  }

  /** The stored key, as messages show keys: its first bytes, escaped; if it is known. */
  public Optional<String> key() {
    return Optional.ofNullable(key);
  }
}
