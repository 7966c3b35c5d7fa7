package io.rockpool.postgresql;

import io.rockpool.engine.Layout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The statements that end a transaction over several rows, on its connection. In a transaction of
 * one snapshot each fails with 40001 if it meets something that was changed since. In another one,
 * {@link ReadCheck} first locks all rows and compares them with what was read.
 */
final class TransactionCommit {
  private final PostgresEngine engine;
  private final Connection connection;
  private final long nowMillis;
  private final boolean isOneSnapshot;

  /** The version of entries, and the revision of heads, that are deleted before the commit. */
  private final long placeholder = -PostgresDatabase.token();

  /** Each row that was read or changed, and the generation of its space. */
  record Used(long generation, long space, PostgresRow row) {
    byte[] hashKey() {
      return row.hashKey();
    }
  }

  /** Each change, with its row. */
  private record Changed(Used used, RowChange change) {}

  TransactionCommit(
      PostgresEngine engine, Connection connection, long nowMillis, boolean isOneSnapshot) {
    this.engine = engine;
    this.connection = connection;
    this.nowMillis = nowMillis;
    this.isOneSnapshot = isOneSnapshot;
  }

  /**
   * Applies the changes.
   *
   * @return the mark of the transaction, which is still to commit; null if something that was read
   *     has changed since
   */
  @Nullable CommitMark apply(List<PostgresTransaction.SpaceRows> spaces) throws SQLException {
    Map<Long, Long> generations = lockSpaces(spaces);
    if (generations.size() < spaces.size()) {
      renew(spaces, generations);
      generations = lockSpaces(spaces);
    }
    List<Used> rows = used(spaces, Layout.ROWS, generations);
    List<Used> entries = used(spaces, Layout.ENTRIES, generations);
    if (!isOneSnapshot
        && !new ReadCheck(engine.database(), connection, placeholder).holds(rows, entries)) {
      return null;
    }
    if (!rows.isEmpty()) {
      applyRows(rows);
    }
    if (!entries.isEmpty()) {
      applyEntries(entries);
    }
    List<Used> changed = new ArrayList<>(rows);
    changed.addAll(entries);
    changed.removeIf(used -> !used.row.hasChanges());
    Parameters.update(
        connection,
        sql(
            "INSERT INTO $.changes (origin, space, kind, hash_key)"
                + " SELECT ?, c.s, 0, c.h FROM unnest(?::bigint[], ?::bytea[]) AS c(s, h)"),
        engine.origin(),
        Parameters.numbers(changed, Used::space),
        Parameters.bytes(changed, Used::hashKey));
    return CommitMark.add(connection, engine.database());
  }

  private String sql(String statement) {
    return engine.database().sql(statement);
  }

  /** Shares a lock of each space with other transactions; a clear or drop waits. */
  private Map<Long, Long> lockSpaces(List<PostgresTransaction.SpaceRows> spaces)
      throws SQLException {
    Map<Long, Long> generations = new HashMap<>();
    try (PreparedStatement statement =
            Parameters.prepare(
                connection,
                sql(
                    "SELECT id, generation FROM $.spaces WHERE id = ANY(?::bigint[]) AND expires > ?"
                        + " ORDER BY id FOR SHARE"),
                Parameters.numbers(spaces, PostgresTransaction.SpaceRows::id),
                nowMillis);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        generations.put(result.getLong(1), result.getLong(2));
      }
    }
    return generations;
  }

  /** Renews expired spaces in this transaction, if it sees what others have committed. */
  private void renew(List<PostgresTransaction.SpaceRows> spaces, Map<Long, Long> generations)
      throws SQLException {
    if (isOneSnapshot) {
      throw new NoGeneration();
    }
    for (PostgresTransaction.SpaceRows space : spaces) {
      if (!generations.containsKey(space.id())) {
        engine.catalog().renew(connection, space.id(), space.name(), nowMillis);
      }
    }
  }

  private static List<Used> used(
      List<PostgresTransaction.SpaceRows> spaces, Layout layout, Map<Long, Long> generations) {
    List<Used> used = new ArrayList<>();
    for (PostgresTransaction.SpaceRows space : spaces) {
      if (space.layout() == layout) {
        long generation = generations.getOrDefault(space.id(), 0L);
        space.rows().values().stream()
            .filter(row -> row.hasChanges() || row.source().isPinned())
            .forEach(row -> used.add(new Used(generation, space.id(), row)));
      }
    }
    return used;
  }

  private static List<Changed> changes(List<Used> rows) {
    List<Changed> changes = new ArrayList<>();
    rows.forEach(
        used -> used.row.changes().forEach(change -> changes.add(new Changed(used, change))));
    return changes;
  }

  private void applyRows(List<Used> rows) throws SQLException {
    List<Changed> changes = changes(rows);
    long[] deltas = deltas(rows, changes);
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      indexes.add(i);
    }
    // A head that was only read keeps its revision: it is locked, or a placeholder holds its place.
    Parameters.update(
        connection,
        sql(
            "INSERT INTO $.heads AS h (generation, hash_key, revision, count)"
                + " SELECT * FROM unnest(?::bigint[], ?::bytea[], ?::bigint[], ?::bigint[])"
                + " AS i(g, h, r, n) ORDER BY i.g, i.h"
                + " ON CONFLICT (generation, hash_key) DO UPDATE SET revision = excluded.revision,"
                + " count = h.count + excluded.count WHERE excluded.revision > 0"),
        Parameters.numbers(rows, Used::generation),
        Parameters.bytes(rows, Used::hashKey),
        Parameters.numbers(
            rows, used -> used.row.hasChanges() ? PostgresDatabase.token() : placeholder),
        Parameters.numbers(indexes, i -> deltas[i]));
    put(
        "INSERT INTO $.records (generation, hash_key, sort_key, expiry, counted, value)"
            + " SELECT * FROM unnest(?::bigint[], ?::bytea[], ?::bytea[], ?::bigint[],"
            + " ?::boolean[], ?::bytea[])"
            + " ON CONFLICT (generation, hash_key, sort_key) DO UPDATE SET"
            + " expiry = excluded.expiry, counted = excluded.counted, value = excluded.value",
        changes);
    List<Changed> deletes =
        changes.stream().filter(changed -> changed.change.value() == null).toList();
    if (!deletes.isEmpty()) {
      Parameters.update(
          connection,
          sql(
              "DELETE FROM $.records r USING unnest(?::bigint[], ?::bytea[], ?::bytea[])"
                  + " AS i(g, h, k)"
                  + " WHERE r.generation = i.g AND r.hash_key = i.h AND r.sort_key = i.k"),
          Parameters.numbers(deletes, changed -> changed.used.generation),
          Parameters.bytes(deletes, changed -> changed.used.hashKey()),
          Parameters.bytes(deletes, changed -> changed.change.sortKey()));
    }
    deletePlaceholders(rows);
  }

  /** Deletes the heads that held the places of absent rows which were only read. */
  private void deletePlaceholders(List<Used> rows) throws SQLException {
    List<Used> absent =
        rows.stream()
            .filter(used -> !used.row.hasChanges() && used.row.source().revision() == null)
            .toList();
    if (!absent.isEmpty()) {
      Parameters.update(
          connection,
          sql(
              "DELETE FROM $.heads h USING unnest(?::bigint[], ?::bytea[]) AS i(g, h)"
                  + " WHERE h.generation = i.g AND h.hash_key = i.h AND h.revision = ?"),
          Parameters.numbers(absent, Used::generation),
          Parameters.bytes(absent, Used::hashKey),
          placeholder);
    }
  }

  private void put(String sql, List<Changed> changes) throws SQLException {
    List<Changed> puts =
        changes.stream().filter(changed -> changed.change.value() != null).toList();
    if (!puts.isEmpty()) {
      Parameters.update(
          connection,
          sql(sql),
          Parameters.numbers(puts, changed -> changed.used.generation),
          Parameters.bytes(puts, changed -> changed.used.hashKey()),
          Parameters.bytes(puts, changed -> changed.change.sortKey()),
          Parameters.numbers(puts, changed -> changed.change.expiryMillis()),
          Parameters.booleans(puts, changed -> changed.change.isCounted()),
          Parameters.bytes(puts, changed -> changed.change.value()));
    }
  }

  /** By how much the count of each row changes. */
  private long[] deltas(List<Used> rows, List<Changed> changes) throws SQLException {
    Map<Used, Integer> indexes = new HashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      indexes.put(rows.get(i), i);
    }
    long[] deltas = new long[rows.size()];
    for (Changed changed : changes) {
      if (changed.change.isCounted()) {
        deltas[index(indexes, changed)]++;
      }
    }
    try (PreparedStatement statement =
            Parameters.prepare(
                connection,
                sql(
                    "SELECT i.n, count(*) FROM"
                        + " unnest(?::bigint[], ?::bigint[], ?::bytea[], ?::bytea[])"
                        + " AS i(n, g, h, k) CROSS JOIN LATERAL (SELECT 1 FROM $.records r"
                        + " WHERE r.generation = i.g AND r.hash_key = i.h AND r.sort_key = i.k"
                        + " AND r.counted LIMIT 1) r GROUP BY i.n"),
                Parameters.numbers(changes, changed -> (long) index(indexes, changed)),
                Parameters.numbers(changes, changed -> changed.used.generation),
                Parameters.bytes(changes, changed -> changed.used.hashKey()),
                Parameters.bytes(changes, changed -> changed.change.sortKey()));
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        deltas[(int) result.getLong(1)] -= result.getLong(2);
      }
    }
    return deltas;
  }

  private static int index(Map<Used, Integer> indexes, Changed changed) {
    return Objects.requireNonNull(indexes.get(changed.used));
  }

  /**
   * Locks and puts all entries in one order. A placeholder holds the place of an absent one that
   * was read, or of one to delete; it is deleted before the commit, so no reader sees it.
   */
  private void applyEntries(List<Used> entries) throws SQLException {
    Parameters.update(
        connection,
        sql(
            "INSERT INTO $.entries AS e (generation, hash_key, version, expiry, value)"
                + " SELECT * FROM"
                + " unnest(?::bigint[], ?::bytea[], ?::bigint[], ?::bigint[], ?::bytea[])"
                + " AS i(g, h, n, e, v) ORDER BY i.g, i.h"
                + " ON CONFLICT (generation, hash_key) DO UPDATE SET version = excluded.version,"
                + " expiry = excluded.expiry, value = excluded.value WHERE excluded.version > 0"),
        Parameters.numbers(entries, Used::generation),
        Parameters.bytes(entries, Used::hashKey),
        Parameters.numbers(entries, used -> isPut(used) ? -placeholder : placeholder),
        Parameters.numbers(entries, used -> isPut(used) ? change(used).expiryMillis() : 0),
        Parameters.bytes(entries, used -> isPut(used) ? change(used).value() : new byte[0]));
    List<Used> others = entries.stream().filter(used -> !isPut(used)).toList();
    if (!others.isEmpty()) {
      Parameters.update(
          connection,
          sql(
              "DELETE FROM $.entries e USING unnest(?::bigint[], ?::bytea[], ?::boolean[])"
                  + " AS i(g, h, d) WHERE e.generation = i.g AND e.hash_key = i.h"
                  + " AND (i.d OR e.version = ?)"),
          Parameters.numbers(others, Used::generation),
          Parameters.bytes(others, Used::hashKey),
          Parameters.booleans(others, used -> used.row.hasChanges()),
          placeholder);
    }
  }

  private static RowChange change(Used used) {
    return used.row.changes().iterator().next();
  }

  private static boolean isPut(Used used) {
    return used.row.hasChanges() && change(used).value() != null;
  }
}
