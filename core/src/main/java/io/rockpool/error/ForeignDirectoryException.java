package io.rockpool.error;

/** The directory, or a file in it, is not a Rockpool store. Nothing was changed. */
public final class ForeignDirectoryException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message.
   *
   * @param message what was tried, what was found and what to do
   */
  public ForeignDirectoryException(String message) {
    super(message);
  }
}
