package io.rockpool.internal.engine;

import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** The checks of arguments that all engines share, and a defensive copy of collections. */
public final class Arguments {
  private Arguments() {}

  /** Checks the names of a space that is to be renamed. */
  public static void checkRename(String from, String to) {
    Objects.requireNonNull(from, "from");
    SpaceName.check(to);
    if (from.equals(to)) {
      throw new IllegalArgumentException(
          "The space \"" + from + "\" has the new name already; give another one.");
    }
  }

  public static void checkSortKey(byte[] sortKey, Layout layout) {
    EngineLimits.OF_CONTRACT.checkSortKey(sortKey);
    if (layout == Layout.ENTRIES && sortKey.length > 0) {
      throw new IllegalArgumentException(
          "A sort key of "
              + sortKey.length
              + " bytes in a space of entries, where every row has one record; use"
              + " Space.NO_SORT_KEY.");
    }
  }

  /** Throws if a space counts nothing. */
  public static void checkCounts(String space, Layout layout) {
    if (layout == Layout.ENTRIES) {
      throw new UnsupportedOperationException(
          "The space \"" + space + "\" keeps entries, which are not counted; use a space of rows.");
    }
  }

  public static void checkScanLimit(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException(
          "A scan was limited to " + limit + " records; use 0 or more.");
    }
  }

  public static void checkParts(int parts) {
    if (parts <= 0) {
      throw new IllegalArgumentException(
          "The records were to be split into " + parts + " parts; use 1 or more.");
    }
  }

  /** Throws inside a transaction over many rows, which writes with the durability around it. */
  public static void refuseDurabilityInTransaction(Engine engine) {
    if (engine.inTransaction()) {
      throw new IllegalStateException(
          "A durability was set inside a transaction, which writes at its commit; call"
              + " withDurability around atomically.");
    }
  }

  /**
   * A copy of a collection named {@code all}, whose elements, named {@code one}, must not be null.
   */
  public static <T> List<T> copyOf(Collection<T> elements, String all, String one) {
    List<T> copy = new ArrayList<>(Objects.requireNonNull(elements, all));
    copy.forEach(element -> Objects.requireNonNull(element, one));
    return copy;
  }
}
