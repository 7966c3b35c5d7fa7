package io.rockpool.postgresql;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Layout;
import io.rockpool.engine.LeasedRead;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.RockpoolException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a space outside of transactions over several rows. Arguments have been checked.
 * An operation that finds the space expired clears it and runs again.
 */
final class SpaceCalls {
  /** The most keys that the server reads to divide a space. */
  private static final int MAX_SPLIT_KEYS = 100_000;

  /** Values may be large, and a connection has all that it reads in memory. */
  private static final CombinedCalls.Rules<RecordKey> GETS =
      new CombinedCalls.Rules<>(16, key -> 0, TimeUnit.MICROSECONDS.toNanos(100));

  /** Commits share writes to the disk, wherever the server is. */
  private static final CombinedCalls.Rules<RowRecord> PUTS =
      new CombinedCalls.Rules<>(64, record -> record.value().length, Long.MAX_VALUE);

  private final PostgresEngine engine;
  private final long id;
  private final String name;
  private final Layout layout;
  private final RecordStatements statements;
  private final EntryLeases leases;
  private final RowTransactions transactions;
  private final CombinedCalls<RecordKey, @Nullable KeptRecord> gets =
      new CombinedCalls<>(this::getOne, this::getTogether, GETS);
  private final CombinedCalls<RowRecord, @Nullable Void> puts =
      new CombinedCalls<>(this::putOne, this::putTogether, PUTS);

  /** An operation on one connection. */
  @FunctionalInterface
  @NullUnmarked // R may allow null
  private interface Operation<R extends @Nullable Object> {
    R run(Connection connection, RecordStatements.Scope at) throws SQLException;
  }

  /** A statement that puts records. */
  @FunctionalInterface
  private interface PutAll {
    void run(Connection connection, RecordStatements.Scope at, List<RowRecord> records, long token)
        throws SQLException;
  }

  SpaceCalls(PostgresEngine engine, long id, String name, Layout layout) {
    this.engine = engine;
    this.id = id;
    this.name = name;
    this.layout = layout;
    this.statements = engine.statements(layout);
    this.leases = new EntryLeases(engine.database());
    this.transactions = new RowTransactions(engine, id, name, layout);
  }

  private RecordStatements.Scope now() {
    return new RecordStatements.Scope(id, engine.nowMillis(), engine.origin());
  }

  private <R extends @Nullable Object> R read(Operation<R> operation) {
    return current(at -> engine.database().read(connection -> operation.run(connection, at)));
  }

  /**
   * Runs a statement that writes, and sets the revision {@code token} in all of the rows.
   *
   * @param hashKeys the rows
   * @param known the result if the answer was lost, and the rows have the token; null if only the
   *     answer had it
   */
  private <R extends @Nullable Object> R write(
      String what, byte[][] hashKeys, long token, @Nullable Supplier<R> known, Operation<R> write) {
    RecordStatements.Scope[] last = new RecordStatements.Scope[1];
    try {
      return current(
          at -> {
            last[0] = at;
            return engine
                .database()
                .write(
                    what + " in the space \"" + name + "\"",
                    connection -> write.run(connection, at));
          });
    } catch (OutcomeUnknownException e) {
      if (known != null
          && new Settlement(engine.database())
              .isApplied(e, connection -> outcome(connection, last[0], hashKeys, token))) {
        return known.get();
      }
      throw e;
    } finally {
      engine.changed();
    }
  }

  /** Without a token the write may still come: it expects nothing that a fence could replace. */
  private WriteOutcome outcome(
      Connection connection, RecordStatements.Scope at, byte[][] hashKeys, long token)
      throws SQLException {
    return statements.countWith(connection, at, hashKeys, token) > 0
        ? WriteOutcome.APPLIED
        : WriteOutcome.UNKNOWN;
  }

  private <R extends @Nullable Object> R current(Function<RecordStatements.Scope, R> operation) {
    while (true) {
      RecordStatements.Scope at = now();
      try {
        return operation.apply(at);
      } catch (NoGeneration e) {
        engine.renew(id, name, at.nowMillis(), false, null);
      }
    }
  }

  @Nullable KeptRecord get(byte[] hashKey, byte[] sortKey) {
    return gets.call(new RecordKey(hashKey, sortKey));
  }

  private @Nullable KeptRecord getOne(RecordKey key) {
    return this.<@Nullable KeptRecord>read(
        (connection, at) -> statements.get(connection, at, key.hashKey(), key.sortKey()));
  }

  private List<@Nullable KeptRecord> getTogether(List<RecordKey> keys) {
    List<@Nullable KeptRecord> found = new ArrayList<>(keys.size());
    for (RowRecord record : getAll(keys)) {
      found.add(record == null ? null : KeptRecord.of(record));
    }
    return found;
  }

  List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    return keys.isEmpty()
        ? new ArrayList<>()
        : read((connection, at) -> statements.getAll(connection, at, keys));
  }

  long count(byte[] hashKey) {
    return read((connection, at) -> statements.count(connection, at, hashKey));
  }

  List<RowRecord> scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    return read(
        (connection, at) -> statements.scan(connection, at, hashKey, range, direction, limit));
  }

  List<RowRecord> scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo, int limit) {
    return read((connection, at) -> statements.scanAll(connection, at, after, upTo, limit));
  }

  List<RecordKey> splits(int parts) {
    return parts == 1
        ? List.of()
        : read((connection, at) -> statements.splits(connection, at, parts, MAX_SPLIT_KEYS));
  }

  void put(RowRecord record) {
    if (layout == Layout.ENTRIES) {
      puts.call(record);
    } else {
      putOne(record);
    }
  }

  private @Nullable Void putOne(RowRecord record) {
    putAll(List.of(record));
    return null;
  }

  void putAll(List<RowRecord> records) {
    putAll(records, statements::putAll);
  }

  private List<@Nullable Void> putTogether(List<RowRecord> records) {
    List<RowRecord> last = lastOfEach(records);
    if (last.size() == 1) {
      putOne(last.get(0));
    } else {
      putAll(last, statements::putTogether);
    }
    return Collections.nCopies(records.size(), null);
  }

  /** In the order of the keys. Of two puts of a key, which overlap, the last one counts. */
  static List<RowRecord> lastOfEach(List<RowRecord> records) {
    Map<byte[], RowRecord> last = new TreeMap<>(Arrays::compareUnsigned);
    records.forEach(record -> last.put(record.hashKey(), record));
    return List.copyOf(last.values());
  }

  private void putAll(List<RowRecord> records, PutAll putAll) {
    long token = PostgresDatabase.token();
    this.<Boolean>write(
        "A put",
        Parameters.bytes(records, RowRecord::hashKey),
        token,
        () -> true,
        (connection, at) -> {
          putAll.run(connection, at, records, token);
          return true;
        });
  }

  void deleteAll(List<RecordKey> keys) {
    long token = PostgresDatabase.token();
    this.<Boolean>write(
        "A delete",
        Parameters.bytes(keys, RecordKey::hashKey),
        token,
        () -> true,
        (connection, at) -> {
          statements.deleteAll(connection, at, keys, token);
          return true;
        });
  }

  @Nullable RowRecord write(byte[] hashKey, RecordWrite write) {
    long token = PostgresDatabase.token();
    Supplier<RecordStatements.Before> made = () -> new RecordStatements.Before(write.expected());
    return write(
            "A write",
            new byte[][] {hashKey},
            token,
            write.isConditional() ? made : null,
            (connection, at) -> statements.write(connection, at, hashKey, write, token))
        .record();
  }

  /**
   * Reads entries and takes leases; the keys are sorted and have no duplicates. On a server that
   * takes no writes, leases have ended: what is loaded is returned and not stored.
   */
  Map<byte[], LeasedRead> lease(byte[][] hashKeys) {
    try {
      return read((connection, at) -> leases.lease(connection, at, hashKeys));
    } catch (RockpoolException e) {
      if (!(e.getCause() instanceof SQLException refused) || !SqlErrors.takesNoWrites(refused)) {
        throw e;
      }
    }
    List<@Nullable RowRecord> found =
        getAll(Arrays.stream(hashKeys).map(key -> new RecordKey(key, Space.NO_SORT_KEY)).toList());
    Map<byte[], LeasedRead> reads = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < hashKeys.length; i++) {
      reads.put(hashKeys[i], new LeasedRead(found.get(i), EntryLease.ENDED));
    }
    return reads;
  }

  /** Writes entries whose leases have not ended, each of another key. */
  List<Boolean> writeLeased(List<byte[]> hashKeys, List<LeasedWrite> writes) {
    if (writes.stream().allMatch(write -> write.lease() == EntryLease.ENDED)) {
      return Collections.nCopies(writes.size(), false);
    }
    long token = PostgresDatabase.token();
    boolean isPut = writes.size() == 1 && writes.get(0).value() != null;
    Supplier<List<Boolean>> made = () -> List.of(true);
    return write(
        "A write",
        hashKeys.toArray(byte[][]::new),
        token,
        isPut ? made : null,
        (connection, at) -> leases.write(connection, at, hashKeys, writes, token));
  }

  /** Runs a transaction on a row until a run commits. */
  <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    return transactions.transact(hashKey, transaction, this::current);
  }
}
