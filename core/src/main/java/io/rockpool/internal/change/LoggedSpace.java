package io.rockpool.internal.change;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.internal.engine.ForwardingRow;
import io.rockpool.internal.engine.ForwardingSpace;
import io.rockpool.internal.format.LoggedChange;
import io.rockpool.store.Durability;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A space whose changes are logged. Each write becomes a transaction with a record in the log, or
 * joins the running one.
 */
public final class LoggedSpace extends ForwardingSpace {
  /** How many records of a large write are one transaction. */
  private static final int CHUNK = 256;

  private static final byte[] NO_VALUE = {};

  private final ChangeLog log;
  private final Space records;
  private final Predicate<byte[]> isElement;

  /**
   * Creates a handle.
   *
   * @param log the log
   * @param records a handle of the log's space
   * @param isElement accepts the sort keys of records that users see; others are not logged
   */
  LoggedSpace(Space space, ChangeLog log, Space records, Predicate<byte[]> isElement) {
    super(space);
    this.log = log;
    this.records = records;
    this.isElement = isElement;
  }

  /** The space itself if its changes are logged: for writes that are no changes to users. */
  public static Space unlogged(Space space) {
    return space instanceof LoggedSpace logged ? logged.space() : space;
  }

  /** Whether the changes of a space are logged. */
  public static boolean isLogged(Space space) {
    return space instanceof LoggedSpace;
  }

  @Override
  public Space withDurability(Durability durability) {
    return new LoggedSpace(
        space().withDurability(durability), log, records.withDurability(durability), isElement);
  }

  @Override
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    log.write(
        records,
        space(),
        changes -> {
          space().put(hashKey, sortKey, value, expiryMillis);
          addPut(changes, hashKey, sortKey, value, expiryMillis);
          return true;
        });
  }

  @Override
  public void delete(byte[] hashKey, byte[] sortKey) {
    log.write(
        records,
        space(),
        changes -> {
          space().delete(hashKey, sortKey);
          addRemoval(changes, hashKey, sortKey);
          return true;
        });
  }

  @Override
  public void putAll(Collection<RowRecord> all) {
    inChunks(
        all,
        (chunk, changes) -> {
          space().putAll(chunk);
          chunk.forEach(
              it -> addPut(changes, it.hashKey(), it.sortKey(), it.value(), it.expiryMillis()));
        });
  }

  @Override
  public void deleteAll(Collection<RecordKey> keys) {
    inChunks(
        keys,
        (chunk, changes) -> {
          space().deleteAll(chunk);
          chunk.forEach(it -> addRemoval(changes, it.hashKey(), it.sortKey()));
        });
  }

  private <T> void inChunks(Collection<T> all, BiConsumer<List<T>, List<LoggedChange>> write) {
    List<T> list = List.copyOf(all);
    for (int from = 0; from < list.size(); from += CHUNK) {
      List<T> chunk = list.subList(from, Math.min(from + CHUNK, list.size()));
      log.write(
          records,
          space(),
          changes -> {
            write.accept(chunk, changes);
            return true;
          });
    }
  }

  @Override
  public <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    return log.<R>write(
        records,
        space(),
        changes ->
            space()
                .<R>transact(
                    hashKey,
                    row -> {
                      changes.clear(); // of an earlier run
                      return transaction.run(new LoggedRow(row, hashKey, changes));
                    }));
  }

  @Override
  public void clear() {
    log.changeAll(records, space(), LoggedChange.CLEAR, Expiry.NEVER);
  }

  @Override
  public void expireAt(long expiryMillis) {
    log.changeAll(records, space(), LoggedChange.EXPIRY, Expiry.normalize(expiryMillis));
  }

  @Override
  public boolean expireAtIf(long expiryMillis, LongPredicate condition) {
    return log.expireIf(records, space(), Expiry.normalize(expiryMillis), condition);
  }

  private void addPut(
      List<LoggedChange> changes, byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    if (isElement.test(sortKey)) {
      long expiry = Expiry.normalize(expiryMillis);
      changes.add(LoggedChange.of(LoggedChange.PUT, hashKey, sortKey, value, expiry));
    }
  }

  private void addRemoval(List<LoggedChange> changes, byte[] hashKey, byte[] sortKey) {
    if (isElement.test(sortKey)) {
      changes.add(LoggedChange.of(LoggedChange.REMOVAL, hashKey, sortKey, NO_VALUE, Expiry.NEVER));
    }
  }

  /** A row that notes its changes. */
  private final class LoggedRow extends ForwardingRow {
    private final Row row;
    private final byte[] hashKey;
    private final List<LoggedChange> changes;

    LoggedRow(Row row, byte[] hashKey, List<LoggedChange> changes) {
      this.row = row;
      this.hashKey = hashKey;
      this.changes = changes;
    }

    @Override
    protected Row row() {
      return row;
    }

    @Override
    public void put(byte[] sortKey, byte[] value, long expiryMillis) {
      row.put(sortKey, value, expiryMillis);
      addPut(changes, hashKey, sortKey, value, expiryMillis);
    }

    @Override
    public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
      row.putCounted(sortKey, value, expiryMillis);
      addPut(changes, hashKey, sortKey, value, expiryMillis);
    }

    @Override
    public void insert(byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
      row.insert(sortKey, value, expiryMillis, counted);
      addPut(changes, hashKey, sortKey, value, expiryMillis);
    }

    @Override
    public void delete(byte[] sortKey) {
      row.delete(sortKey);
      addRemoval(changes, hashKey, sortKey);
    }
  }
}
