package io.rockpool.jcache.internal.config;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.WhenLocked;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * How a manager's store is opened, also while another process has it open: as the manager's
 * properties say, or else the system's, or else its configuration file.
 */
public final class StoreOpening {
  public static final String LOCK_WAIT_PROPERTY = "rockpool.lock-wait";
  public static final String WHEN_LOCKED_PROPERTY = "rockpool.when-locked";

  /** Long enough for a process that is being stopped, and short enough to notice a mistake. */
  public static final Duration DEFAULT_LOCK_WAIT = Duration.ofSeconds(10);

  private final Properties properties;
  private final Duration lockWait;
  private final WhenLocked whenLocked;
  private final @Nullable EncryptionSection encryption;

  public StoreOpening(Properties properties, ConfigurationFile file) {
    this.properties = properties;
    String wait = property(LOCK_WAIT_PROPERTY, properties);
    String action = property(WHEN_LOCKED_PROPERTY, properties);
    this.lockWait =
        wait == null
            ? Objects.requireNonNullElse(file.lockWait(), DEFAULT_LOCK_WAIT)
            : duration(wait);
    this.whenLocked =
        action == null
            ? Objects.requireNonNullElse(file.whenLocked(), WhenLocked.FAIL)
            : action(action);
    this.encryption = EncryptionSection.of(file.encryption(), properties);
  }

  private static @Nullable String property(String name, Properties properties) {
    String text = properties.getProperty(name, System.getProperty(name, "")).strip();
    return text.isEmpty() ? null : text;
  }

  private static Duration duration(String text) {
    try {
      return ConfigurationFile.duration(text);
    } catch (CacheException e) {
      throw new CacheException(
          LOCK_WAIT_PROPERTY + " is \"" + text + "\". Give a duration, such as 30s or 2 minutes.",
          e);
    }
  }

  private static WhenLocked action(String text) {
    return Arrays.stream(WhenLocked.values())
        .filter(it -> it.name().equalsIgnoreCase(text))
        .findAny()
        .orElseThrow(
            () ->
                new CacheException(
                    WHEN_LOCKED_PROPERTY
                        + " is \""
                        + text
                        + "\". Give one of "
                        + Arrays.stream(WhenLocked.values())
                            .map(it -> it.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "))
                        + "."));
  }

  /**
   * Opens a store; one on a server also gets the manager's properties.
   *
   * @throws CacheException if the settings of the encryption contradict each other
   */
  public Rockpool open(RockpoolBuilder store) {
    properties
        .stringPropertyNames()
        .forEach(name -> store.property(name, properties.getProperty(name)));
    if (encryption != null) {
      store.encryption(encryption.encryption());
    }
    return store.lockWait(lockWait).whenLocked(whenLocked).open();
  }
}
