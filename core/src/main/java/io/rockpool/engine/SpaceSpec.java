package io.rockpool.engine;

import java.util.Map;
import java.util.Objects;

/**
 * What a space is created from.
 *
 * @param name the space's name, see {@link SpaceName}
 * @param layout how it keeps its records
 * @param attributes what the layers above want kept with the name (type, codecs, options); never
 *     looked at by the engine
 */
public record SpaceSpec(String name, Layout layout, Map<String, String> attributes) {
  /**
   * Checks the name and copies the attributes.
   *
   * @param name the space's name
   * @param layout how it keeps its records
   * @param attributes what is kept with the name
   */
  public SpaceSpec {
    SpaceName.check(name);
    Objects.requireNonNull(layout, "layout");
    attributes = Map.copyOf(Objects.requireNonNull(attributes, "attributes"));
  }
}
