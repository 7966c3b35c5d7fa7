package io.rockpool.error;

/**
 * A name already holds another type, key or value type, or codec. Nothing was changed. The message
 * says what the name holds and how to reset it.
 */
public final class NameConflictException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  private final String name;

  /**
   * Creates an exception for a name.
   *
   * @param message what was tried, what was found and what to do
   * @param name the name in the store
   */
  public NameConflictException(String message, String name) {
    super(message);
    this.name = name;
  }

  /** The name in the store. */
  public String name() {
    return name;
  }
}
