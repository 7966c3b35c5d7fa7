package io.rockpool.encryption;

import io.rockpool.error.EncryptionKeyException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Master keys on the heap. Wraps with AES-256-GCM: a random nonce of 12 bytes, then the ciphertext
 * with its tag; the id of the key is the associated data.
 */
record MasterKeys(Map<String, SecretKey> keys, String currentKeyId) implements KeyProvider {
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Parses lines of an id, white space and 32 bytes in Base64; the last one is the current key. */
  static MasterKeys parse(String text, String source) {
    Map<String, SecretKey> keys = new LinkedHashMap<>();
    String current = null;
    if (text.startsWith("\uFEFF")) {
      throw new EncryptionKeyException(
          "The master keys in "
              + source
              + " cannot be read: the text begins with a byte order mark, which would be a part of"
              + " the first id. Save it as UTF-8 without one.",
          null,
          null);
    }
    for (String line : text.split("[;\n]", -1)) {
      String plain = line.strip();
      if (plain.isEmpty() || plain.startsWith("#")) {
        continue;
      }
      String[] parts = plain.split("\\s+", -1);
      byte[] bytes = parts.length == 2 ? decoded(parts[1]) : new byte[0];
      if (bytes.length != KEY_BYTES) {
        // The line may be a key, so it is not shown.
        throw new EncryptionKeyException(
            "The master keys in "
                + source
                + " cannot be read: a line is not an id, a space and 32 bytes in Base64. Write it"
                + " so.",
            null,
            null);
      }
      current = parts[0];
      SecretKey before = keys.put(current, new SecretKeySpec(bytes, "AES"));
      Arrays.fill(bytes, (byte) 0);
      if (before != null) {
        throw new EncryptionKeyException(
            "The master keys in "
                + source
                + " cannot be read: they have the id \""
                + current
                + "\" twice, and a store needs one of the two keys. Give the other key an id of its"
                + " own.",
            current,
            null);
      }
    }
    if (current == null) {
      throw new EncryptionKeyException(
          "There is no master key in " + source + "; add a line with an id and a key.", null, null);
    }
    return new MasterKeys(keys, current);
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  @Override
  public byte[] wrap(String keyId, byte[] key) throws GeneralSecurityException {
    SecretKey master = keys.get(keyId);
    if (master == null) {
      throw new GeneralSecurityException("no such key");
    }
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    byte[] sealed = cipher(Cipher.ENCRYPT_MODE, master, keyId, nonce).doFinal(key);
    byte[] wrapped = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
    System.arraycopy(sealed, 0, wrapped, NONCE_BYTES, sealed.length);
    return wrapped;
  }

  @Override
  public byte @Nullable [] unwrap(String keyId, byte[] wrapped) throws GeneralSecurityException {
    SecretKey master = keys.get(keyId);
    if (master == null) {
      return null;
    }
    if (wrapped.length < NONCE_BYTES) {
      throw new GeneralSecurityException("too short");
    }
    return cipher(Cipher.DECRYPT_MODE, master, keyId, Arrays.copyOf(wrapped, NONCE_BYTES))
        .doFinal(wrapped, NONCE_BYTES, wrapped.length - NONCE_BYTES);
  }

  private static Cipher cipher(int mode, SecretKey master, String keyId, byte[] nonce)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, master, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(keyId.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  /** Without the keys. */
  @Override
  public String toString() {
    return "master keys " + keys.keySet();
  }
}
