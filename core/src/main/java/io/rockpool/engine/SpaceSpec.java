package io.rockpool.engine;

import java.util.Map;
import java.util.Objects;

/**
 * The name, layout and attributes of a new space.
 *
 * @param name the space's name, see {@link SpaceName}
 * @param layout how it keeps its records
 * @param attributes what the layers above store with the name (type, codecs, options); the engine
 *     never reads them
 */
public record SpaceSpec(String name, Layout layout, Map<String, String> attributes) {
  /**
   * Checks the name and copies the attributes.
   *
   * @param name the space's name
   * @param layout how it keeps its records
   * @param attributes what is stored with the name
   */
  public SpaceSpec {
    SpaceName.check(name);
    Objects.requireNonNull(layout, "layout");
    attributes = Map.copyOf(Objects.requireNonNull(attributes, "attributes"));
  }
}
