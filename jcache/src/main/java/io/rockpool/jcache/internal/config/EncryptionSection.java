package io.rockpool.jcache.internal.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValueFactory;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProvider;
import io.rockpool.encryption.KeyProviders;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** The encryption of a manager's store, as its configuration file and the properties say. */
final class EncryptionSection {
  /** What the names of the manager's and the system's properties begin with. */
  static final String PROPERTY_PREFIX = "rockpool.encryption.";

  private static final String KEY_FILE = "key-file";
  private static final String ENVIRONMENT = "environment";
  private static final String PKCS12 = "pkcs12";
  private static final String ONLY = "only";
  private static final String EXCEPT = "except";
  private static final String HIDING_KEYS = "hiding-keys";
  private static final String KEYS_IN = "keys-in";
  private static final Set<String> KEYS =
      Set.of(KEY_FILE, ENVIRONMENT, PKCS12, ONLY, EXCEPT, HIDING_KEYS, KEYS_IN);
  private static final List<String> LEVELS = List.of(ONLY, EXCEPT, HIDING_KEYS);
  private static final String FILE = "file";
  private static final String PASSWORD = "password";
  private static final String ALIAS = "alias";
  private static final Set<String> PKCS12_KEYS = Set.of(FILE, PASSWORD, ALIAS);

  private final Section section;
  private final @Nullable Section pkcs12;

  private EncryptionSection(Config config) {
    this.section = new Section("encryption", config, KEYS);
    this.pkcs12 = section.section(PKCS12, "pkcs12 of encryption", PKCS12_KEYS);
    Stream.of(KEY_FILE, ENVIRONMENT, KEYS_IN).forEach(section::text);
    LEVELS.forEach(section::texts);
  }

  /**
   * Reads the settings of an encryption.
   *
   * @param config what the file says in its section, or null
   * @param manager the properties of the manager, which precede those of the system, which precede
   *     the file
   * @return null if nothing is set
   */
  static @Nullable EncryptionSection of(@Nullable Config config, Properties manager) {
    Config all =
        properties("properties of the manager", manager)
            .withFallback(properties("system properties", System.getProperties()))
            .withFallback(config == null ? ConfigFactory.empty() : config);
    return all.isEmpty() ? null : new EncryptionSection(all);
  }

  /** Properties with the prefix, without it; lists in them have commas. */
  private static Config properties(String origin, Properties all) {
    Properties ours = new Properties();
    all.stringPropertyNames().stream()
        .filter(name -> name.startsWith(PROPERTY_PREFIX))
        .forEach(
            name ->
                ours.setProperty(name.substring(PROPERTY_PREFIX.length()), all.getProperty(name)));
    Config config =
        ConfigFactory.parseProperties(
            ours, ConfigParseOptions.defaults().setOriginDescription(origin));
    for (String list : LEVELS) {
      String text = ours.getProperty(list);
      if (text != null) {
        List<String> levels =
            Stream.of(text.split(",", -1)).map(String::strip).filter(it -> !it.isEmpty()).toList();
        config = config.withValue(list, ConfigValueFactory.fromIterable(levels, origin));
      }
    }
    return config;
  }

  /**
   * Reads the keys.
   *
   * @throws CacheException if the settings contradict each other
   */
  Encryption encryption() {
    Encryption encryption = Encryption.with(provider());
    if (section.has(ONLY)) {
      encryption = with(ONLY, encryption::only);
    }
    encryption = with(EXCEPT, encryption::except);
    encryption = with(HIDING_KEYS, encryption::hidingKeys);
    String keysIn = section.text(KEYS_IN);
    return keysIn == null ? encryption : encryption.keysIn(Path.of(keysIn));
  }

  private Encryption with(String key, Function<String[], Encryption> levels) {
    try {
      return levels.apply(section.texts(key).toArray(String[]::new));
    } catch (IllegalArgumentException e) {
      throw section.error(key, "give names of caches or levels: " + e.getMessage(), e);
    }
  }

  private KeyProvider provider() {
    List<String> sources = Stream.of(KEY_FILE, ENVIRONMENT, PKCS12).filter(section::has).toList();
    if (sources.size() != 1) {
      String advice = "give one of key-file, environment and pkcs12.";
      if (sources.isEmpty()) {
        throw new CacheException("The section encryption names no master keys; " + advice);
      }
      throw new CacheException(
          "The section encryption has " + String.join(" and ", sources) + "; " + advice);
    }
    String file = section.text(KEY_FILE);
    if (file != null) {
      return KeyProviders.file(Path.of(file));
    }
    String variable = section.text(ENVIRONMENT);
    return variable != null
        ? KeyProviders.environment(variable)
        : keyStore(Objects.requireNonNull(pkcs12));
  }

  private static KeyProvider keyStore(Section pkcs12) {
    String file = pkcs12.text(FILE);
    String password = pkcs12.text(PASSWORD);
    String alias = pkcs12.text(ALIAS);
    if (file == null || password == null || alias == null) {
      throw new CacheException(
          "The section pkcs12 of encryption needs file, password and alias; add what is missing.");
    }
    return KeyProviders.pkcs12(Path.of(file), password.toCharArray(), alias);
  }
}
