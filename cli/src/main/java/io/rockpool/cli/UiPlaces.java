package io.rockpool.cli;

import io.rockpool.engine.RecordKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keys of records in addresses. They are encrypted, as the history of a browser keeps addresses,
 * and the store may have hidden keys. Thread-safe.
 */
final class UiPlaces {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key = new SecretKeySpec(random(16), "AES");

  private static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    RANDOM.nextBytes(random);
    return random;
  }

  /** The text of a record's key. */
  String seal(RecordKey record) {
    byte[] nonce = random(NONCE_BYTES);
    int length = record.hashKey().length;
    ByteBuffer plain = ByteBuffer.allocate(Integer.BYTES + length + record.sortKey().length);
    plain.putInt(length).put(record.hashKey()).put(record.sortKey());
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(plain.array());
      byte[] all = ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
      return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has AES/GCM, and this has not.", e);
    }
  }

  /**
   * The key of a record.
   *
   * @throws IllegalArgumentException if the text is not from {@link #seal}
   */
  RecordKey open(String text) {
    try {
      byte[] all = Base64.getUrlDecoder().decode(text);
      if (all.length < NONCE_BYTES + TAG_BITS / Byte.SIZE) {
        throw new GeneralSecurityException("The text is too short.");
      }
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(all, NONCE_BYTES));
      ByteBuffer plain =
          ByteBuffer.wrap(cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES));
      byte[] hashKey = new byte[plain.getInt()];
      plain.get(hashKey);
      byte[] sortKey = new byte[plain.remaining()];
      plain.get(sortKey);
      return new RecordKey(hashKey, sortKey);
    } catch (GeneralSecurityException | IllegalArgumentException | BufferUnderflowException e) {
      throw new IllegalArgumentException("This address is not of this run of the command.", e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }
}
