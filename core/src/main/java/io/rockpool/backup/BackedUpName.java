package io.rockpool.backup;

import java.util.OptionalLong;

/**
 * A name of the store in a backup.
 *
 * @param name the name of a cache or collection
 * @param type what it holds, such as {@code "cache"} or {@code "map"}
 * @param count the number of its elements when the backup began, if it was known without reading
 *     them; writers may have changed it since
 */
public record BackedUpName(String name, String type, OptionalLong count) {}
