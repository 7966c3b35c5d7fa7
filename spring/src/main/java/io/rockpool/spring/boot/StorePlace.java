package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.engine.EngineFactory;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Where the properties say that the store is. */
final class StorePlace {
  private static final String EMBEDDED = "embedded";
  private static final String ENGINE_PROPERTY = RockpoolProperties.PREFIX + ".engine";

  private StorePlace() {}

  /**
   * A builder of the store: at the URI, or else on the engine of the application's bean, or else in
   * the directory.
   *
   * @param factory the application's only bean of its type, or null
   */
  static RockpoolBuilder of(RockpoolProperties properties, @Nullable EngineFactory factory) {
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

  private static @Nullable String engine(RockpoolProperties properties) {
    String engine = properties.engine();
    return engine == null || engine.isBlank() ? null : engine.strip().toLowerCase(Locale.ROOT);
  }
}
