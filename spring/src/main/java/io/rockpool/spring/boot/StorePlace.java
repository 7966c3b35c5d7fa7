package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.engine.EngineFactory;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Where the properties say that the store is. */
final class StorePlace {
  private static final String EMBEDDED = "embedded";
  private static final String TEMPORARY = "temporary";
  private static final String REDIS = "redis";
  private static final String POSTGRESQL = "postgresql";
  private static final String POSTGRES_ENGINE = "io.rockpool.postgresql.PostgresEngine";

  /** What a URI may begin with, because that of a JCache manager does. */
  private static final String JCACHE_PREFIX = "rockpool+";

  private static final String HIDDEN = "******";
  private static final String DATA_REDIS = "spring.data.redis.";
  private static final String JOIN = EngineProperties.JOIN;
  private static final String ENGINE_PROPERTY = RockpoolProperties.PREFIX + ".engine";
  private static final String URI_PROPERTY = RockpoolProperties.PREFIX + ".uri";

  private StorePlace() {}

  /**
   * A builder of the store: at the URI, or else on the engine of the application's bean, or else in
   * the directory.
   *
   * @param factory the application's only bean of its type, or null
   */
  static RockpoolBuilder of(
      RockpoolProperties properties, @Nullable EngineFactory factory, Environment environment) {
    String engine = engine(properties);
    URI uri = uri(properties);
    if (engine != null && engine.equals(EMBEDDED)) {
      if (uri != null) {
        throw new InvalidConfigurationPropertyValueException(
            ENGINE_PROPERTY, engine, "Leave out rockpool.uri, or this property.");
      }
      return directory(properties);
    }
    if (uri != null) {
      String scheme = uri.getScheme();
      if (engine != null && scheme != null && !isOf(engine, scheme)) {
        throw new InvalidConfigurationPropertyValueException(
            ENGINE_PROPERTY,
            engine,
            "rockpool.uri begins with " + scheme + ". Leave out one of them.");
      }
      return server(Rockpool.at(uri), properties, environment);
    }
    if (factory != null) {
      return server(Rockpool.at(factory), properties, environment);
    }
    if (engine != null && engine.equals(REDIS)) {
      return server(redis(environment), properties, environment);
    }
    if (engine != null
        && engine.equals(POSTGRESQL)
        && ClassUtils.isPresent(POSTGRES_ENGINE, null)) {
      throw new InvalidConfigurationPropertyValueException(
          ENGINE_PROPERTY,
          engine,
          "The application has no DataSource, or several and none is primary. Declare a bean"
              + " EngineFactory with PostgresEngine.factory(dataSource), or set rockpool.uri.");
    }
    if (engine != null) {
      throw new InvalidConfigurationPropertyValueException(
          ENGINE_PROPERTY,
          engine,
          engine.equals(REDIS) || engine.equals(POSTGRESQL)
              ? "Add the artifact io.rockpool:rockpool-"
                  + engine
                  + " and what its connection needs, or set rockpool.uri."
              : "Give embedded, redis or postgresql.");
    }
    return directory(properties);
  }

  private static RockpoolBuilder directory(RockpoolProperties properties) {
    String directory = properties.directory().getPath();
    return directory.equals(TEMPORARY) ? Rockpool.temporary() : Rockpool.at(Path.of(directory));
  }

  /** Whether the properties name Redis. */
  static boolean isOnRedis(Environment environment) {
    String uri = environment.getProperty(URI_PROPERTY, "");
    return uri.isEmpty()
        ? environment.getProperty(ENGINE_PROPERTY, "").strip().equalsIgnoreCase(REDIS)
        : isOf(REDIS, uri);
  }

  /** Whether a URI names neither Redis nor PostgreSQL. */
  static boolean isOnAnotherEngine(Environment environment) {
    String uri = environment.getProperty(URI_PROPERTY, "");
    return !uri.isEmpty() && !isOf(REDIS, uri) && !isOf(POSTGRESQL, uri);
  }

  private static boolean isOf(String engine, String scheme) {
    String plain = scheme.toLowerCase(Locale.ROOT);
    return plain.startsWith(engine) || plain.startsWith(JCACHE_PREFIX + engine);
  }

  /** Adds the properties of engines, and refuses those that only a directory has. */
  private static RockpoolBuilder server(
      RockpoolBuilder builder, RockpoolProperties properties, Environment environment) {
    refuse("memory", properties.memory());
    refuse("on-corruption", properties.onCorruption());
    refuse("disk-budget", properties.diskBudget());
    refuse("free-space-floor", properties.freeSpaceFloor());
    if (isOnRedis(environment) && environment.getProperty(JOIN, Boolean.class, false)) {
      throw new InvalidConfigurationPropertyValueException(
          JOIN, true, "A store on Redis joins no transactions. Leave it out.");
    }
    EngineProperties.refuseUnknown(environment);
    EngineProperties.of(environment).forEach(builder::property);
    return builder;
  }

  private static void refuse(String name, @Nullable Object value) {
    if (value != null) {
      throw new InvalidConfigurationPropertyValueException(
          RockpoolProperties.PREFIX + "." + name,
          value,
          "A store on a server has no such option. Leave it out.");
    }
  }

  /**
   * Blames the property that an engine's message names first: one of the engine, {@code
   * rockpool.uri} for what the URI says, or else one of Spring Boot's for Redis. The URI is also
   * blamed if the message names nothing.
   *
   * @return the refusal itself if there is nothing to blame
   */
  static RuntimeException refused(
      IllegalArgumentException refusal, RockpoolProperties properties, Environment environment) {
    String message = String.valueOf(refusal.getMessage());
    URI uri = uri(properties);
    String blamed = uri == null ? null : URI_PROPERTY;
    String value = uri == null ? null : shown(uri);
    // "has no option timeuot. Its options are timeout, ..." names all, the wrong one first.
    int first = uri == null ? Integer.MAX_VALUE : place(uri, message);
    for (Map.Entry<String, String> property : blamable(uri, environment).entrySet()) {
      String name = property.getKey();
      int place = place(name.substring(name.lastIndexOf('.') + 1), message);
      if (place < first) {
        first = place;
        blamed = name;
        value = name.endsWith("password") ? HIDDEN : property.getValue();
      }
    }
    return blamed == null
        ? refusal
        : new InvalidConfigurationPropertyValueException(blamed, value, message);
  }

  /** The properties of the engine; for an option that none of them sets, that of Spring Boot. */
  private static Map<String, String> blamable(@Nullable URI uri, Environment environment) {
    Map<String, String> found = EngineProperties.of(environment);
    if (uri == null && isOnRedis(environment)) {
      for (String option : List.of("timeout", "client-name", "username", "password")) {
        String value = environment.getProperty(DATA_REDIS + option);
        if (value != null && !found.containsKey("rockpool.redis." + option)) {
          found.put(DATA_REDIS + option, value);
        }
      }
    }
    return found;
  }

  /** Where a message first names the URI or one of its options. */
  private static int place(URI uri, String message) {
    String query = uri.getQuery() == null ? "" : uri.getQuery();
    return Stream.concat(Stream.of("URI"), Arrays.stream(query.split("&", -1)))
        .map(option -> option.replaceFirst("=.*", ""))
        .filter(option -> !option.isEmpty())
        .mapToInt(option -> place(option, message))
        .min()
        .orElseThrow();
  }

  private static int place(String name, String message) {
    Matcher found =
        Pattern.compile("(?<![\\w-])" + Pattern.quote(name) + "(?![\\w-])").matcher(message);
    return found.find() ? found.start() : Integer.MAX_VALUE;
  }

  /** A URI without user and passwords. */
  private static String shown(URI uri) {
    return uri.toString()
        .replaceFirst("#.*", "")
        .replaceFirst("^([^/]*//)?[^/?]*@", "$1" + HIDDEN + "@")
        .replaceAll("(?i)(password=)[^&]*", "$1" + HIDDEN);
  }

  /** The server of Spring Boot's own properties. */
  private static RockpoolBuilder redis(Environment environment) {
    for (String name : List.of("sentinel.master", "cluster.nodes", "cluster.nodes[0]")) {
      String value = environment.getProperty(DATA_REDIS + name);
      if (value != null) {
        throw new InvalidConfigurationPropertyValueException(
            DATA_REDIS + name,
            value,
            "Add the artifact org.springframework.boot:spring-boot-data-redis, or set"
                + " rockpool.uri.");
      }
    }
    String url = environment.getProperty(DATA_REDIS + "url");
    boolean tls = environment.getProperty(DATA_REDIS + "ssl.enabled", Boolean.class, false);
    String server =
        url != null
            ? url
            : (tls ? "rediss://" : "redis://")
                + environment.getProperty(DATA_REDIS + "host", "localhost")
                + ':'
                + environment.getProperty(DATA_REDIS + "port", "6379")
                + '/'
                + environment.getProperty(DATA_REDIS + "database", "0");
    RockpoolBuilder builder = Rockpool.at(URI.create(server));
    for (String name : List.of("username", "password")) {
      String value = environment.getProperty(DATA_REDIS + name);
      if (url == null && value != null) {
        builder.property("rockpool.redis." + name, value);
      }
    }
    return builder;
  }

  /** A test has an empty one in place of the application's. */
  private static @Nullable URI uri(RockpoolProperties properties) {
    URI uri = properties.uri();
    return uri == null || uri.toString().isEmpty() ? null : uri;
  }

  private static @Nullable String engine(RockpoolProperties properties) {
    String engine = properties.engine();
    return engine == null || engine.isBlank() ? null : engine.strip().toLowerCase(Locale.ROOT);
  }
}
