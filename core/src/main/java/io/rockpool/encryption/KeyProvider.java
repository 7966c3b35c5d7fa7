package io.rockpool.encryption;

import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/**
 * Has the master keys, which encrypt the keys of stores. Implement it for a key management service.
 * Rockpool calls it while a store is opened and in {@code rotateKeys}, without locks, and never per
 * record or name. Thread-safe.
 */
public interface KeyProvider {
  /**
   * Returns the id of the master key for new keys. Not secret: it is stored, and messages show it.
   *
   * @return the id, without white space
   */
  String currentKeyId();

  /**
   * Encrypts a key of a store with a master key. The result must be authenticated: {@link #unwrap}
   * rejects it if a bit of it has changed.
   *
   * @param keyId the id of the master key
   * @param key the key, 32 bytes; keep no reference to it
   * @return the encrypted key
   * @throws GeneralSecurityException if that is impossible; nothing is stored then
   */
  byte[] wrap(String keyId, byte[] key) throws GeneralSecurityException;

  /**
   * Decrypts what {@link #wrap} returned.
   *
   * @param keyId the id of the master key
   * @param wrapped the encrypted key
   * @return the key, or null if there is no master key of this id
   * @throws GeneralSecurityException if the master key is not the one that encrypted it
   */
  byte @Nullable [] unwrap(String keyId, byte[] wrapped) throws GeneralSecurityException;
}
