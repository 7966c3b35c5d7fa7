package io.rockpool.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The check of a commit in a transaction that sees what others have committed meanwhile: it locks
 * all rows in one order, and then compares their revisions with those that were read.
 */
final class ReadCheck {
  private final PostgresDatabase database;
  private final Connection connection;

  /** The revision of rows that this adds, to lock what is absent. */
  private final long placeholder;

  ReadCheck(PostgresDatabase database, Connection connection, long placeholder) {
    this.database = database;
    this.connection = connection;
    this.placeholder = placeholder;
  }

  /** Whether everything is as it was read. The locks last until the end of the transaction. */
  boolean holds(List<TransactionCommit.Used> rows, List<TransactionCommit.Used> entries)
      throws SQLException {
    return hold(
            rows,
            "INSERT INTO $.heads AS t (generation, hash_key, revision, count)"
                + " SELECT i.g, i.h, ?::bigint, 0 FROM unnest(?::bigint[], ?::bytea[]) AS i(g, h)"
                + " ORDER BY i.g, i.h"
                + " ON CONFLICT (generation, hash_key) DO UPDATE SET revision = t.revision"
                + " WHERE false",
            "SELECT count(*) FROM unnest(?::bigint[], ?::bytea[], ?::bigint[]) AS i(g, h, r)"
                + " JOIN $.heads t ON t.generation = i.g AND t.hash_key = i.h"
                + " WHERE t.revision = i.r")
        && hold(
            entries,
            "INSERT INTO $.entries AS t (generation, hash_key, version, expiry, value)"
                + " SELECT i.g, i.h, ?::bigint, 0, ''"
                + " FROM unnest(?::bigint[], ?::bytea[]) AS i(g, h) ORDER BY i.g, i.h"
                + " ON CONFLICT (generation, hash_key) DO UPDATE SET version = t.version"
                + " WHERE false",
            "SELECT count(*) FROM unnest(?::bigint[], ?::bytea[], ?::bigint[]) AS i(g, h, r)"
                + " JOIN $.entries t ON t.generation = i.g AND t.hash_key = i.h"
                + " WHERE t.version = i.r");
  }

  private boolean hold(List<TransactionCommit.Used> used, String lock, String unchanged)
      throws SQLException {
    List<TransactionCommit.Used> read =
        used.stream().filter(row -> row.row().source().isPinned()).toList();
    if (read.stream().anyMatch(row -> row.generation() != row.row().source().generation())) {
      return false;
    }
    if (read.isEmpty()) {
      return true;
    }
    Parameters.update(
        connection,
        database.sql(lock),
        placeholder,
        Parameters.numbers(used, TransactionCommit.Used::generation),
        Parameters.bytes(used, TransactionCommit.Used::hashKey));
    return Parameters.number(
            connection,
            database.sql(unchanged),
            Parameters.numbers(read, TransactionCommit.Used::generation),
            Parameters.bytes(read, TransactionCommit.Used::hashKey),
            Parameters.numbers(read, this::expected))
        == read.size();
  }

  private Long expected(TransactionCommit.Used used) {
    Long revision = used.row().source().revision();
    return revision == null ? Long.valueOf(placeholder) : revision;
  }
}
