package io.rockpool.postgresql;

import io.rockpool.error.ServerUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * What only PostgreSQL itself understands: locks of a name, snapshots as values, numbers of
 * transactions, notifications, and what sessions do. Servers that speak its protocol have other
 * means or none, so they are refused. In statements, {@code "$."} stands for the schema.
 */
final class ServerDialect {
  /** The oldest server that has all of it, and on which the tests run. */
  private static final int OLDEST_VERSION = 15;

  /** The encodings that take each name: SQL_ASCII takes all bytes. */
  private static final Set<String> ENCODINGS = Set.of("UTF8", "SQL_ASCII");

  /** Waits for the lock of a name, and keeps it until the end of the transaction. */
  static final String LOCK =
      "SELECT count(*) FROM (SELECT pg_advisory_xact_lock(hashtext(?))) locked";

  /** Waits for the lock of a number, and keeps it until the end of the transaction. */
  static final String LOCK_NUMBER = "SELECT count(*) FROM (SELECT pg_advisory_xact_lock(?)) locked";

  /** 1 if no other session of the database has the lock of a number. */
  static final String CAN_LOCK_NUMBER =
      "SELECT CASE WHEN pg_try_advisory_xact_lock(?) THEN 1 ELSE 0 END";

  /** Lets the rest of a statement fail that waits for a lock. Alone in a part of its FROM. */
  static final String WAIT_SHORTLY = "SELECT set_config('lock_timeout', '100ms', true)";

  /**
   * Lets the rest of a transaction wait for each lock for some seconds only: a session that waits
   * does not notice that its client has gone. Alone in a part of its FROM.
   */
  static final String WAIT_SECONDS = "SELECT set_config('lock_timeout', '10s', true)";

  /**
   * Lets the rest of a statement be committed without waiting for the disk or a standby. Alone in a
   * part of its FROM.
   */
  static final String COMMIT_LATER = "SELECT set_config('synchronous_commit', 'off', true)";

  /** The same without waiting for a standby; the disk is waited for unless a setting says no. */
  static final String COMMIT_LOCALLY =
      "SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')"
          + " WHEN 'off' THEN 'off' ELSE 'local' END, true)";

  /** The snapshot of now, and when the server was started. */
  static final String SNAPSHOT =
      "SELECT pg_current_snapshot()::text, pg_postmaster_start_time()::text";

  /**
   * Settings of a look at the changes, for its own transaction. The first is how many milliseconds
   * it may take. With the others, the plan for any snapshot uses the index, even if it was made
   * while there were no changes, and is not compiled.
   */
  private static final String LOOK_SETTINGS =
      "SELECT set_config('statement_timeout', ?, true), set_config('enable_seqscan', 'off', true),"
          + " set_config('jit', 'off', true)";

  /**
   * The changes by others that the snapshot of now sees and another one did not: the snapshot of
   * now, whether changes may be missing, space, kind, row, name, and when the server was started.
   * They are those of transactions that began since, or ran then and do no more. So it reads only
   * these, however long another transaction has run. The parameters are the other snapshot, and the
   * origin of those that do not count.
   */
  private static final String CHANGES =
      "SELECT p.now::text, (SELECT pruned FROM $.store) > pg_snapshot_xmin(p.seen)"
          + " OR pg_snapshot_xmax(p.now) < pg_snapshot_xmax(p.seen),"
          + " c.space, c.kind, c.hash_key,"
          + " CASE WHEN c.kind = 0 THEN i.name ELSE coalesce(c.name, i.name) END,"
          + " pg_postmaster_start_time()::text"
          + " FROM (SELECT ?::pg_snapshot AS seen, pg_current_snapshot() AS now) p"
          + " LEFT JOIN $.changes c"
          + " ON (c.xid >= pg_snapshot_xmax(p.seen) AND c.xid < pg_snapshot_xmax(p.now)"
          + " OR c.xid = ANY(ARRAY(SELECT x FROM pg_snapshot_xip(p.seen) x"
          + " WHERE pg_visible_in_snapshot(x, p.now)))) AND c.origin <> ?"
          + " LEFT JOIN $.space_info i ON i.id = c.space";

  /**
   * A look at the changes. The second result has them. The driver sends both statements at once, so
   * the server runs them in one transaction.
   */
  static final String LOOK = LOOK_SETTINGS + "; " + CHANGES;

  /** The same for a driver that sends each statement in a message of its own. */
  static final String SIMPLE_LOOK = "BEGIN; " + LOOK + "; COMMIT";

  /** The number of the oldest transaction that runs. */
  static final String OLDEST_TRANSACTION = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text";

  /** Notes that changes of transactions before a number may be missing; twice the number. */
  static final String NOTE_PRUNED = "UPDATE $.store SET pruned = ?::xid8 WHERE pruned < ?::xid8";

  /** Which changes are older than a transaction, by its number. */
  static final String OLDER_CHANGES = "xid < ?::xid8";

  /**
   * What the server knows of a transaction, by its number, twice: {@link #IN_PROGRESS} while it
   * runs. A lost number may be larger than any that the server has used since.
   */
  static final String TRANSACTION =
      "SELECT CASE WHEN ?::xid8 < pg_current_xact_id() THEN pg_xact_status(?::xid8) END";

  static final String IN_PROGRESS = "in progress";

  /**
   * Counts a store that has numbers of transactions which this server has yet to use. It was
   * restored from a dump.
   */
  static final String IS_OF_OTHER_SERVER =
      "SELECT count(*) FROM $.store t, pg_snapshot_xmax(pg_current_snapshot()) AS n"
          + " WHERE t.pruned >= n OR EXISTS (SELECT FROM $.changes c WHERE c.xid >= n)"
          + " OR EXISTS (SELECT FROM $.dead d WHERE d.xid >= n)";

  /** Replaces such numbers. */
  static final List<String> FORGET_OTHER_SERVER =
      List.of(
          "DELETE FROM $.changes WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())",
          "UPDATE $.store SET pruned = pg_snapshot_xmin(pg_current_snapshot())",
          "UPDATE $.dead SET xid = pg_current_xact_id()"
              + " WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())");

  /** How many changes a transaction has added for a space, by its number. */
  static final String CHANGES_OF =
      "SELECT count(*) FROM $.changes WHERE xid = ?::xid8 AND space = ?";

  /**
   * Tables of a schema that have twice as many rows as when the server last counted them. It has to
   * count rows that are committed: one that finds none plans for an empty table.
   */
  static final String GROWN =
      "SELECT t.relname FROM pg_stat_user_tables t JOIN pg_class c ON c.oid = t.relid"
          + " WHERE t.schemaname = ? AND t.n_live_tup > 2 * greatest(c.reltuples, 0) + 1000";

  /** The tables of a schema whose rows the server may hide from the role; null for none. */
  static final String ROW_SECURITY =
      "SELECT string_agg(c.relname, ', ' ORDER BY c.relname) FROM pg_class c"
          + " WHERE c.relnamespace = to_regnamespace(?) AND c.relkind = 'r'"
          + " AND row_security_active(c.oid)";

  /** Counts the rows of a table, unless another session has locked it. The name follows. */
  static final String ANALYZE = "ANALYZE (SKIP_LOCKED) $.";

  /**
   * Counts a dead generation unless a session has a snapshot that is as old as its end. A writer
   * that began before the clear may still write into it, and the server shows the age of each.
   */
  static final String UNUSED_GENERATION =
      "SELECT count(*) FROM $.dead d WHERE generation = ? AND NOT EXISTS"
          + " (SELECT FROM pg_stat_activity a WHERE a.backend_xmin IS NOT NULL"
          + " AND a.backend_type = 'client backend' AND a.datname = current_database()"
          + " AND age(a.backend_xmin) >= age(d.xid::xid) AND a.pid <> pg_backend_pid())";

  /**
   * Lets the server end the session of a transaction that sends nothing for 30 seconds, or for as
   * long as the session's own setting says if that is less. Alone in a part of its FROM.
   */
  static final String IDLE_SHORTLY =
      "SELECT set_config('idle_in_transaction_session_timeout', (1000 * extract(epoch FROM"
          + " least(nullif(current_setting('idle_in_transaction_session_timeout')::interval, '0'),"
          + " interval '30 seconds')))::int::text, true)";

  private ServerDialect() {}

  /** Deletes some rows of a table. */
  static String deleteSome(String table, String condition, int rows) {
    return "DELETE FROM $.%1$s WHERE ctid = ANY(ARRAY(SELECT ctid FROM $.%1$s WHERE %2$s LIMIT %3$s))"
        .formatted(table, condition, rows);
  }

  /**
   * Tells the sessions that listen to the store that a handle has written. The server would force
   * its log to the disk for that, while writes wait; but nothing is to be kept.
   */
  static String notification(String schema, long origin) {
    return "%s; NOTIFY %s, '%s'".formatted(COMMIT_LATER, channel(schema), origin);
  }

  static String listen(String schema) {
    return "LISTEN " + channel(schema);
  }

  static String unlisten(String schema) {
    return "UNLISTEN " + channel(schema);
  }

  private static String channel(String schema) {
    return "rockpool_" + schema;
  }

  /**
   * Refuses other servers.
   *
   * @throws ServerUnavailableException if this is one, or an older PostgreSQL
   */
  static void check(Connection connection) throws SQLException {
    check(String.valueOf(Parameters.text(connection, "SELECT version()")));
    String encoding = String.valueOf(Parameters.text(connection, "SHOW server_encoding"));
    if (!ENCODINGS.contains(encoding)) {
      throw new ServerUnavailableException(
          "The database has the encoding "
              + encoding
              + ", which lacks characters that names may have. Use a database with the encoding"
              + " UTF8.",
          null);
    }
    if ("on".equals(Parameters.text(connection, "SHOW transaction_read_only"))) {
      throw new ServerUnavailableException(
          "The server takes no writes: it is a standby, or its sessions are read-only. Name the"
              + " primary; with several hosts, add targetServerType=primary to the parameters of the"
              + " URL. Else look for default_transaction_read_only, and for readOnly in the settings"
              + " of the pool.",
          null);
    }
  }

  static void check(String version) {
    if (!version.startsWith("PostgreSQL ") || version.contains("-YB-")) {
      throw new ServerUnavailableException(
          "The server is no PostgreSQL: it says that it is \""
              + version
              + "\". Rockpool needs functions that servers with the same protocol lack. Use"
              + " PostgreSQL "
              + OLDEST_VERSION
              + " or newer.",
          null);
    }
    String number = version.substring("PostgreSQL ".length()).split("\\D", 2)[0];
    if (number.isEmpty() || Integer.parseInt(number) < OLDEST_VERSION) {
      throw new ServerUnavailableException(
          "The server is too old: it is \""
              + version
              + "\". Use PostgreSQL "
              + OLDEST_VERSION
              + " or newer.",
          null);
    }
  }
}
