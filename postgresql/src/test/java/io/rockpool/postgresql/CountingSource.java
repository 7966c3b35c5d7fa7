package io.rockpool.postgresql;

import java.sql.Connection;
import javax.sql.DataSource;

/**
 * A source that counts how often one thread waits for the server: statements, and the ends of
 * transactions.
 */
final class CountingSource extends ObservedSource {
  private final Thread thread = Thread.currentThread();
  private long roundTrips;

  CountingSource(DataSource real) {
    super(real);
  }

  /** The round trips of the thread that created this. */
  long roundTrips() {
    return roundTrips;
  }

  @Override
  void running(Connection connection, String sql) {
    roundTrips += Thread.currentThread() == thread ? 1 : 0;
  }

  @Override
  void ending(Connection connection, boolean commits) {
    running(connection, "");
  }
}
