package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.encryption.KeyProviders;
import io.rockpool.testing.NotEncrypted;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Properties;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Encryption as files and properties configure it. */
@NotEncrypted("opens clear and encrypted stores")
final class EncryptionSettingsTest extends JCacheTest {
  private static final String SECRET = "a plaintext that no file may have";

  @BeforeEach
  void writeKeys() throws IOException {
    Files.writeString(keys(), KeyProviders.newKey("2026-11"));
  }

  private Path keys() {
    return directory.resolve("master-keys");
  }

  private String keyFile() {
    return "key-file = \"" + keys() + "\"\n";
  }

  private static void put(CacheManager manager, String name) {
    Cache<String, String> cache = manager.getCache(name);
    if (cache == null) {
      cache = manager.createCache(name, new MutableConfiguration<>());
    }
    cache.put("k", SECRET);
    assertThat(cache.get("k")).isEqualTo(SECRET);
  }

  private boolean someFileHasThePlaintext() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(SECRET)) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void aFileNamesTheKeys() throws IOException {
    put(manager("encryption { " + keyFile() + " }"), "c");
    provider.close();
    assertThat(someFileHasThePlaintext()).isFalse();
    CacheManager again = manager("encryption { " + keyFile() + " }");
    assertThat(again.<String, String>getCache("c").get("k")).isEqualTo(SECRET);
    provider.close();
    assertThatThrownBy(() -> manager(""))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("\"2026-11\"");
    Files.writeString(keys(), KeyProviders.newKey("2026-11"));
    assertThatThrownBy(() -> manager("encryption { " + keyFile() + " }"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("\"2026-11\"");
  }

  @Test
  void keysAreHidden() throws IOException {
    CacheManager manager = manager("encryption { " + keyFile() + " hiding-keys = [c] }");
    put(manager, "c");
    manager.<String, String>getCache("c").put(SECRET, "v");
    provider.close();
    assertThat(someFileHasThePlaintext()).isFalse();
    manager = manager("encryption { " + keyFile() + " hiding-keys = [other] }");
    assertThat(manager.<String, String>getCache("c").get(SECRET)).isEqualTo("v");
    put(manager, "clear");
    manager.<String, String>getCache("clear").put(SECRET, "v");
    provider.close();
    assertThat(someFileHasThePlaintext()).isTrue();
  }

  @Test
  void withoutItValuesAreClear() throws IOException {
    put(manager(""), "c");
    provider.close();
    assertThat(someFileHasThePlaintext()).isTrue();
  }

  @Test
  void propertiesOfTheManagerAndTheSystemPrecedeTheFile() throws IOException {
    Properties properties = new Properties();
    properties.setProperty("rockpool.encryption.key-file", keys().toString());
    properties.setProperty("rockpool.encryption.except", "public, other");
    CacheManager manager = provider.getCacheManager(uri(), null, properties);
    put(manager, "c");
    provider.close();
    assertThat(someFileHasThePlaintext()).isFalse();
    System.setProperty("rockpool.encryption.key-file", keys().toString());
    System.setProperty("rockpool.encryption.only", "c");
    try {
      put(manager("encryption { key-file = /nowhere }"), "public");
    } finally {
      System.clearProperty("rockpool.encryption.key-file");
      System.clearProperty("rockpool.encryption.only");
    }
    provider.close();
    assertThat(someFileHasThePlaintext()).isTrue();
  }

  @Test
  void aKeyStoreAndAFileOfDataKeys() throws Exception {
    Path keyStore = directory.resolve("keys.p12");
    write(keyStore);
    String pkcs12 = "pkcs12 { file = \"" + keyStore + "\", password = changeit, alias = prod }\n";
    String keysIn = "keys-in = \"" + directory.resolve("data-keys") + "\"\n";
    put(manager("encryption { " + pkcs12 + keysIn + " }"), "c");
    provider.close();
    assertThat(directory.resolve("data-keys")).exists();
    assertThat(someFileHasThePlaintext()).isFalse();
    put(manager("encryption { " + pkcs12 + keysIn + " }"), "c");
    provider.close();
    assertThatThrownBy(() -> manager("encryption { " + pkcs12 + " }"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("keysIn");
  }

  private static void write(Path keyStore) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setEntry(
        "prod",
        new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[32], "AES")),
        new KeyStore.PasswordProtection("changeit".toCharArray()));
    try (OutputStream out = Files.newOutputStream(keyStore)) {
      store.store(out, "changeit".toCharArray());
    }
  }

  @Test
  void mistakesAreNamedBeforeTheStoreIsOpened() {
    assertMistake("encryption { key-fiel = x }", "conf: 4: ", "key-fiel", "key-file");
    assertMistake("encryption { only = [c] }", "key-file, environment and pkcs12");
    assertMistake(
        "encryption { environment = X, " + keyFile() + " }", "key-file and environment", "one of");
    assertMistake("encryption { pkcs12 { file = x } }", "pkcs12", "password and alias");
    assertMistake(
        "encryption { " + keyFile() + " only = [\"a//b\"] }", "only of encryption", "a//b");
    assertMistake(
        "encryption { " + keyFile() + " hiding-keys = [\"a//b\"] }",
        "hiding-keys of encryption",
        "a//b");
    assertMistake("encryption { key-file = /no/such/file }", "/no/such/file");
    assertMistake("encryption { environment = ROCKPOOL_NOT_SET }", "ROCKPOOL_NOT_SET");
    assertThat(directory.resolve("store")).doesNotExist();
  }

  private void assertMistake(String lines, String... parts) {
    assertThatThrownBy(() -> manager(lines))
        .isInstanceOf(CacheException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }
}
