package io.rockpool.encryption;

import io.rockpool.error.EncryptionKeyException;
import io.rockpool.internal.logging.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.SecretKey;

/**
 * Providers of master keys that need no service. Each reads its keys once, when it is created, and
 * has them on the heap.
 *
 * <p>In text, a line has an id, a space and 32 random bytes in Base64, as {@link #newKey} returns
 * them. The last line is the current key; the lines before it are older keys, which stores may
 * still need. Lines that begin with {@code #} are comments.
 */
public final class KeyProviders {
  private static final int KEY_BYTES = 32;

  private KeyProviders() {}

  /**
   * The keys in a file, as lines of text. Only the user of the process should be able to read it.
   *
   * @throws EncryptionKeyException if it cannot be read, or has no key
   */
  public static KeyProvider file(Path file) {
    try {
      return MasterKeys.parse(Files.readString(file), file.toString());
    } catch (IOException e) {
      throw new EncryptionKeyException(
          "The master keys in "
              + file
              + " cannot be read: "
              + FileErrors.text(e)
              + ". Check the file.",
          null,
          e);
    }
  }

  /**
   * The keys in an environment variable, as lines of text; semicolons may separate them, too.
   *
   * @throws EncryptionKeyException if it is not set, or has no key
   */
  public static KeyProvider environment(String variable) {
    String text = System.getenv(variable);
    return MasterKeys.parse(text == null ? "" : text, "the environment variable " + variable);
  }

  /**
   * The AES keys of a PKCS#12 key store. Their ids are their aliases; keys that are not AES keys of
   * 256 bits are ignored.
   *
   * @param password the password of the key store and of its keys
   * @param alias the alias of the current key, in any case
   * @throws EncryptionKeyException if the key store cannot be read, or does not have that key
   */
  public static KeyProvider pkcs12(Path file, char[] password, String alias) {
    Map<String, SecretKey> keys = new LinkedHashMap<>();
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password);
      for (String entry : Collections.list(store.aliases())) {
        Key key = store.isKeyEntry(entry) ? store.getKey(entry, password) : null;
        if (key instanceof SecretKey secret && isAes256(secret)) {
          keys.put(entry, secret);
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new EncryptionKeyException(
          "The key store "
              + file
              + " cannot be read: "
              + FileErrors.text(e)
              + ". Check the file and the password.",
          null,
          e);
    }
    String current =
        keys.keySet().stream().filter(id -> id.equalsIgnoreCase(alias)).findFirst().orElse(null);
    if (current == null) {
      throw new EncryptionKeyException(
          "The key store " + file + " has no AES key of 256 bits \"" + alias + "\"; add it.",
          alias,
          null);
    }
    return new MasterKeys(keys, current);
  }

  /**
   * A new line of text for {@link #file} or {@link #environment}.
   *
   * @param id the id of the key, without white space
   * @return the id and a random key
   */
  public static String newKey(String id) {
    if (id.isEmpty() || id.startsWith("#") || !id.matches("[^\\s;]+")) {
      throw new IllegalArgumentException(
          "\"" + id + "\" cannot be the id of a key; use letters, digits and hyphens.");
    }
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return id + " " + Base64.getEncoder().encodeToString(key);
  }

  private static boolean isAes256(SecretKey key) {
    byte[] encoded = key.getEncoded();
    return key.getAlgorithm().equals("AES") && encoded != null && encoded.length == KEY_BYTES;
  }
}
