package io.rockpool.postgresql;

import io.rockpool.engine.Layout;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.internal.engine.RunningCalls;
import io.rockpool.internal.engine.TransactionNotes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of a transaction over several rows: changes are in memory until the commit, which locks
 * all rows that were read or changed, in one order, and fails if one of them has changed since it
 * was read. Confined to one thread.
 */
final class PostgresTransaction implements RunningCalls.Run, Connections {
  private final PostgresEngine engine;
  private final TransactionNotes notes;
  private final @Nullable BoundRules rules;
  private final TransactionConnection connection;
  private final long nowMillis;
  private final Map<Long, SpaceRows> spaces = new TreeMap<>();
  private final Thread thread = Thread.currentThread();
  private boolean doomed;

  /** Rows that an earlier run has used, to lock before the first read; none after that. */
  private List<SpaceRows> toLock = List.of();

  /** Why a doomed run is not repeated; null if it is. */
  private @Nullable RuntimeException failure;

  /** Finds the transaction again whose commit applies the changes that were sent. */
  private @Nullable CommitMark mark;

  private volatile boolean ended;

  /** The rows of one space that this run uses, sorted by hash key. */
  record SpaceRows(long id, String name, Layout layout, Map<byte[], PostgresRow> rows) {}

  /** A run of {@code atomically}, or with rules the only run of a bound transaction. */
  PostgresTransaction(PostgresEngine engine, TransactionNotes notes, @Nullable BoundRules rules) {
    this.engine = engine;
    this.notes = notes;
    this.rules = rules;
    this.connection =
        rules instanceof JoinedRules joined
            ? new TransactionConnection.Joined(joined, engine.sameDatabase())
            : new TransactionConnection.Own(engine.database());
    this.nowMillis = engine.nowMillis();
  }

  PostgresEngine engine() {
    return engine;
  }

  /** Locks the rows of an earlier run before the first read, so that others cannot change them. */
  void lockFirst(List<SpaceRows> rows) {
    toLock = rows;
  }

  /** What the next run locks: the rows of this one, or if they could not be locked, the same. */
  List<SpaceRows> rowsOfRun() {
    return toLock.isEmpty() ? used() : toLock;
  }

  private void lockRows(Connection on) throws SQLException {
    if (!toLock.isEmpty()) {
      lock(on, Layout.ROWS, "heads");
      lock(on, Layout.ENTRIES, "entries");
      toLock = List.of();
    }
  }

  private void lock(Connection on, Layout layout, String table) throws SQLException {
    List<Long> ids = new ArrayList<>();
    List<byte[]> hashKeys = new ArrayList<>();
    for (SpaceRows space : toLock) {
      if (space.layout == layout) {
        hashKeys.addAll(space.rows.keySet());
        ids.addAll(Collections.nCopies(space.rows.size(), space.id));
      }
    }
    if (!ids.isEmpty()) {
      String sql =
          "SELECT count(*) FROM (SELECT FROM unnest(?::bigint[], ?::bytea[]) AS i(s, h)"
              + " JOIN $.spaces s ON s.id = i.s JOIN $."
              + table
              + " t ON t.generation = s.generation AND t.hash_key = i.h"
              + " ORDER BY t.generation, t.hash_key FOR UPDATE OF t) locked";
      Parameters.number(
          on,
          engine.database().sql(sql),
          ids.toArray(Long[]::new),
          hashKeys.toArray(byte[][]::new));
    }
  }

  /** Whether it has one run, which a thread ends by a call. It locks no row before that. */
  boolean isBound() {
    return rules != null;
  }

  TransactionNotes notes() {
    return notes;
  }

  long nowMillis() {
    return nowMillis;
  }

  /** Whether the run cannot be committed and must be repeated, even if it threw. */
  boolean isRepeated() {
    return doomed && failure == null;
  }

  /** Throws what ended the run, even if user code has caught it. */
  void checkNotFailed() {
    if (failure != null) {
      throw failure;
    }
  }

  /** The operations on a space inside this transaction. */
  JoinedSpace space(long id, String name, Layout layout) {
    checkRunning();
    SpaceRows rows =
        spaces.computeIfAbsent(
            id, any -> new SpaceRows(id, name, layout, new TreeMap<>(Arrays::compareUnsigned)));
    return new JoinedSpace(hashKey -> row(rows, hashKey), notes, this::checkRunning);
  }

  private PostgresRow row(SpaceRows space, byte[] hashKey) {
    if (rules != null) {
      rules.checkTime();
    }
    PostgresRow row = space.rows.get(hashKey);
    if (row == null) {
      byte[] key = hashKey.clone();
      RecordStatements.Scope at = new RecordStatements.Scope(space.id, nowMillis, engine.origin());
      RowSource source = engine.statements(space.layout).reads(readsOf(space), at, key);
      row = new PostgresRow(key, space.name, space.layout, source, nowMillis, notes);
      space.rows.put(key, row);
    }
    return row;
  }

  /** Reads of a space: without a generation, the run ends and the space is renewed. */
  private Connections readsOf(SpaceRows space) {
    return new Connections() {
      @Override
      public <R extends @Nullable Object> R read(SqlWork<R> work) {
        try {
          return PostgresTransaction.this.read(work);
        } catch (NoGeneration e) {
          doomed = true;
          // Its own connection first: a second one could wait for the pool.
          connection.end();
          try {
            engine.renew(space.id, space.name, nowMillis, false, null);
          } catch (RuntimeException ended) {
            failure = ended;
            throw ended;
          }
          throw conflict("A name expired or was created after the transaction had begun");
        }
      }

      @Override
      public RuntimeException conflict(String what) {
        return PostgresTransaction.this.conflict(what);
      }
    };
  }

  /** The exception that ends a run that cannot be committed. */
  @Override
  public RuntimeException conflict(String what) {
    doomed = true;
    return rules == null
        ? new RunConflict(what + "; the transaction runs again.")
        : rules.conflict(what + ". Nothing was changed; run it again.");
  }

  @Override
  public <R extends @Nullable Object> R read(SqlWork<R> work) {
    checkRunning();
    if (doomed) {
      checkNotFailed();
      throw conflict("Another transaction changed the same data");
    }
    try {
      return connection.run(
          on -> {
            lockRows(on);
            return work.run(on);
          });
    } catch (SQLException e) {
      if (SqlErrors.isConflict(e)) {
        throw conflict("Another transaction changed the same data");
      }
      throw failed(e);
    }
  }

  private RuntimeException failed(SQLException e) {
    RuntimeException failed = PostgresDatabase.failure("A read in a transaction", e);
    if (connection instanceof TransactionConnection.Own) {
      // The server has ended the transaction, so nothing of it can commit. An application may
      // return to a savepoint.
      doomed = true;
      failure = failed;
    }
    return failed;
  }

  /**
   * Applies all changes.
   *
   * @return false if what was read or changed has changed since; then the work must run again
   */
  boolean commit() {
    TransactionConnection.Own own = (TransactionConnection.Own) connection;
    try {
      if (!send()) {
        return false;
      }
      if (mark != null) {
        own.commit();
        engine.changed();
      }
      return true;
    } catch (NoGeneration e) {
      own.end();
      for (SpaceRows space : used()) {
        engine.renew(space.id, space.name, nowMillis, false, null);
      }
      return false;
    } catch (SQLException e) {
      if (SqlErrors.isConflict(e)) {
        return false;
      }
      if (mark == null || !SqlErrors.isCutOff(e)) {
        throw PostgresDatabase.failure("A transaction", e);
      }
      return isCommitted(engine.database().unknown("A transaction", e));
    }
  }

  private List<SpaceRows> used() {
    return spaces.values().stream().filter(space -> !space.rows.isEmpty()).toList();
  }

  /**
   * Sends all changes to the server, without a commit. The run must not be used any more.
   *
   * @return false if what was read or changed has changed since; then the work must run again
   */
  boolean send() throws SQLException {
    checkNotFailed();
    if (doomed) {
      return false;
    }
    List<SpaceRows> used = used();
    boolean isChanged =
        used.stream()
            .anyMatch(space -> space.rows.values().stream().anyMatch(PostgresRow::hasChanges));
    if (isChanged) {
      PostgresLimits.checkCommit(
          used.stream()
              .flatMap(space -> space.rows.values().stream())
              .mapToLong(PostgresRow::changedBytes)
              .sum());
      boolean isOneSnapshot = connection.isOneSnapshot();
      mark =
          connection.run(
              c -> new TransactionCommit(engine, c, nowMillis, isOneSnapshot).apply(used));
    }
    endRows();
    return !isChanged || mark != null;
  }

  /**
   * Whether the transaction of the changes that were sent has committed; asks the server.
   *
   * @throws OutcomeUnknownException if the server cannot be asked
   */
  boolean isCommitted(OutcomeUnknownException unknown) {
    CommitMark sent = mark;
    if (sent == null) {
      return false;
    }
    boolean committed = new Settlement(engine.database()).isCommitted(unknown, sent);
    engine.changed();
    return committed;
  }

  /** Notes that the changes that were sent have been committed. */
  void applied() {
    if (mark != null) {
      engine.changed();
    }
  }

  private void endRows() {
    ended = true;
    spaces.values().forEach(space -> space.rows.values().forEach(PostgresRow::end));
  }

  @Override
  public void end() {
    endRows();
    connection.end();
  }

  private void checkRunning() {
    if (ended
        && Thread.currentThread() == thread
        && connection instanceof TransactionConnection.Joined) {
      throw new IllegalStateException(
          "The store was used while the application's transaction commits, or after it. The store's"
              + " changes are sent just before the commit: use it before. With JPA,"
              + " EntityManager.flush() calls the listeners of entities.");
    }
    if (ended || Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "A cursor or a space was used after the end of the transaction, or by another thread;"
              + " use it inside only.");
    }
  }
}
