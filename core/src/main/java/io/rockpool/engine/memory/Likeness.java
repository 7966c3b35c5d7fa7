package io.rockpool.engine.memory;

import io.rockpool.engine.RowRecord;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares the results of two runs of a transaction, if their type defines equality. */
final class Likeness {
  private Likeness() {}

  /** False only if the two are certainly different. Objects of other types count as equal. */
  static boolean possible(@Nullable Object one, @Nullable Object other) {
    if (one == null || other == null) {
      return one == other;
    }
    if (one instanceof byte[] bytes && other instanceof byte[] otherBytes) {
      return Arrays.equals(bytes, otherBytes);
    }
    if (one instanceof RowRecord record && other instanceof RowRecord otherRecord) {
      return Arrays.equals(record.sortKey(), otherRecord.sortKey())
          && Arrays.equals(record.value(), otherRecord.value())
          && record.expiryMillis() == otherRecord.expiryMillis();
    }
    if (one instanceof List<?> list && other instanceof List<?> otherList) {
      return possible(list, otherList);
    }
    boolean comparable =
        isPlainNumber(one)
            || one instanceof String
            || one instanceof Boolean
            || one instanceof Character
            || one instanceof Enum<?>;
    return !comparable || Objects.equals(one, other);
  }

  /** Not every number defines equality: an AtomicLong does not. */
  private static boolean isPlainNumber(Object object) {
    return object instanceof Number && object instanceof Comparable;
  }

  private static boolean possible(List<?> one, List<?> other) {
    if (one.size() != other.size()) {
      return false;
    }
    Iterator<?> others = other.iterator();
    for (Object element : one) {
      if (!possible(element, others.next())) {
        return false;
      }
    }
    return true;
  }
}
