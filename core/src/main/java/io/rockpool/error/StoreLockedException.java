package io.rockpool.error;

/**
 * Another process, which the message names by its pid, has the directory open, or this process has
 * it open through another class loader. Nothing was changed.
 */
public final class StoreLockedException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message.
   *
   * @param message what was tried, what was found and what to do
   */
  public StoreLockedException(String message) {
    super(message);
  }
}
