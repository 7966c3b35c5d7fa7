package io.rockpool.internal.encryption;

import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.format.SealedValueFormat;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A random key of one name. No record is encrypted with it, but with keys that are derived from it
 * and from an epoch. Thread-safe.
 */
final class DataKey {
  static final int BYTES = 32;

  /** Bounds the heap of a name that was opened very often. */
  private static final int MOST_EPOCHS = 4_096;

  private static final byte[] PURPOSE = "rockpool record".getBytes(StandardCharsets.US_ASCII);

  private final int number;
  private final int storeKey;
  private final byte[] secret;
  private final Map<EpochId, SecretKey> recordKeys = new ConcurrentHashMap<>();

  /** The bytes of an epoch. */
  private record EpochId(long first, int last) {}

  /**
   * Creates a key.
   *
   * @param number tells it from the other keys of its name, 0 to 255
   * @param storeKey the number of the store's key that wraps it
   * @param secret {@link #BYTES} random bytes, not copied
   */
  DataKey(int number, int storeKey, byte[] secret) {
    this.number = number;
    this.storeKey = storeKey;
    this.secret = secret;
  }

  int number() {
    return number;
  }

  int storeKey() {
    return storeKey;
  }

  byte[] secret() {
    return secret;
  }

  /** The key of the records that were written in an epoch. */
  SecretKey recordKey(byte[] bytes, int epochAt) {
    EpochId epoch =
        new EpochId(
            BigEndian.getLong(bytes, epochAt), BigEndian.getInt(bytes, epochAt + Long.BYTES));
    SecretKey known = recordKeys.get(epoch);
    if (known != null) {
      return known;
    }
    if (recordKeys.size() >= MOST_EPOCHS) {
      recordKeys.clear();
    }
    SecretKey derived = derive(bytes, epochAt);
    recordKeys.put(epoch, derived);
    return derived;
  }

  /** The step "expand" of HKDF with SHA-256; one block, as it has as many bytes as a key. */
  private SecretKey derive(byte[] bytes, int epochAt) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      mac.update(PURPOSE);
      mac.update(bytes, epochAt, SealedValueFormat.EPOCH_BYTES);
      mac.update((byte) 1);
      byte[] derived = mac.doFinal();
      SecretKey key = new SecretKeySpec(derived, "AES");
      Arrays.fill(derived, (byte) 0);
      return key;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no HmacSHA256; use another one.", e);
    }
  }
}
