package io.rockpool.postgresql;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The application's connections without Spring's proxy that gives out the connection of the running
 * transaction: the engine commits by itself, and so it would commit the application's work.
 */
final class DirectSource {
  private static final String SPRING = "org.springframework.jdbc.datasource.";
  private static final String BOUND = SPRING + "TransactionAwareDataSourceProxy";
  private static final String DELEGATING = SPRING + "DelegatingDataSource";

  /** Loaded only if the application has Spring. */
  private static final class Spring {
    static @Nullable DataSource target(DataSource source) {
      return ((DelegatingDataSource) source).getTargetDataSource();
    }
  }

  private DirectSource() {}

  /**
   * Returns a source that gives out connections of their own.
   *
   * @throws IllegalArgumentException if the proxy is inside of another one
   */
  static DataSource of(DataSource source) {
    DataSource outer = source;
    while (is(outer, BOUND)) {
      DataSource target = Spring.target(outer);
      if (target == null) {
        return outer;
      }
      outer = target;
    }
    for (DataSource inner = outer; inner != null && is(inner, DELEGATING); ) {
      inner = Spring.target(inner);
      if (inner != null && is(inner, BOUND)) {
        throw new IllegalArgumentException(
            "The DataSource "
                + outer.getClass().getName()
                + " has a TransactionAwareDataSourceProxy inside, whose connections are those of the"
                + " application's transactions. Give the engine a DataSource without it.");
      }
    }
    return outer;
  }

  private static boolean is(DataSource source, String name) {
    for (Class<?> type = source.getClass(); type != null; type = type.getSuperclass()) {
      if (type.getName().equals(name)) {
        return true;
      }
    }
    return false;
  }
}
