package io.rockpool.postgresql;

import io.rockpool.engine.Direction;
import io.rockpool.engine.SortRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which records of a row a statement reads.
 *
 * @param page the order of a query that {@link RecordStatements#page} begins; null for another one
 * @param condition what follows {@code WHERE} and the condition of the row, and ends the query
 * @param isExpiredShown whether expired records are included
 * @param parameters the parameters of the condition
 */
record RowQuery(
    @Nullable Direction page, String condition, boolean isExpiredShown, List<Object> parameters) {
  private static final String KEYS = "r.sort_key = ANY(?::bytea[])";

  private RowQuery(String condition, boolean isExpiredShown, List<Object> parameters) {
    this(null, condition, isExpiredShown, parameters);
  }

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

  /** A range that ends behind the value with which the values have {@code maxBytes}. */
  static RowQuery page(SortRange range, Direction direction, long limit, long maxBytes) {
    RowQuery all = range(range, direction, limit);
    List<Object> parameters = new ArrayList<>(all.parameters);
    parameters.add(maxBytes);
    return new RowQuery(
        direction,
        all.condition + ") r WHERE r.bytes_before < (SELECT ?::bigint)",
        false,
        parameters);
  }

  private static Object array(Collection<byte[]> sortKeys) {
    return Parameters.bytes(sortKeys, Function.identity());
  }
}
