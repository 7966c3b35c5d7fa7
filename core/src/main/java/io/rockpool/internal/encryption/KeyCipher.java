package io.rockpool.internal.encryption;

import io.rockpool.internal.concurrent.PerThread;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts keys deterministically: equal keys have equal ciphertexts, and nothing else about them
 * shows but their length. The construction is that of SIV (RFC 5297), with HMAC-SHA256 for S2V: the
 * first 16 bytes are those of the HMAC of the key, and the rest is the key in AES-256-CTR from
 * these bytes on. Thread-safe.
 */
final class KeyCipher {
  /** How much longer a key is once it is encrypted. */
  static final int OVERHEAD_BYTES = 16;

  private static final byte[] MAC_PURPOSE = bytes("rockpool key mac");
  private static final byte[] ENCRYPTION_PURPOSE = bytes("rockpool key enc");
  private static final String MAC = "HmacSHA256";

  private static final PerThread<Tools> TOOLS = new PerThread<>(Tools::new);

  private final byte[] secret;
  private final SecretKey macKey;
  private final SecretKey encryptionKey;

  /** What a key is for, so that a hash key and a sort key have different ciphertexts. */
  enum Use {
    HASH_KEY(1),
    SORT_KEY(2);

    private final byte code;

    Use(int code) {
      this.code = (byte) code;
    }
  }

  /** Of one thread. */
  private static final class Tools {
    private final Mac mac;
    private final Cipher cipher;
    private @Nullable KeyCipher keyed;

    Tools() {
      try {
        mac = Mac.getInstance(MAC);
        cipher = Cipher.getInstance("AES/CTR/NoPadding");
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("This Java has no AES/CTR; use another one.", e);
      }
    }

    byte[] sum(KeyCipher of, Use use, byte[] key) throws GeneralSecurityException {
      if (keyed != of) {
        mac.init(of.macKey);
        keyed = of;
      }
      mac.update(use.code);
      return mac.doFinal(key);
    }

    void start(KeyCipher of, int mode, byte[] from) throws GeneralSecurityException {
      cipher.init(mode, of.encryptionKey, new IvParameterSpec(from, 0, OVERHEAD_BYTES));
    }
  }

  /**
   * Creates a cipher.
   *
   * @param secret {@link DataKey#BYTES} random bytes, not copied
   */
  KeyCipher(byte[] secret) {
    this.secret = secret;
    this.macKey = derived(secret, MAC_PURPOSE, MAC);
    this.encryptionKey = derived(secret, ENCRYPTION_PURPOSE, "AES");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The step "expand" of HKDF with SHA-256; one block. */
  private static SecretKey derived(byte[] secret, byte[] purpose, String algorithm) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(secret, MAC));
      mac.update(purpose);
      mac.update((byte) 1);
      return new SecretKeySpec(mac.doFinal(), algorithm);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no HmacSHA256; use another one.", e);
    }
  }

  byte[] secret() {
    return secret;
  }

  /** Encrypts a key. */
  byte[] hide(Use use, byte[] key) {
    Tools tools = TOOLS.get();
    try {
      byte[] hidden = Arrays.copyOf(tools.sum(this, use, key), OVERHEAD_BYTES + key.length);
      tools.start(this, Cipher.ENCRYPT_MODE, hidden);
      int unused = tools.cipher.doFinal(key, 0, key.length, hidden, OVERHEAD_BYTES);
      return hidden;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("A key could not be encrypted.", e);
    }
  }

  /** Decrypts a key; null if it was changed, or is one of another name or use. */
  byte @Nullable [] show(Use use, byte[] hidden) {
    if (hidden.length < OVERHEAD_BYTES) {
      return null;
    }
    Tools tools = TOOLS.get();
    try {
      tools.start(this, Cipher.DECRYPT_MODE, hidden);
      byte[] key = tools.cipher.doFinal(hidden, OVERHEAD_BYTES, hidden.length - OVERHEAD_BYTES);
      byte[] sum = Arrays.copyOf(tools.sum(this, use, key), OVERHEAD_BYTES);
      return MessageDigest.isEqual(sum, Arrays.copyOf(hidden, OVERHEAD_BYTES)) ? key : null;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("A key could not be decrypted.", e);
    }
  }
}
