package io.rockpool.postgresql;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Lease;
import io.rockpool.engine.LeasedRead;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The statements on leases. The version of an entry is its lease. An absent entry gets a
 * placeholder: an entry without a value whose expiry is the negative time at which the lease ends.
 * So it has expired for every other statement, each of which replaces it, except for the sweep.
 */
final class EntryLeases {
  private final String lease;
  private final String write;
  private final String fill;

  EntryLeases(PostgresDatabase database) {
    // Reads the snapshot of the statement. What was absent in it is inserted unless another
    // statement was faster; then the answer has no version, and the key is read again.
    lease =
        database.sql(
            RecordStatements.CURRENT
                + ", k AS (SELECT h FROM unnest(?::bytea[]) AS k(h)),"
                + " f AS (SELECT k.h, s.generation, e.version, e.expiry, e.value FROM s CROSS JOIN k"
                + " LEFT JOIN LATERAL (SELECT * FROM $.entries e"
                + " WHERE e.generation = s.generation AND e.hash_key = k.h"
                + " AND (e.expiry > ? OR e.expiry < ?) LIMIT 1) e ON true),"
                + " w AS (INSERT INTO $.entries AS e (generation, hash_key, version, expiry, value)"
                + " SELECT f.generation, f.h, ?, ?, '' FROM f WHERE f.version IS NULL ORDER BY f.h"
                + " ON CONFLICT (generation, hash_key) DO UPDATE SET version = excluded.version,"
                + " expiry = excluded.expiry, value = excluded.value"
                + " WHERE e.expiry <= ? AND e.expiry >= ? RETURNING hash_key, version)"
                + " SELECT f.h, f.generation, coalesce(f.version, w.version), f.expiry, f.value"
                + " FROM f LEFT JOIN w ON w.hash_key = f.h, ("
                + ServerDialect.COMMIT_LATER
                + ") c");
    // An entry with the version of its lease has not moved since the snapshot.
    String made =
        RecordStatements.CURRENT
            + ", i AS (SELECT * FROM unnest(?::bigint[], ?::bytea[], ?::bigint[], ?::bigint[],"
            + " ?::bytea[]) AS i(g, h, o, e, v) ORDER BY i.h),"
            + " l AS (SELECT x.place, i.e, i.v FROM s CROSS JOIN i CROSS JOIN LATERAL"
            + " (SELECT e.ctid AS place FROM $.entries e WHERE e.generation = s.generation"
            + " AND e.hash_key = i.h AND e.version = i.o FOR UPDATE) x"
            + " WHERE i.g = s.generation),"
            + " u AS (UPDATE $.entries e SET version = ?, expiry = l.e, value = l.v FROM l"
            + " WHERE e.ctid = l.place AND l.v IS NOT NULL RETURNING e.hash_key),"
            + " d AS (DELETE FROM $.entries e USING l"
            + " WHERE e.ctid = l.place AND l.v IS NULL RETURNING e.hash_key),"
            + " w AS (SELECT hash_key FROM u UNION ALL SELECT hash_key FROM d)"
            + RecordStatements.CHANGED.formatted("w.hash_key FROM w")
            + " SELECT w.hash_key FROM s LEFT JOIN w ON true";
    write = database.sql(made);
    fill = database.sql(made + ", (" + ServerDialect.COMMIT_LOCALLY + ") c");
  }

  /** Reads entries and their leases; the keys are sorted and have no duplicates. */
  Map<byte[], LeasedRead> lease(Connection connection, RecordStatements.Scope at, byte[][] hashKeys)
      throws SQLException {
    Map<byte[], LeasedRead> found = new TreeMap<>(Arrays::compareUnsigned);
    byte[][] left = hashKeys;
    while (left.length > 0) {
      read(connection, at, left, found);
      left = Arrays.stream(left).filter(key -> !found.containsKey(key)).toArray(byte[][]::new);
    }
    return found;
  }

  private void read(
      Connection connection,
      RecordStatements.Scope at,
      byte[][] hashKeys,
      Map<byte[], LeasedRead> found)
      throws SQLException {
    long now = at.nowMillis();
    long shared = -(now + Lease.LIFETIME.toMillis() / 2);
    try (PreparedStatement statement =
            Parameters.prepare(
                connection,
                lease,
                at.space(),
                now,
                hashKeys,
                now,
                shared,
                PostgresDatabase.token(),
                -Lease.endMillis(now),
                now,
                shared);
        ResultSet result = statement.executeQuery()) {
      boolean any = false;
      while (result.next()) {
        any = true;
        long version = result.getLong(3);
        if (!result.wasNull()) {
          byte[] hashKey = result.getBytes(1);
          long generation = result.getLong(2);
          long expiryMillis = result.getLong(4);
          boolean isLive = !result.wasNull() && expiryMillis > now;
          EntryLease taken = new EntryLease(generation, version, !isLive);
          found.put(
              hashKey,
              new LeasedRead(
                  isLive
                      ? new RowRecord(hashKey, Space.NO_SORT_KEY, result.getBytes(5), expiryMillis)
                      : null,
                  taken));
        }
      }
      if (!any) {
        throw new NoGeneration();
      }
    }
  }

  /** Makes those writes whose leases have not ended; returns for each whether it was made. */
  List<Boolean> write(
      Connection connection,
      RecordStatements.Scope at,
      List<byte[]> hashKeys,
      List<LeasedWrite> all,
      long token)
      throws SQLException {
    TreeMap<byte[], Integer> places = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < all.size(); i++) {
      places.put(hashKeys.get(i), i);
    }
    List<Boolean> made = new ArrayList<>(Collections.nCopies(all.size(), false));
    try (PreparedStatement statement =
            Parameters.prepare(
                connection,
                all.stream().allMatch(EntryLeases::isFill) ? fill : write,
                at.space(),
                at.nowMillis(),
                Parameters.numbers(all, each -> lease(each).generation()),
                hashKeys.toArray(byte[][]::new),
                Parameters.numbers(all, each -> lease(each).version()),
                Parameters.numbers(all, each -> Expiry.normalize(each.expiryMillis())),
                Parameters.bytes(all, LeasedWrite::value),
                token,
                at.origin(),
                at.space());
        ResultSet result = statement.executeQuery()) {
      boolean any = false;
      while (result.next()) {
        any = true;
        byte @Nullable [] hashKey = result.getBytes(1);
        if (hashKey != null) {
          made.set(Objects.requireNonNull(places.get(hashKey)), true);
        }
      }
      if (!any) {
        throw new NoGeneration();
      }
    }
    return made;
  }

  /**
   * Whether a value is put where there was none. A standby that replaces the server may lack it:
   * the key is absent there, as before. What replaces or deletes an entry has to be on the standby,
   * or the entry would come back after a thread has read a newer one.
   */
  private static boolean isFill(LeasedWrite write) {
    return write.value() != null && lease(write).onAbsent();
  }

  private static EntryLease lease(LeasedWrite write) {
    return (EntryLease) write.lease();
  }
}
