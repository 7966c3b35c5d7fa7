package io.rockpool.error;

/**
 * A name already holds another type, key or value type, or codec. Nothing was changed. The message
 * says what the name holds and how to reset it.
 */
public final class NameConflictException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message.
   *
   * @param message what was tried, what was found and what to do
   */
  public NameConflictException(String message) {
    super(message);
  }
}
