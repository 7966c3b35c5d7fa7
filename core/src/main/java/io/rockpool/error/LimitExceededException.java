package io.rockpool.error;

/** An argument exceeds one of the store's limits, which the message names. Nothing was changed. */
public final class LimitExceededException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message.
   *
   * @param message what was tried, what was found and what to do
   */
  public LimitExceededException(String message) {
    super(message);
  }
}
