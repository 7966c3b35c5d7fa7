package io.rockpool.redis;

import org.jspecify.annotations.Nullable;

/** The server did not answer a command that was sent: it may have run it or not. */
final class UnsettledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnsettledException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
