package io.rockpool.redis;

/** The server did not answer a command that was sent: it may have run it or not. */
final class UnsettledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnsettledException(String message, Throwable cause) {
    super(message, cause);
  }
}
