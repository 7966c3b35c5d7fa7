package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProvider;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.testing.NotEncrypted;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

/** The encryption of an application's store. */
@NotEncrypted("opens clear and encrypted stores")
final class EncryptionPropertiesTest {
  private static final String SECRET = "a plaintext that no file may have";

  @Configuration
  @EnableCaching
  static class EncryptingApplication {}

  @TempDir private Path directory;

  @BeforeEach
  void writeKeys() throws IOException {
    Files.writeString(keys(), KeyProviders.newKey("2026-11"));
  }

  private Path keys() {
    return directory.resolve("master-keys");
  }

  private ApplicationContextRunner runner(String... encryption) {
    return new ApplicationContextRunner()
        .withUserConfiguration(EncryptingApplication.class)
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class,
                RockpoolCacheAutoConfiguration.class,
                CacheAutoConfiguration.class))
        .withPropertyValues("rockpool.directory=" + directory.resolve("store"))
        .withPropertyValues(
            Stream.of(encryption).map(it -> "rockpool.encryption." + it).toArray(String[]::new));
  }

  private void put(ApplicationContextRunner runner, String cache) {
    runner.run(
        context -> {
          assertThat(context).hasNotFailed();
          context.getBean(CacheManager.class).getCache(cache).put("k", SECRET);
          assertThat(context.getBean(CacheManager.class).getCache(cache).get("k", String.class))
              .isEqualTo(SECRET);
        });
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
  void aKeyFileEncryptsCaches() throws IOException {
    put(runner("key-file=" + keys()), "orders");
    put(runner("key-file=" + keys()), "orders");
    assertThat(someFileHasThePlaintext()).isFalse();
    put(runner("key-file=" + keys(), "except=public"), "public");
    assertThat(someFileHasThePlaintext()).isTrue();
  }

  @Test
  void onlySomeNamesAndTheirKeysElsewhere() throws IOException {
    String keysIn = "keys-in=" + directory.resolve("data-keys");
    put(runner("key-file=" + keys(), "only[0]=orders", keysIn), "orders");
    assertThat(someFileHasThePlaintext()).isFalse();
    assertThat(directory.resolve("data-keys")).exists();
    put(runner("key-file=" + keys(), "only=orders", keysIn), "other");
    assertThat(someFileHasThePlaintext()).isTrue();
  }

  @Test
  void keysAreHidden() throws IOException {
    for (String cache : List.of("orders", "clear")) {
      runner("key-file=" + keys(), "hiding-keys=orders")
          .run(context -> context.getBean(CacheManager.class).getCache(cache).put(SECRET, "v"));
      assertThat(someFileHasThePlaintext()).isEqualTo(cache.equals("clear"));
    }
  }

  @Test
  void aKeyStore() throws Exception {
    Path keyStore = directory.resolve("keys.p12");
    write(keyStore);
    put(
        runner("pkcs12.file=" + keyStore, "pkcs12.password=changeit", "pkcs12.alias=prod"),
        "orders");
    assertThat(someFileHasThePlaintext()).isFalse();
    assertFails(runner("pkcs12.file=" + keyStore), "a password and an alias");
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
  void aBeanHasTheKeysOrAllOfTheEncryption() throws IOException {
    KeyProvider provider = KeyProviders.file(keys());
    put(runner().withBean(KeyProvider.class, () -> provider), "orders");
    put(runner().withBean(Encryption.class, () -> Encryption.with(provider)), "orders");
    assertThat(someFileHasThePlaintext()).isFalse();
    put(runner("only=orders").withBean(KeyProvider.class, () -> provider), "public");
    assertThat(someFileHasThePlaintext()).isTrue();
    assertFails(
        runner("key-file=" + keys()).withBean(KeyProvider.class, () -> provider), "KeyProvider");
    assertFails(
        runner("only=orders").withBean(Encryption.class, () -> Encryption.with(provider)),
        "a bean of type Encryption");
  }

  @Test
  void contradictionsAreNamed() {
    assertFails(runner("key-file=" + keys(), "environment=X"), "one source");
    assertFails(runner("only=orders"), "no master keys");
  }

  private static void assertFails(ApplicationContextRunner runner, String reason) {
    runner.run(
        context -> {
          // Opens the store, which is lazy.
          Throwable failure = failureOf(() -> context.getBean(Rockpool.class));
          assertThat(failure)
              .hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class)
              .rootCause()
              .hasMessageContaining("rockpool.encryption.");
          InvalidConfigurationPropertyValueException cause =
              (InvalidConfigurationPropertyValueException) rootOf(failure);
          assertThat(cause.getReason()).contains(reason);
        });
  }

  private static Throwable failureOf(Runnable opening) {
    try {
      opening.run();
      throw new AssertionError("did not fail");
    } catch (RuntimeException e) {
      return e;
    }
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  @Test
  void aMissingOrWrongKeyIsNamedWithAdvice() throws IOException {
    put(runner("key-file=" + keys()), "orders");
    assertKeyIsNamed(runner());
    Files.writeString(keys(), KeyProviders.newKey("2026-12"));
    assertKeyIsNamed(runner("key-file=" + keys()));
    Files.writeString(keys(), KeyProviders.newKey("2026-11"));
    assertKeyIsNamed(runner("key-file=" + keys()));
  }

  private static void assertKeyIsNamed(ApplicationContextRunner runner) {
    runner.run(
        context -> {
          Throwable failure = failureOf(() -> context.getBean(Rockpool.class));
          FailureAnalysis analysis = new RockpoolFailureAnalyzer().analyze(failure);
          assertThat(analysis).isNotNull();
          assertThat(analysis.getDescription()).contains("\"2026-11\"");
          assertThat(analysis.getAction()).contains("\"2026-11\"", "rockpool.encryption.key-file");
          assertThat(analysis.getCause()).isInstanceOf(EncryptionKeyException.class);
        });
  }
}
