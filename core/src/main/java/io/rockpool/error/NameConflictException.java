package io.rockpool.error;

/**
 * A name is already taken by something of another type, key or value type, or codec. Nothing was
 * changed. The message says what holds the name and how to reset it.
 */
public final class NameConflictException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * An error with its message.
   *
   * @param message what was tried, what was found and what to do
   */
  public NameConflictException(String message) {
    super(message);
  }
}
