package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * A key or value cannot be encoded: its class is not on the allow-list, or its codec does not
 * support it. Nothing was written.
 */
public final class UnencodableValueException extends CodecException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public UnencodableValueException(String message, @Nullable Throwable cause) {
    super(message, null, null, null, cause);
  }

  /**
   * Creates an exception with what it is about. If the cause is an exception of the same kind, its
   * class, and its name if {@code name} is null, are used.
   *
   * @param message what was tried, what was found and what to do
   * @param name the name of the cache or structure, or null
   * @param className the name of the class, or null
   * @param cause the cause, or null
   */
  public UnencodableValueException(
      String message,
      @Nullable String name,
      @Nullable String className,
      @Nullable Throwable cause) {
    super(message, name, className, null, cause);
  }
}
