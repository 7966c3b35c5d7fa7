package io.rockpool.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A key of an encrypted store is missing, is another one, or cannot be read. */
public final class EncryptionKeyException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String keyId;

  /**
   * Creates an exception with a message and a cause.
   *
   * @param message what was tried, what was found and what to do
   * @param keyId the id of the key, or null
   * @param cause the cause, or null
   */
  public EncryptionKeyException(String message, @Nullable String keyId, @Nullable Throwable cause) {
    super(message, cause);
    this.keyId = keyId;
  }

  /** The id of the master key that is missing or wrong, if it is known. */
  public Optional<String> keyId() {
    return Optional.ofNullable(keyId);
  }
}
