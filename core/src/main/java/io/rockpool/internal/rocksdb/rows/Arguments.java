package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Limits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Checks of arguments, and a defensive copy of collections. */
final class Arguments {
  private Arguments() {}

  static void checkHashKey(byte[] hashKey) {
    Limits.checkHashKey(Objects.requireNonNull(hashKey, "hashKey"));
  }

  static void checkValue(byte[] value) {
    Limits.checkValue(Objects.requireNonNull(value, "value"));
  }

  static void checkScanLimit(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException(
          "A scan was limited to " + limit + " records; use 0 or more.");
    }
  }

  static void checkParts(int parts) {
    if (parts <= 0) {
      throw new IllegalArgumentException(
          "The records were to be split into " + parts + " parts; use 1 or more.");
    }
  }

  /**
   * A copy of a collection named {@code all}, whose elements, named {@code one}, must not be null.
   */
  static <T> List<T> copyOf(Collection<T> elements, String all, String one) {
    List<T> copy = new ArrayList<>(Objects.requireNonNull(elements, all));
    copy.forEach(element -> Objects.requireNonNull(element, one));
    return copy;
  }
}
