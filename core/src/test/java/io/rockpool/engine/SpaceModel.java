package io.rockpool.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a space should hold, in plain maps of the JDK: rows by hash key, records by sort key, each
 * key and value a string with a character for each byte.
 */
final class SpaceModel {
  private final NavigableMap<String, NavigableMap<String, Kept>> rows = new TreeMap<>();

  /** A record as the model keeps it. */
  record Kept(String value, long expiryMillis, boolean counted) {}

  void put(String hashKey, String sortKey, Kept record) {
    row(hashKey).put(sortKey, record);
  }

  void delete(String hashKey, String sortKey) {
    row(hashKey).remove(sortKey);
  }

  void clear() {
    rows.clear();
  }

  /** What should be seen at a place, or null. */
  @Nullable Kept get(String hashKey, String sortKey, long nowMillis) {
    Kept record = row(hashKey).get(sortKey);
    return record != null && record.expiryMillis() > nowMillis ? record : null;
  }

  /** What a scan should show, each as {@code sortKey=value@expiry}. */
  List<String> scan(
      String hashKey, SortRange range, Direction direction, int limit, long nowMillis) {
    List<String> seen = new ArrayList<>();
    row(hashKey)
        .forEach(
            (sortKey, record) -> {
              if (record.expiryMillis() > nowMillis
                  && range.contains(EngineUnderTest.bytes(sortKey))) {
                seen.add(show(sortKey, record.value(), record.expiryMillis()));
              }
            });
    if (direction == Direction.BACKWARD) {
      Collections.reverse(seen);
    }
    return seen.subList(0, Math.min(limit, seen.size()));
  }

  /**
   * What a scan of everything should show, each as {@code hashKey/sortKey=value@expiry}, rows in
   * order.
   */
  List<String> scanAll(long nowMillis) {
    List<String> seen = new ArrayList<>();
    for (String hashKey : rows.keySet()) {
      for (String record :
          scan(hashKey, SortRange.all(), Direction.FORWARD, Integer.MAX_VALUE, nowMillis)) {
        seen.add(hashKey + "/" + record);
      }
    }
    return seen;
  }

  /**
   * How many counted records a row has, with those that have expired by {@code nowMillis} left out.
   */
  long count(String hashKey, long nowMillis) {
    return row(hashKey).values().stream()
        .filter(record -> record.counted() && record.expiryMillis() > nowMillis)
        .count();
  }

  static String show(String sortKey, String value, long expiryMillis) {
    return sortKey + "=" + value + "@" + expiryMillis;
  }

  private NavigableMap<String, Kept> row(String hashKey) {
    return rows.computeIfAbsent(hashKey, key -> new TreeMap<>());
  }
}
