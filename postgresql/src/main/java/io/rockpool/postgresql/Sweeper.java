package io.rockpool.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what no reader sees any longer: expired records, and the generations that clears and
 * drops ended. Each step is one transaction of limited size. One handle of a store sweeps at a
 * time: its owner, until it has been silent for half a minute.
 */
final class Sweeper {
  private static final int STEP_RECORDS = 5_000;

  /** For how long a handle may be away and still find all changes. */
  private static final long KEEP_CHANGES_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final PostgresDatabase database;
  private final String lock;
  private final long owner = PostgresDatabase.token();
  private final String own;
  private final String due;
  private final String lockHeads;
  private final String sweepRecords;
  private final String sweepEntries;
  private final String dead;
  private final String unused;
  private final String forget;
  private final String pruned;
  private final String prune;
  private @Nullable Mark mark;

  Sweeper(PostgresDatabase database) {
    this.database = database;
    lock = ServerDialect.LOCK + ", (" + ServerDialect.WAIT_SECONDS + ") w";
    own =
        database.sql(
            "UPDATE $.store SET owner = ?, owned_until = clock_timestamp() + interval '30 seconds'"
                + " WHERE owner = ? OR owned_until < clock_timestamp()");
    due =
        database.sql(
            "SELECT DISTINCT generation, hash_key FROM (SELECT generation, hash_key"
                + " FROM $.records WHERE expiry <= ? ORDER BY expiry LIMIT "
                + STEP_RECORDS
                + ") r ORDER BY 1, 2");
    String keys = "unnest(?::bigint[], ?::bytea[]) AS i(g, h)";
    lockHeads =
        database.sql(
            "SELECT count(*) FROM (SELECT 1 FROM $.heads h JOIN "
                + keys
                + " ON h.generation = i.g AND h.hash_key = i.h"
                + " ORDER BY h.generation, h.hash_key FOR UPDATE OF h) locked");
    sweepRecords =
        database.sql(
            "WITH d AS (DELETE FROM $.records r USING "
                + keys
                + " WHERE r.generation = i.g AND r.hash_key = i.h AND r.expiry <= ?"
                + " RETURNING r.generation, r.hash_key, r.counted),"
                + " x AS (SELECT generation, hash_key, count(*) FILTER (WHERE counted) AS n FROM d"
                + " GROUP BY 1, 2),"
                + " u AS (UPDATE $.heads h SET revision = ?, count = h.count - x.n FROM x"
                + " WHERE h.generation = x.generation AND h.hash_key = x.hash_key)"
                + " SELECT count(*) FROM d");
    // A lease on an absent entry has the negative time of its end as its expiry.
    sweepEntries =
        database.sql(
            "WITH d AS (SELECT generation, hash_key FROM $.entries"
                + " WHERE expiry BETWEEN ? AND ?"
                + " ORDER BY expiry LIMIT "
                + STEP_RECORDS
                + " FOR UPDATE SKIP LOCKED),"
                + " r AS (DELETE FROM $.entries e USING d WHERE e.generation = d.generation"
                + " AND e.hash_key = d.hash_key AND e.expiry BETWEEN ? AND ? RETURNING 1)"
                + " SELECT count(*) FROM r");
    dead = database.sql("SELECT generation, layout FROM $.dead ORDER BY generation");
    unused = database.sql(ServerDialect.UNUSED_GENERATION);
    forget = database.sql("DELETE FROM $.dead WHERE generation = ?");
    pruned = database.sql(ServerDialect.NOTE_PRUNED);
    prune =
        database.sql(
            ServerDialect.deleteSome("changes", ServerDialect.OLDER_CHANGES, STEP_RECORDS));
  }

  /** The oldest transaction that ran at a time: changes of earlier ones are to be deleted. */
  private record Mark(String xid, long nanos) {}

  private record DeadGeneration(long generation, boolean isOfRows) {}

  /** Deletes expired records of rows; returns how many. */
  long sweepRecords(long nowMillis) {
    return repeat(() -> sweepSomeRecords(nowMillis));
  }

  /** Deletes expired entries; returns how many. */
  long sweepEntries(long nowMillis) {
    return repeat(
        () ->
            step(
                connection ->
                    number(
                        connection, sweepEntries, -nowMillis, nowMillis, -nowMillis, nowMillis)));
  }

  private static long repeat(LongSupplier step) {
    long all = 0;
    long deleted;
    do {
      deleted = step.getAsLong();
      all += deleted;
    } while (deleted > 0);
    return all;
  }

  /** Makes this handle the owner if there is none, or for longer; returns whether it is. */
  boolean own() {
    return database.transaction(
        "Electing the owner of the store",
        connection -> Parameters.update(connection, own, owner, owner) > 0);
  }

  /**
   * Lets the server look at tables that have grown to twice their size since it last did. Plans
   * that it keeps for a small table read all of it. Its own autovacuum comes after a minute.
   */
  void analyzeGrown() {
    List<String> grown =
        database.read(
            connection -> {
              List<String> tables = new ArrayList<>();
              try (PreparedStatement statement =
                      Parameters.prepare(connection, ServerDialect.GROWN, database.schema());
                  ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                  tables.add(result.getString(1));
                }
              }
              return tables;
            });
    for (String table : grown) {
      database.write(
          "Analyzing a table",
          connection -> Parameters.update(connection, database.sql(ServerDialect.ANALYZE + table)));
    }
  }

  /** Deletes changes that are older than two minutes. */
  void pruneChanges() {
    pruneChanges(System.nanoTime());
  }

  synchronized void pruneChanges(long nowNanos) {
    Mark known = mark;
    if (known != null && nowNanos - known.nanos < KEEP_CHANGES_NANOS) {
      return;
    }
    if (known != null) {
      step(connection -> (long) Parameters.update(connection, pruned, known.xid, known.xid));
      long unused =
          repeat(() -> step(connection -> (long) Parameters.update(connection, prune, known.xid)));
    }
    String oldest =
        database.read(
            connection ->
                Objects.requireNonNull(
                    Parameters.text(connection, ServerDialect.OLDEST_TRANSACTION)));
    mark = new Mark(oldest, nowNanos);
  }

  /** How many generations wait to be deleted. */
  long pendingClears(Connection connection) throws SQLException {
    return number(connection, database.sql("SELECT count(*) FROM $.dead"));
  }

  /** For how long the oldest expired record of a row waits. */
  long overdueMillis(Connection connection, long nowMillis) throws SQLException {
    return number(
        connection,
        database.sql(
            "SELECT greatest(0, ? - coalesce(min(expiry), ?)) FROM $.records WHERE expiry <= ?"),
        nowMillis,
        nowMillis,
        nowMillis);
  }

  /** About how many bytes the tables and indexes use. */
  long diskBytes(Connection connection) throws SQLException {
    return number(
        connection,
        "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c"
            + " WHERE c.relnamespace = ?::regnamespace AND c.relkind = 'r'",
        database.schema());
  }

  private String lockName() {
    return "rockpool sweep " + database.schema();
  }

  private long step(SqlWork<Long> work) {
    return database.transaction(
        "Sweeping",
        connection -> {
          number(connection, lock, lockName());
          return work.run(connection);
        });
  }

  private static long number(Connection connection, String sql, Object... parameters)
      throws SQLException {
    return Parameters.number(connection, sql, parameters);
  }

  private long sweepSomeRecords(long nowMillis) {
    return step(
        connection -> {
          List<Long> generations = new ArrayList<>();
          List<byte[]> hashKeys = new ArrayList<>();
          try (PreparedStatement statement = Parameters.prepare(connection, due, nowMillis);
              ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              generations.add(result.getLong(1));
              hashKeys.add(result.getBytes(2));
            }
          }
          if (generations.isEmpty()) {
            return 0L;
          }
          Long[] g = generations.toArray(Long[]::new);
          byte[][] h = hashKeys.toArray(byte[][]::new);
          number(connection, lockHeads, g, h);
          return number(connection, sweepRecords, g, h, nowMillis, PostgresDatabase.token());
        });
  }

  /** Deletes the records of generations that have ended; returns how many have none left. */
  long sweepDead() {
    List<DeadGeneration> found =
        database.read(
            connection -> {
              List<DeadGeneration> all = new ArrayList<>();
              try (PreparedStatement statement = connection.prepareStatement(dead);
                  ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                  all.add(new DeadGeneration(result.getLong(1), result.getInt(2) == 0));
                }
              }
              return all;
            });
    return found.stream().filter(this::sweep).count();
  }

  /** Deletes the records of a generation; returns whether there will be no others. */
  private boolean sweep(DeadGeneration dead) {
    long generation = dead.generation;
    boolean isUnused = database.read(connection -> number(connection, unused, generation)) > 0;
    delete(dead);
    return isUnused
        && step(connection -> (long) Parameters.update(connection, forget, generation)) > 0;
  }

  private void delete(DeadGeneration dead) {
    List<String> tables = dead.isOfRows ? List.of("records", "heads") : List.of("entries");
    for (String table : tables) {
      String sql = database.sql(ServerDialect.deleteSome(table, "generation = ?", STEP_RECORDS));
      long unused =
          repeat(
              () -> step(connection -> (long) Parameters.update(connection, sql, dead.generation)));
    }
  }
}
