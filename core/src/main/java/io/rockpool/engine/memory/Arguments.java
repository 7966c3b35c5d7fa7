package io.rockpool.engine.memory;

import io.rockpool.engine.Layout;
import io.rockpool.engine.Limits;
import java.util.Objects;

/** Rejects arguments that the contract does not allow. */
final class Arguments {
  private Arguments() {}

  static void checkHashKey(byte[] hashKey) {
    Objects.requireNonNull(hashKey, "hashKey");
    Limits.checkHashKey(hashKey);
  }

  static void checkSortKey(byte[] sortKey, Layout layout) {
    Objects.requireNonNull(sortKey, "sortKey");
    Limits.checkSortKey(sortKey);
    if (layout == Layout.ENTRIES && sortKey.length > 0) {
      throw new IllegalArgumentException(
          "A sort key of "
              + sortKey.length
              + " bytes in a space of entries, where every row has one record; use Space.NO_SORT_KEY.");
    }
  }

  static void checkCounts(Layout layout) {
    if (layout == Layout.ENTRIES) {
      throw new UnsupportedOperationException(
          "A space of entries counts nothing; create it with Layout.ROWS, or scan it and count.");
    }
  }

  static void checkLimit(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException(
          "A scan with a limit of " + limit + " records; use 0 or more.");
    }
  }

  static void checkParts(int parts) {
    if (parts <= 0) {
      throw new IllegalArgumentException(
          "The records were to be split into " + parts + " parts; use 1 or more.");
    }
  }
}
