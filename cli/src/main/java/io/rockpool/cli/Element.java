package io.rockpool.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An element of a name as its records have it.
 *
 * @param row the hash key of a table's row; null for all else
 * @param key the encoded key or element; null for a single value and elements of a deque
 * @param value the encoded value with its tag; null for elements of sets
 * @param score of an element of a scored set
 * @param isTagged whether it is an entry of a cache with tags
 * @param expiryMillis when it expires, or {@link io.rockpool.engine.Expiry#NEVER}
 * @param more what else is shown of it, by name
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Element(
    byte @Nullable [] row,
    byte @Nullable [] key,
    byte @Nullable [] value,
    @Nullable Double score,
    boolean isTagged,
    long expiryMillis,
    Map<String, Object> more) {
  Element(
      byte @Nullable [] row,
      byte @Nullable [] key,
      byte @Nullable [] value,
      @Nullable Double score,
      boolean isTagged,
      long expiryMillis) {
    this(row, key, value, score, isTagged, expiryMillis, Map.of());
  }
}
