package io.rockpool.encryption;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Master keys that their ids determine. */
public final class TestKeys {
  private TestKeys() {}

  /** A provider of some keys; the last one is the current one. */
  public static KeyProvider of(String... ids) {
    Map<String, SecretKey> keys = new LinkedHashMap<>();
    for (String id : ids) {
      keys.put(id, new SecretKeySpec(sha256(id), "AES"));
    }
    return new MasterKeys(keys, ids[ids.length - 1]);
  }

  /** All names are encrypted. */
  public static Encryption all() {
    return Encryption.with(of("test"));
  }

  /** A provider with another key of the same id. */
  public static KeyProvider wrong(String id) {
    return new MasterKeys(Map.of(id, new SecretKeySpec(sha256("another " + id), "AES")), id);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
