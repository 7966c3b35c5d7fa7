package io.rockpool.spring.boot;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The properties of engines on servers: {@code rockpool.redis.*}, {@code rockpool.postgresql.*}.
 */
final class EngineProperties {
  static final String JOIN = "rockpool.postgresql.join-transactions";

  static final List<String> REDIS =
      all(
          "rockpool.redis.",
          "prefix",
          "timeout",
          "feed-timeout",
          "cluster",
          "master",
          "when-away",
          "read-from",
          "username",
          "password",
          "sentinel-username",
          "sentinel-password",
          "client-name",
          "verify-peer",
          "ca-certificate",
          "client-certificate",
          "client-key");

  /** Those that the engine reads; {@link #JOIN} is one of its auto-configuration. */
  static final List<String> POSTGRESQL = all("rockpool.postgresql.", "schema", "pool-size");

  private static final List<String> LEVELS = List.of("rockpool.redis", "rockpool.postgresql");
  private static final int MAX_TYPOS = 2;
  private static final String HIDDEN = "******";

  private EngineProperties() {}

  private static List<String> all(String prefix, String... names) {
    return Stream.of(names).map(name -> prefix + name).toList();
  }

  /**
   * Reads the properties that engines know, in any form that Spring Boot accepts: {@code
   * when-away}, {@code whenAway}, {@code ROCKPOOL_REDIS_WHENAWAY}, {@code
   * ROCKPOOL_REDIS_WHEN_AWAY}.
   */
  static Map<String, String> of(Environment environment) {
    Map<String, String> found = new LinkedHashMap<>();
    Binder binder = Binder.get(environment);
    for (List<String> engine : List.of(REDIS, POSTGRESQL)) {
      for (String name : engine) {
        binder.bind(name, String.class).ifBound(value -> found.put(name, value));
      }
    }
    return found;
  }

  /**
   * Refuses what no engine knows. Environment variables are not checked: Kubernetes sets {@code
   * ROCKPOOL_REDIS_SERVICE_HOST} for a service {@code rockpool-redis}.
   *
   * @throws InvalidConfigurationPropertyValueException if a property is misspelt
   */
  static void refuseUnknown(Environment environment) {
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      if (source instanceof IterableConfigurationPropertySource names
          && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
        names.forEach(name -> refuseUnknown(name, source));
      }
    }
  }

  private static void refuseUnknown(
      ConfigurationPropertyName name, ConfigurationPropertySource source) {
    boolean isOfEngine =
        LEVELS.stream().anyMatch(level -> ConfigurationPropertyName.of(level).isAncestorOf(name));
    if (!isOfEngine || known().anyMatch(it -> ConfigurationPropertyName.of(it).equals(name))) {
      return;
    }
    String written = name.toString();
    String meant = closest(written);
    ConfigurationProperty property = source.getConfigurationProperty(name);
    boolean isSecret = isSecret(written) || (meant != null && isSecret(meant));
    throw new InvalidConfigurationPropertyValueException(
        written,
        isSecret || property == null ? HIDDEN : String.valueOf(property.getValue()),
        "There is no such property. "
            + (meant == null
                ? "Leave it out, or give one of " + String.join(", ", siblings(written)) + "."
                : "Did you mean " + meant + "?"));
  }

  private static Stream<String> known() {
    return Stream.of(REDIS, POSTGRESQL, List.of(JOIN)).flatMap(List::stream);
  }

  private static List<String> siblings(String written) {
    return known()
        .filter(it -> LEVELS.stream().anyMatch(level -> isIn(level, written) && isIn(level, it)))
        .toList();
  }

  private static boolean isIn(String level, String name) {
    return name.startsWith(level + ".");
  }

  static boolean isSecret(String name) {
    return name.toLowerCase(Locale.ROOT).contains("pass");
  }

  /** The known property that differs in the fewest letters, if these are few; else null. */
  private static @Nullable String closest(String written) {
    return siblings(written).stream()
        .filter(it -> typos(plain(it), plain(written)) <= MAX_TYPOS)
        .min(Comparator.comparingInt(it -> typos(plain(it), plain(written))))
        .orElse(null);
  }

  private static String plain(String name) {
    return name.replace("-", "");
  }

  /** The letters to insert, delete or replace until two texts are equal. */
  private static int typos(String a, String b) {
    int[] before = new int[b.length() + 1];
    Arrays.setAll(before, i -> i);
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(before[j], row[j - 1]) + 1);
      }
      before = row;
    }
    return before[b.length()];
  }
}
