package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.engine.EngineFactory;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

/** Where the properties say that the store is. */
final class StorePlace {
  private static final String EMBEDDED = "embedded";
  private static final String REDIS = "redis";
  private static final String DATA_REDIS = "spring.data.redis.";
  private static final String ENGINE_PROPERTY = RockpoolProperties.PREFIX + ".engine";

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
    URI uri = properties.uri();
    if (engine != null && engine.equals(EMBEDDED)) {
      if (uri != null) {
        throw new InvalidConfigurationPropertyValueException(
            ENGINE_PROPERTY, engine, "Leave out rockpool.uri, or this property.");
      }
      return Rockpool.at(properties.directory().getPath());
    }
    if (uri != null) {
      return Rockpool.at(uri);
    }
    if (factory != null) {
      return Rockpool.at(factory);
    }
    if (engine != null && engine.equals(REDIS)) {
      return redis(environment);
    }
    if (engine != null) {
      throw new InvalidConfigurationPropertyValueException(
          ENGINE_PROPERTY,
          engine,
          "Add the artifact io.rockpool:rockpool-"
              + engine
              + " and what its connection needs, or set rockpool.uri.");
    }
    return Rockpool.at(properties.directory().getPath());
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

  private static @Nullable String engine(RockpoolProperties properties) {
    String engine = properties.engine();
    return engine == null || engine.isBlank() ? null : engine.strip().toLowerCase(Locale.ROOT);
  }
}
