package io.rockpool.error;

/**
 * A store, or an object that was opened in it, was used after it was closed, dropped or reset. Open
 * it again.
 */
public final class StoreClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message.
   *
   * @param message what was tried, what was found and what to do
   */
  public StoreClosedException(String message) {
    super(message);
  }
}
