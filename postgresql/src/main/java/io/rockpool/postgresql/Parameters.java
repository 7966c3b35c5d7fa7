package io.rockpool.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Prepares statements and sets their parameters. */
final class Parameters {
  private static final int MAX_HIDDEN_ELEMENTS = 100;
  private static final Pattern ARRAY = Pattern.compile("\\?::(\\w+)\\[\\]");

  private Parameters() {}

  /**
   * Hides a limit that is a parameter from the planner. If it sees it, a plan for a low limit looks
   * better than one for any; so it plans the statement each time, which takes longer than to run
   * it.
   */
  static String withHiddenLimit(String sql) {
    return sql.replace("LIMIT ?", "LIMIT (SELECT ?::bigint)");
  }

  /** The same for short arrays. The plan for a long one has to fit it. */
  private static String withHiddenArrays(String sql, @Nullable Object... parameters) {
    boolean any = false;
    for (Object parameter : parameters) {
      if (parameter instanceof Object[] array) {
        any = true;
        if (array.length > MAX_HIDDEN_ELEMENTS) {
          return sql;
        }
      }
    }
    return any ? ARRAY.matcher(sql).replaceAll("(SELECT ?::$1[])::$1[]") : sql;
  }

  /**
   * Prepares a statement.
   *
   * @param parameters numbers, booleans, strings, byte arrays and arrays of these; null is a byte
   *     array
   */
  static PreparedStatement prepare(
      Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(withHiddenArrays(sql, parameters));
    try {
      for (int i = 0; i < parameters.length; i++) {
        set(statement, i + 1, parameters[i]);
      }
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  private static void set(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, Types.BINARY);
    } else if (value instanceof Long number) {
      statement.setLong(index, number);
    } else if (value instanceof Integer number) {
      statement.setInt(index, number);
    } else if (value instanceof Boolean bool) {
      statement.setBoolean(index, bool);
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(index, bytes);
    } else if (value instanceof Object[] array) {
      statement.setArray(index, statement.getConnection().createArrayOf(typeOf(array), array));
    } else {
      statement.setString(index, (String) value);
    }
  }

  private static String typeOf(Object[] array) {
    if (array instanceof byte[][]) {
      return "bytea";
    }
    if (array instanceof Long[]) {
      return "bigint";
    }
    return array instanceof Boolean[] ? "boolean" : "text";
  }

  /** Runs a statement that returns one row with one number. */
  static long number(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getLong(1);
    }
  }

  /** Runs a statement that returns one row with one text. */
  static @Nullable String text(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getString(1);
    }
  }

  /** Runs a statement without a result; returns the number of rows it changed. */
  static int update(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  static <T> byte[][] bytes(Collection<T> elements, Function<T, byte @Nullable []> part) {
    return elements.stream().map(part).toArray(byte[][]::new);
  }

  static <T> Long[] numbers(Collection<T> elements, Function<T, Long> part) {
    return elements.stream().map(part).toArray(Long[]::new);
  }

  static <T> Boolean[] booleans(Collection<T> elements, Function<T, Boolean> part) {
    return elements.stream().map(part).toArray(Boolean[]::new);
  }
}
