package io.rockpool.error;

/** No engine on the class path opens URIs of a scheme. The message names the artifact to add. */
public final class EngineNotFoundException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  private final String scheme;

  /**
   * Creates an exception with a message.
   *
   * @param message what was tried, what was found and what to do
   * @param scheme the scheme of the URI
   */
  public EngineNotFoundException(String message, String scheme) {
    super(message);
    this.scheme = scheme;
  }

  /** The scheme of the URI. */
  public String scheme() {
    return scheme;
  }
}
