package io.rockpool.postgresql;

import io.rockpool.internal.engine.BoundRules;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The application's transaction, which Rockpool's operations join. */
interface JoinedRules extends BoundRules {
  /** Runs statements on the connection of the application's transaction. */
  <R extends @Nullable Object> R onConnection(SqlWork<R> work) throws SQLException;
}
