package io.rockpool.internal.encryption;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Wraps a data key with a key of the store: a random nonce of 12 bytes, and what AES-256-GCM
 * returns. The associated data is the id of the name, a dot, and the number of the data key, or
 * {@code hidden} for the key that encrypts keys.
 */
final class KeyWrap {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private KeyWrap() {}

  static byte[] newKey() {
    byte[] key = new byte[DataKey.BYTES];
    RANDOM.nextBytes(key);
    return key;
  }

  static byte[] wrap(byte[] storeKey, String id, String key, byte[] secret) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, storeKey, nonce, id, key).doFinal(secret);
      byte[] wrapped = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
      System.arraycopy(sealed, 0, wrapped, NONCE_BYTES, sealed.length);
      return wrapped;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("A key could not be encrypted.", e);
    }
  }

  /**
   * Returns the data key.
   *
   * @throws GeneralSecurityException if it is not that of this name with this number
   */
  static byte[] unwrap(byte[] storeKey, String id, String key, byte[] wrapped)
      throws GeneralSecurityException {
    if (wrapped.length < NONCE_BYTES) {
      throw new GeneralSecurityException("too short");
    }
    return cipher(Cipher.DECRYPT_MODE, storeKey, Arrays.copyOf(wrapped, NONCE_BYTES), id, key)
        .doFinal(wrapped, NONCE_BYTES, wrapped.length - NONCE_BYTES);
  }

  private static Cipher cipher(int mode, byte[] storeKey, byte[] nonce, String id, String key)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(storeKey, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD((id + "." + key).getBytes(StandardCharsets.US_ASCII));
    return cipher;
  }
}
