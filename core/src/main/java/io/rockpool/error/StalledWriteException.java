package io.rockpool.error;

/**
 * Another write has been blocked in the operating system for longer than the store's limit, so this
 * one was rejected before it started. Nothing of it is visible.
 */
public final class StalledWriteException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message.
   *
   * @param message what was tried, what was found and what to do
   */
  public StalledWriteException(String message) {
    super(message);
  }
}
