package io.rockpool.engine;

import io.rockpool.store.Durability;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the builder of a store says to an engine that is opened by a {@link EngineFactory}.
 *
 * @param clock the clock by which records expire; an engine on a server may use the server's
 * @param durability what writes survive by default, or null for the engine's own default
 * @param properties settings of the engine, by name; an engine ignores names that it does not know
 */
public record EngineOptions(
    InstantSource clock, @Nullable Durability durability, Map<String, String> properties) {
  /**
   * Copies the properties.
   *
   * @param clock the clock
   * @param durability what writes survive by default, or null
   * @param properties settings of the engine, by name
   */
  public EngineOptions {
    Objects.requireNonNull(clock, "clock");
    properties = Map.copyOf(properties);
  }
}
