package io.rockpool.error;

/**
 * A newer Rockpool wrote the store in a format that this version cannot read. Nothing was changed.
 */
public final class FormatVersionException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message.
   *
   * @param message what was tried, what was found and what to do
   */
  public FormatVersionException(String message) {
    super(message);
  }
}
