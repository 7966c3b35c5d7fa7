package io.rockpool.error;

import org.jspecify.annotations.Nullable;

/**
 * A key or value cannot be turned into bytes: its class is not on the allow-list, or its codec has
 * no bytes for it. Nothing was written.
 */
public final class UnencodableValueException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * An error with its message and what caused it.
   *
   * @param message what was tried, what was found and what to do
   * @param cause what was thrown below, or null if nothing was
   */
  public UnencodableValueException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
