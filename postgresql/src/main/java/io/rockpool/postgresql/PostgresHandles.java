package io.rockpool.postgresql;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The handles of one store that are open in this JVM. A call of one of them inside a transaction of
 * another one would be no part of it, and may wait for a lock of its own thread. Thread-safe.
 */
final class PostgresHandles {
  /**
   * By the number of the store, of its database and of its schema: copies differ in one of them.
   */
  private static final String STORE =
      "SELECT t.id || ' ' || d.oid || ' ' || n.oid FROM $.store t, pg_database d, pg_namespace n"
          + " WHERE d.datname = current_database() AND n.nspname = ?";

  private static final Map<String, List<PostgresEngine>> STORES = new ConcurrentHashMap<>();

  private final PostgresEngine engine;
  private final String store;
  private final List<PostgresEngine> handles;

  /** Adds a handle. */
  PostgresHandles(PostgresEngine engine) {
    this.engine = engine;
    PostgresDatabase database = engine.database();
    store =
        String.valueOf(
            database.<@Nullable String>read(
                connection -> Parameters.text(connection, database.sql(STORE), database.schema())));
    handles =
        STORES.compute(
            store,
            (any, known) -> {
              List<PostgresEngine> all = known == null ? new CopyOnWriteArrayList<>() : known;
              all.add(engine);
              return all;
            });
  }

  /** Forgets the handle. */
  void remove() {
    STORES.computeIfPresent(
        store,
        (any, known) -> {
          known.remove(engine);
          return known.isEmpty() ? null : known;
        });
  }

  /**
   * Refuses a call of this handle inside {@code atomically} of another one on this thread, or
   * inside a transaction on a row that another one has locked: it could wait for its own lock. A
   * bound transaction of another one, as of Spring, holds no lock of a row before its commit, and
   * what has not joined it is outside of it.
   */
  void refuseInTransactionOfOther() {
    if (handles.size() < 2 || engine.transaction() != null) {
      return;
    }
    for (PostgresEngine other : handles) {
      PostgresTransaction transaction = other.transaction();
      if ((transaction != null && !transaction.isBound()) || other.hotRows().isLocking()) {
        throw new IllegalStateException(
            engine.description()
                + " was called inside a transaction of another handle of the same store, and would"
                + " be no part of it. Nothing was changed by this call. Use collections and caches"
                + " of the store that runs the transaction, or call this one before or after it.");
      }
    }
  }
}
