package io.rockpool.error;

/**
 * The directory is in use by another process, which the message names by its pid; or by this
 * process through another class loader. Nothing was changed.
 */
public final class StoreLockedException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * An error with its message.
   *
   * @param message what was tried, what was found and what to do
   */
  public StoreLockedException(String message) {
    super(message);
  }
}
