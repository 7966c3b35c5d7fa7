package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * Stored bytes cannot be decoded to an object: the class has changed more than its codec supports,
 * the class is not on the allow-list, or the bytes are damaged. The record stays. A cache treats
 * this as a miss; a collection throws.
 */
public final class UndecodableValueException extends CodecException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public UndecodableValueException(String message, @Nullable Throwable cause) {
    super(message, null, null, null, cause);
  }

  /**
   * Creates an exception with what it is about, as the other constructor does, without a key.
   *
   * @param message what was tried, what was found and what to do
   * @param name the name of the cache or structure, or null
   * @param className the name of the class, or null
   * @param cause the cause, or null
   */
  public UndecodableValueException(
      String message,
      @Nullable String name,
      @Nullable String className,
      @Nullable Throwable cause) {
    super(message, name, className, null, cause);
  }

  /**
   * Creates an exception with what it is about. If the cause is an exception of the same kind, its
   * class, and its name if {@code name} is null, are used.
   *
   * @param message what was tried, what was found and what to do
   * @param name the name of the cache or structure, or null
   * @param className the name of the class, or null
   * @param key the stored key, as messages show keys, or null
   * @param cause the cause, or null
   */
  public UndecodableValueException(
      String message,
      @Nullable String name,
      @Nullable String className,
      @Nullable String key,
      @Nullable Throwable cause) {
    super(message, name, className, key, cause);
  }
}
