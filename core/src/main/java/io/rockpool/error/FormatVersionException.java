package io.rockpool.error;

/**
 * The store was written by a newer Rockpool than this one, in a format this one cannot read.
 * Nothing was changed.
 */
public final class FormatVersionException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * An error with its message.
   *
   * @param message what was tried, what was found and what to do
   */
  public FormatVersionException(String message) {
    super(message);
  }
}
