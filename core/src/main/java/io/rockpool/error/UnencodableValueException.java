package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * A key or value cannot be encoded: its class is not on the allow-list, or its codec does not
 * support it. Nothing was written.
 */
public final class UnencodableValueException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param cause the cause, or null
   */
  public UnencodableValueException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
