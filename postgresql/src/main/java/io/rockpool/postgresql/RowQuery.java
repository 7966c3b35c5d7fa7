package io.rockpool.postgresql;

import io.rockpool.engine.Direction;
import io.rockpool.engine.SortRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Which records of a row a statement reads.
 *
 * @param condition what follows {@code WHERE} and the condition of the row
 * @param isExpiredShown whether expired records are included
 * @param parameters the parameters of the condition
 */
record RowQuery(String condition, boolean isExpiredShown, List<Object> parameters) {
  private static final String KEYS = "r.sort_key = ANY(?::bytea[])";

  static RowQuery keys(Collection<byte[]> sortKeys) {
    return new RowQuery(KEYS, false, List.of(array(sortKeys)));
  }

  static RowQuery counted(Collection<byte[]> sortKeys) {
    return new RowQuery(KEYS + " AND r.counted", true, List.of(array(sortKeys)));
  }

  static RowQuery range(SortRange range, Direction direction, long limit) {
    List<Object> parameters = new ArrayList<>();
    parameters.add(range.from());
    String condition = "r.sort_key >= ?";
    byte[] to = range.to();
    if (to != null) {
      condition += " AND r.sort_key < ?";
      parameters.add(to);
    }
    parameters.add(limit);
    String order = direction == Direction.FORWARD ? "ASC" : "DESC";
    return new RowQuery(
        condition + Parameters.withHiddenLimit(" ORDER BY r.sort_key " + order + " LIMIT ?"),
        false,
        parameters);
  }

  private static Object array(Collection<byte[]> sortKeys) {
    return Parameters.bytes(sortKeys, Function.identity());
  }
}
