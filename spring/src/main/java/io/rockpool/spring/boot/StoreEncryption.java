package io.rockpool.spring.boot;

import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProvider;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.spring.boot.RockpoolProperties.EncryptionKeys;
import io.rockpool.spring.boot.RockpoolProperties.KeyStoreFile;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** The encryption of the store: a bean, or what the properties say. */
final class StoreEncryption {
  private static final String PREFIX = RockpoolProperties.PREFIX + ".encryption.";

  private StoreEncryption() {}

  /**
   * Returns the encryption; null for none.
   *
   * @param bean the application's own encryption, or null
   * @param provider the application's own source of master keys, or null
   * @throws InvalidConfigurationPropertyValueException if properties and beans contradict each
   *     other
   * @throws io.rockpool.error.EncryptionKeyException if the master keys cannot be read
   */
  static @Nullable Encryption of(
      EncryptionKeys keys, @Nullable Encryption bean, @Nullable KeyProvider provider) {
    List<String> explicit = keys.explicit();
    if (bean != null) {
      if (!explicit.isEmpty()) {
        throw mistake(explicit.get(0), "a bean of type Encryption says all of it. Remove one.");
      }
      return bean;
    }
    List<String> sources = keys.sources();
    if (sources.size() > 1) {
      throw mistake(
          sources.get(1), "master keys have one source, and " + sources.get(0) + " is set.");
    }
    if (provider != null && !sources.isEmpty()) {
      throw mistake(sources.get(0), "a bean of type KeyProvider has the master keys. Remove one.");
    }
    if (provider == null && sources.isEmpty()) {
      if (!explicit.isEmpty()) {
        throw mistake(explicit.get(0), "no master keys are given. Set " + PREFIX + "key-file.");
      }
      return null;
    }
    Encryption encryption = Encryption.with(provider == null ? provider(keys) : provider);
    if (keys.only() != null) {
      encryption = encryption.only(keys.only().toArray(String[]::new));
    }
    encryption = encryption.except(keys.except().toArray(String[]::new));
    encryption = encryption.hidingKeys(keys.hidingKeys().toArray(String[]::new));
    return keys.keysIn() == null ? encryption : encryption.keysIn(keys.keysIn().toPath());
  }

  private static KeyProvider provider(EncryptionKeys keys) {
    if (keys.keyFile() != null) {
      return KeyProviders.file(keys.keyFile().toPath());
    }
    if (keys.environment() != null) {
      return KeyProviders.environment(keys.environment());
    }
    KeyStoreFile store = keys.pkcs12();
    if (store.file() == null || store.password() == null || store.alias() == null) {
      throw mistake("pkcs12.file", "a key store needs a password and an alias. Set both.");
    }
    return KeyProviders.pkcs12(
        store.file().toPath(), store.password().toCharArray(), store.alias());
  }

  private static InvalidConfigurationPropertyValueException mistake(String name, String reason) {
    return new InvalidConfigurationPropertyValueException(PREFIX + name, null, reason);
  }
}
