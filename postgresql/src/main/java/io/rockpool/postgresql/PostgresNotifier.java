package io.rockpool.postgresql;

import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Upkeep;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells the other handles that there are changes: one notification for all writes since the last
 * one, from its own thread. A notification inside each write's transaction would cost three
 * quarters of the throughput, because the server commits these one after the other.
 */
final class PostgresNotifier implements AutoCloseable {
  private static final String NAME = "rockpool-postgresql-notifier";

  /** The thread only runs what it is passed. */
  private static final Duration PERIOD = Duration.ofDays(1);

  /**
   * The shortest time between two notifications. Each costs the server half as much as a write, and
   * each other handle a look.
   */
  private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final PostgresDatabase database;
  private final BackgroundThread thread;
  private final AtomicBoolean due = new AtomicBoolean();

  /** When the last notification was sent; only the thread uses it. */
  private long sentNanos = System.nanoTime() - GAP_NANOS;

  PostgresNotifier(PostgresDatabase database, Upkeep upkeep) {
    this.database = database;
    this.thread = new BackgroundThread(NAME, PERIOD, () -> {}, upkeep);
  }

  /** Notes that something was committed. Does not wait. */
  void changed() {
    if (!due.get() && due.compareAndSet(false, true)) {
      boolean unused = thread.execute(this::send);
    }
  }

  private void send() {
    long left = GAP_NANOS - (System.nanoTime() - sentNanos);
    if (left > 0) {
      boolean unused = thread.rest(left); // a closed one sends at once
    }
    sentNanos = System.nanoTime();
    due.set(false);
    database.<Boolean>write(
        "A notification",
        connection -> {
          notify(connection);
          return true;
        });
  }

  private void notify(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(ServerDialect.notification(database.schema(), database.origin()));
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
