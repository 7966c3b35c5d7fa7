package io.rockpool.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * Statements on one connection.
 *
 * @param <R> the type of the result
 */
@FunctionalInterface
@NullUnmarked // R may allow null
interface SqlWork<R extends @Nullable Object> {
  R run(Connection connection) throws SQLException;
}
