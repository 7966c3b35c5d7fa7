package io.rockpool.postgresql;

import io.rockpool.engine.ChangeListener;
import io.rockpool.internal.engine.ChangeReports;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.store.Registration;
import io.rockpool.store.ServerState;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.core.BaseConnection;

/**
 * Reports what other handles write. Every write adds a row to the table of changes in its own
 * statement. A thread reads what has become visible since its last snapshot: transactions commit in
 * another order than they begin, so neither a sequence nor a time would find all of them. A
 * notification of another handle says when to look; looks at fixed times are the net.
 *
 * <p>Without a listener there is neither thread nor connection.
 */
final class PostgresFeed implements AutoCloseable {
  private static final String NAME = "rockpool-postgresql-changes";

  /** Its failures are not those of the listeners that it reports to. */
  private static final String READER = NAME + "-reader";

  /** The kinds of changes that concern a whole space: its records, and its end. */
  private static final int SPACE = 1;

  private static final int END = 2;

  /** How long the thread waits before it connects again. */
  private static final long RETRY_MILLIS = 200;

  /**
   * How long the server may take to answer a look, less what the look before has taken. A partition
   * ends no connection, so without this limit memory would serve old entries for as long as it
   * lasts.
   */
  private static final int SILENT_MILLIS = 2_000;

  /** How long only the looks at fixed times find changes, after the server could not listen. */
  private static final long LISTEN_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** How long a closing store may wait for a thread that waits for a notification. */
  private static final int SLICE_MILLIS = 25;

  private final PostgresDatabase database;
  private final Duration poll;

  /** Listening in a session of a pooler would notify other clients. */
  private final boolean sharesSessions;

  private final ChangeReports reports;
  private final Upkeep upkeep;
  private final String lookSql;
  private final String simpleLookSql;
  private final Map<Long, String> names = new HashMap<>();
  private final LongAdder connections = new LongAdder();
  private final LongAdder losses = new LongAdder();
  private final LongAdder changes = new LongAdder();
  private volatile @Nullable Thread thread;

  /** The connection of the first snapshot, until the thread has it. */
  private @Nullable Connection first;

  /** Whether the server answers, as far as the thread knows. */
  private volatile boolean connected = true;

  private volatile boolean closed;

  /** From when on the server is asked to listen; only the thread uses it. */
  private long listenNanos = System.nanoTime();

  /** The last snapshot whose changes were reported; null while the feed is lost. */
  private volatile @Nullable Seen seen;

  /**
   * A snapshot, and when its server was started. Behind a pooler, another server may answer without
   * a lost connection: a standby that was promoted uses numbers of transactions again.
   */
  private record Seen(String snapshot, String server) {}

  /** A change of another handle. The row is null unless one row was written. */
  private record Found(int kind, String space, @Nullable ByteBuffer hashKey) {}

  PostgresFeed(PostgresDatabase database, Duration poll, boolean sharesSessions, Upkeep upkeep) {
    this.database = database;
    this.poll = poll;
    this.sharesSessions = sharesSessions;
    this.upkeep = upkeep;
    this.reports = new ChangeReports(NAME, upkeep);
    lookSql = database.sql(ServerDialect.LOOK);
    simpleLookSql = database.sql(ServerDialect.SIMPLE_LOOK);
  }

  /** Adds a listener; the first one starts the feed. */
  synchronized Registration add(ChangeListener listener) {
    Registration registration = reports.add(listener);
    if (thread == null && !closed) {
      Thread created = new Thread(this::run, READER);
      created.setDaemon(true);
      created.setContextClassLoader(PostgresFeed.class.getClassLoader());
      created.start(); // it waits for the end of this method
      thread = created;
      try {
        Connection connection = connect();
        first = connection;
        seen = PostgresDatabase.run(connection, this::snapshot);
      } catch (Throwable e) {
        noteCut(e);
        losses.increment();
        reports.lost();
        noteFailure(e);
      }
    } else if (isLost()) {
      reports.lost();
    }
    return registration;
  }

  private boolean isLost() {
    return seen == null;
  }

  /**
   * The state of the connection; never waits.
   *
   * @param answers whether the server answers the other threads; it counts without a listener.
   *     Memory misses no report then
   */
  ServerState state(boolean answers) {
    boolean isUnused = thread == null;
    return new ServerState(
        isUnused ? answers : connected,
        isUnused || (connected && !isLost()),
        ServerState.Breaker.CLOSED,
        connections.sum(),
        losses.sum(),
        changes.sum(),
        0,
        0,
        0,
        0);
  }

  private Connection connect() throws SQLException {
    try {
      Connection connection = database.connect();
      connections.increment();
      return connection;
    } catch (Throwable e) {
      connected = false;
      throw e;
    }
  }

  /** Notes that the server does not answer, unless it has answered with an error. */
  private void noteCut(Throwable e) {
    if (e instanceof SQLException failure && SqlErrors.isCutOff(failure)) {
      connected = false;
    }
  }

  private void noteFailure(Throwable e) {
    upkeep.failed(
        READER,
        e instanceof SQLException failure
            ? PostgresDatabase.failure("Following the changes of other processes", failure)
            : e);
  }

  private Seen snapshot(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(ServerDialect.SNAPSHOT)) {
      result.next();
      return new Seen(result.getString(1), result.getString(2));
    }
  }

  private void run() {
    try {
      while (!closed) {
        try (Connection connection = next()) {
          follow(connection);
        } catch (Throwable e) {
          if (!closed) {
            lost();
            noteFailure(e);
            rest();
          }
        }
      }
    } finally {
      lost();
    }
  }

  /**
   * The first snapshot is followed on its own connection. Another one may lead to a standby that
   * was promoted meanwhile, which uses numbers again that the snapshot has seen.
   */
  private Connection next() throws SQLException {
    Connection connection;
    synchronized (this) {
      connection = first;
      first = null;
    }
    return connection == null ? connect() : connection;
  }

  private void rest() {
    try {
      Thread.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      // Only close() ends this thread, and it has set its flag.
    }
  }

  /** Reports a loss, even if the heap is too full for it at first: memory would stay trusted. */
  private void lost() {
    while (!closed && !isLossReported()) {
      rest();
    }
  }

  private synchronized boolean isLossReported() {
    try {
      if (seen != null) {
        reports.lost();
        losses.increment();
        seen = null;
      }
      return true;
    } catch (Throwable e) {
      return false;
    }
  }

  private void follow(Connection connection) throws SQLException {
    BaseConnection notified = connection.unwrap(BaseConnection.class);
    int timeout = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, SILENT_MILLIS);
    try {
      PostgresDatabase.<Boolean>run(
          connection,
          on -> {
            look(on, notified);
            return true;
          });
    } catch (Throwable e) {
      // At once: closing a broken connection may wait for the same timeout.
      noteCut(e);
      lost();
      throw e;
    } finally {
      if (!connection.isClosed() && !notified.isClosed()) { // a pool does not see an abort
        execute(connection, ServerDialect.unlisten(database.schema()));
        connection.setNetworkTimeout(Runnable::run, timeout);
      }
    }
  }

  /** Looks until the feed is closed. */
  private void look(Connection connection, PGConnection notified) throws SQLException {
    listen(connection);
    long looked = System.nanoTime();
    regain(connection);
    while (!closed) {
      // A look shows what was committed at its beginning, however late its answer arrives.
      long looking = System.nanoTime();
      report(connection, leftMillis(looking - looked));
      looked = looking;
      upkeep.succeeded(READER);
      awaitNotification(notified);
    }
  }

  /**
   * Listens, unless the server did not answer that a moment ago. It first reads what other sessions
   * have yet to hear, and continues when its client has gone: each connection that tried it would
   * leave a session behind.
   */
  private void listen(Connection connection) throws SQLException {
    long begun = System.nanoTime();
    if (listenNanos - begun > 0) {
      return;
    }
    try {
      execute(connection, ServerDialect.listen(database.schema()));
    } catch (SQLException e) {
      if (System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(SILENT_MILLIS) / 2) {
        listenNanos = begun + LISTEN_AGAIN_NANOS;
      }
      throw e;
    }
  }

  private void execute(Connection connection, String listening) throws SQLException {
    if (!sharesSessions) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(listening);
      }
    }
  }

  /** Waits until another handle has written, or it is time to look, or the feed is closed. */
  private void awaitNotification(PGConnection notified) throws SQLException {
    long end = System.nanoTime() + poll.toNanos();
    int left = (int) poll.toMillis();
    while (left > 0 && !closed) {
      PGNotification[] found = notified.getNotifications(Math.min(left, SLICE_MILLIS));
      if (found != null && !Stream.of(found).allMatch(this::isOwn)) {
        return;
      }
      left = (int) TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
  }

  private boolean isOwn(PGNotification notification) {
    return notification.getParameter().equals(Long.toString(database.origin()));
  }

  /** How long an answer may take after the look before has begun. */
  private int leftMillis(long sinceNanos) {
    long left = SILENT_MILLIS + poll.toMillis() - TimeUnit.NANOSECONDS.toMillis(sinceNanos);
    return (int) Math.max(1, left);
  }

  /** The first look is a trial: if it failed later, memory would be dropped once more. */
  private void regain(Connection connection) throws SQLException {
    if (isLost()) {
      Seen now = snapshot(connection);
      try (PreparedStatement look = prepare(connection, now, database.origin(), SILENT_MILLIS)) {
        changes(look).close();
      }
      connected = true;
      synchronized (this) {
        seen = now;
        reports.regained();
      }
    }
  }

  /**
   * Prepares a look.
   *
   * @param origin the handle whose changes are left out
   * @param millis how long it may take. The server ends it earlier: a session that waits for a lock
   *     does not notice that its client has gone.
   */
  private PreparedStatement prepare(Connection connection, Seen since, long origin, int millis)
      throws SQLException {
    connection.setNetworkTimeout(Runnable::run, millis);
    int serverMillis = Math.max(1, Math.min(millis, SILENT_MILLIS) * 3 / 4);
    return Parameters.prepare(
        connection,
        PostgresDatabase.isSimple(connection.unwrap(BaseConnection.class))
            ? simpleLookSql
            : lookSql,
        Integer.toString(serverMillis),
        since.snapshot,
        origin);
  }

  private void report(Connection connection, int millis) throws SQLException {
    Seen since = seen;
    if (since == null) {
      return;
    }
    long origin = database.origin();
    List<Found> found = new ArrayList<>();
    Set<Long> ended = new HashSet<>();
    boolean isIncomplete = false;
    Seen next = since;
    try (PreparedStatement look = prepare(connection, since, origin, millis);
        ResultSet result = changes(look)) {
      while (result.next()) {
        next = new Seen(result.getString(1), result.getString(7));
        isIncomplete |= result.getBoolean(2);
        read(result, found, ended);
      }
    }
    if (origin != database.origin()) {
      return; // the next look has what this one left out
    }
    names.keySet().removeAll(ended);
    isIncomplete |= !next.server.equals(since.server);
    synchronized (this) {
      seen = next;
    }
    changes.add(found.size());
    if (isIncomplete) {
      losses.increment();
      reports.report(ChangeListener::feedLost);
      reports.regained();
    } else {
      pass(found);
    }
  }

  /** Runs a look and returns its changes. */
  static ResultSet changes(PreparedStatement look) throws SQLException {
    boolean isSimple = !look.execute(); // its first result is that of BEGIN
    if (isSimple) {
      look.getMoreResults();
    }
    look.getMoreResults();
    return Objects.requireNonNull(look.getResultSet());
  }

  private void read(ResultSet result, List<Found> found, Set<Long> ended) throws SQLException {
    long space = result.getLong(3);
    if (result.wasNull()) {
      return;
    }
    int kind = result.getInt(4);
    if (kind == END) {
      ended.add(space);
    }
    String name = result.getString(6);
    if (name != null) {
      names.put(space, name);
    } else {
      // A space that has ended since; the report of its end follows.
      name = names.get(space);
    }
    if (name != null) {
      byte[] hashKey = result.getBytes(5);
      found.add(new Found(kind, name, hashKey == null ? null : ByteBuffer.wrap(hashKey)));
    }
  }

  /** Reports each row once, and none of a space that is reported as a whole. */
  private void pass(List<Found> found) {
    Set<String> whole = new HashSet<>();
    for (Found change : found) {
      if (change.kind == SPACE && whole.add(change.space)) {
        pass(listener -> listener.spaceChanged(change.space));
      }
    }
    Set<Object> rows = new HashSet<>();
    for (Found change : found) {
      ByteBuffer hashKey = change.hashKey;
      if (change.kind == END) {
        pass(listener -> listener.spaceEnded(change.space));
      } else if (hashKey != null
          && !whole.contains(change.space)
          && rows.add(List.of(change.space, hashKey))) {
        byte[] row = new byte[hashKey.remaining()];
        hashKey.duplicate().get(row);
        pass(listener -> listener.rowChanged(change.space, row));
      }
    }
  }

  private void pass(Consumer<ChangeListener> change) {
    reports.report(change);
  }

  /** Ends the reports and the thread. */
  @Override
  public void close() {
    Thread running;
    synchronized (this) {
      closed = true;
      running = thread;
    }
    boolean interrupted = false;
    while (running != null && running.isAlive()) {
      try {
        running.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    closeFirst();
    reports.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the connection that the thread has not taken. */
  private synchronized void closeFirst() {
    try (Connection connection = first) {
      first = null;
    } catch (SQLException e) {
      // It is lost.
    }
  }
}
