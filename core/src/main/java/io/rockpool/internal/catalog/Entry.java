package io.rockpool.internal.catalog;

import io.rockpool.engine.SpaceInfo;
import java.util.Map;

/**
 * What the catalog knows of a name.
 *
 * @param identity what it is
 * @param options what the layers above keep with it
 * @param space what the engine knows of it
 */
public record Entry(Identity identity, Map<String, String> options, SpaceInfo space) {}
