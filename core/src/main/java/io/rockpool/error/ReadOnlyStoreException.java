package io.rockpool.error;

/** The store is a copy that is only read. Nothing was changed. */
public final class ReadOnlyStoreException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message.
   *
   * @param message which store it is a copy of, and what to do
   */
  public ReadOnlyStoreException(String message) {
    super(message);
  }
}
