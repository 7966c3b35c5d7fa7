package io.rockpool.engine;

import java.util.Map;

/**
 * The description of a space.
 *
 * @param name its name
 * @param layout how it keeps its records
 * @param attributes what the layers above store with it
 * @param createdMillis when the name was first created, in milliseconds since the epoch; a reset
 *     keeps it
 * @param openedMillis when it was last opened or created
 * @param resets how often the name was reset to another type, key, value or codec
 * @param expiresMillis when all its records expire, see {@link Space#expireAt}, or {@link
 *     Expiry#NEVER}
 */
public record SpaceInfo(
    String name,
    Layout layout,
    Map<String, String> attributes,
    long createdMillis,
    long openedMillis,
    long resets,
    long expiresMillis) {}
