package io.rockpool.internal.catalog;

import io.rockpool.engine.SpaceInfo;
import java.util.Map;

/**
 * What the catalog knows about a name.
 *
 * @param identity what the name holds
 * @param options the options of the layers above
 * @param space what the engine knows about it
 */
public record Entry(Identity identity, Map<String, String> options, SpaceInfo space) {}
