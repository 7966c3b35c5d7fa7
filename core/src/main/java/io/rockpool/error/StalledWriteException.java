package io.rockpool.error;

/**
 * A write has been stuck in the operating system longer than the store's limit, so this one was
 * refused before it began. Nothing of it is visible.
 */
public final class StalledWriteException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * An error with its message.
   *
   * @param message what was tried, what was found and what to do
   */
  public StalledWriteException(String message) {
    super(message);
  }
}
