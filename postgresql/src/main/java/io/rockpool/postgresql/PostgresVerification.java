package io.rockpool.postgresql;

import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.internal.engine.Verification;
import io.rockpool.store.FindingKind;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares counts with records, and shows all records to the checks of the layers above, in one
 * transaction and so of one snapshot. The server checks its own files.
 */
final class PostgresVerification {
  private static final int PAGE_RECORDS = 256;

  private final PostgresEngine engine;
  private final RecordChecks checks;
  private final Verification run;

  private record Stored(RowRecord record, boolean isCounted) {
    RecordKey key() {
      return new RecordKey(record.hashKey(), record.sortKey());
    }
  }

  PostgresVerification(PostgresEngine engine, VerifyOptions options, RecordChecks checks) {
    this.engine = engine;
    this.checks = checks;
    this.run = new Verification(options);
  }

  /**
   * Runs in a transaction of this thread.
   *
   * @param spaces the spaces to verify, with a handle of each
   */
  VerifyReport run(Map<PostgresCatalog.Known, Space> spaces) {
    spaces.forEach(this::verify);
    return run.report(engine.description());
  }

  private void verify(PostgresCatalog.Known known, Space space) {
    SpaceInfo info = known.info();
    run.space();
    if (!run.begin(info.name(), 0)) {
      return;
    }
    if (info.layout() == Layout.ROWS) {
      verifyCounts(known);
    }
    RecordChecks.RecordCheck check = run.begin(checks, info, space);
    RecordKey last = null;
    boolean isLast = false;
    while (!isLast) {
      List<Stored> page = page(known, last);
      for (Stored stored : page) {
        if (!run.record()) {
          return;
        }
        if (check != null) {
          run.check(info.name(), check, stored.record, stored.isCounted);
        }
        last = stored.key();
      }
      long bytes = page.stream().mapToLong(stored -> stored.record.value().length).sum();
      isLast = page.size() < PAGE_RECORDS && bytes < RecordStatements.PAGE_BYTES;
    }
    if (check != null) {
      run.end(info.name(), check);
    }
  }

  private void verifyCounts(PostgresCatalog.Known known) {
    String sql =
        engine
            .database()
            .sql(
                "SELECT h.count, count(r.sort_key) FROM $.spaces s"
                    + " JOIN $.heads h ON h.generation = s.generation"
                    + " LEFT JOIN $.records r ON r.generation = h.generation"
                    + " AND r.hash_key = h.hash_key AND r.counted"
                    + " WHERE s.id = ? AND s.expires > ? GROUP BY h.hash_key, h.count"
                    + " HAVING h.count <> count(r.sort_key)");
    transaction()
        .<Boolean>read(
            connection -> {
              // It reads all records, so it may take longer than any answer to a call.
              int timeout = connection.getNetworkTimeout();
              connection.setNetworkTimeout(Runnable::run, 0);
              try (PreparedStatement statement =
                      Parameters.prepare(connection, sql, known.id(), transaction().nowMillis());
                  ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                  run.add(
                      FindingKind.WRONG_COUNT,
                      known.info().name(),
                      "",
                      "a row counts " + result.getLong(1) + " and has " + result.getLong(2));
                }
              }
              connection.setNetworkTimeout(Runnable::run, timeout);
              return true;
            });
  }

  private List<Stored> page(PostgresCatalog.Known known, @Nullable RecordKey after) {
    boolean isOfRows = known.info().layout() == Layout.ROWS;
    String order = isOfRows ? "r.hash_key, r.sort_key" : "r.hash_key";
    List<Object> parameters = new ArrayList<>();
    String behind = "";
    if (after != null) {
      behind = isOfRows ? " AND (r.hash_key, r.sort_key) > (?, ?)" : " AND r.hash_key > ?";
      parameters.add(after.hashKey());
      if (isOfRows) {
        parameters.add(after.sortKey());
      }
    }
    parameters.add(PAGE_RECORDS);
    parameters.add(known.id());
    parameters.add(transaction().nowMillis());
    String sql =
        engine
            .database()
            .sql(
                (isOfRows
                        ? "SELECT r.hash_key, r.sort_key, r.value, r.expiry, r.counted"
                        : "SELECT r.hash_key, ''::bytea, r.value, r.expiry, false")
                    + " FROM $.spaces s CROSS JOIN LATERAL "
                    + RecordStatements.page(isOfRows ? "records" : "entries", order)
                    + behind
                    + " ORDER BY "
                    + order
                    + " LIMIT ?"
                    + RecordStatements.PAGE_END
                    + " r WHERE s.id = ? AND s.expires > ?");
    return transaction()
        .read(
            connection -> {
              List<Stored> page = new ArrayList<>();
              try (PreparedStatement statement =
                      Parameters.prepare(connection, sql, parameters.toArray());
                  ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                  RowRecord record =
                      new RowRecord(
                          result.getBytes(1),
                          result.getBytes(2),
                          result.getBytes(3),
                          result.getLong(4));
                  page.add(new Stored(record, result.getBoolean(5)));
                }
              }
              return page;
            });
  }

  private PostgresTransaction transaction() {
    return Objects.requireNonNull(engine.transaction());
  }
}
