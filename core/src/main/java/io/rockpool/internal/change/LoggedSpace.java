package io.rockpool.internal.change;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.engine.ForwardingRow;
import io.rockpool.internal.engine.ForwardingSpace;
import io.rockpool.internal.format.LoggedChange;
import io.rockpool.store.Durability;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A space whose changes are logged. Each write becomes a transaction with a record in the log, or
 * joins the running one. In a store that several processes share, another one may switch the log on
 * or off; while there is none, every call goes to the space as it is.
 */
public final class LoggedSpace extends ForwardingSpace {
  /** How many records of a large write are one transaction. */
  private static final int CHUNK = 256;

  private static final byte[] NO_VALUE = {};

  private final CurrentLog current;
  private final @Nullable Durability durability;
  private final Predicate<byte[]> isElement;
  private volatile @Nullable Records records;

  /** A handle of a log's space, with the durability of this one. */
  private record Records(ChangeLog log, Space space) {}

  /**
   * Creates a handle.
   *
   * @param current the log
   * @param durability that of the log's records; null for the engine's default
   * @param isElement accepts the sort keys of records that users see; others are not logged
   */
  LoggedSpace(
      Space space,
      CurrentLog current,
      @Nullable Durability durability,
      Predicate<byte[]> isElement) {
    super(space);
    this.current = current;
    this.durability = durability;
    this.isElement = isElement;
  }

  /** The space itself if its changes are logged: for writes that are no changes to users. */
  public static Space unlogged(Space space) {
    return space instanceof LoggedSpace logged ? logged.space() : space;
  }

  /** Whether the changes of a space are logged. */
  public static boolean isLogged(Space space) {
    return space instanceof LoggedSpace logged && logged.isOn();
  }

  private boolean isOn() {
    return current.get() != null;
  }

  private Space records(ChangeLog log) {
    Records known = records;
    if (known == null || known.log != log) {
      Space space = log.records();
      known = new Records(log, durability == null ? space : space.withDurability(durability));
      records = known;
    }
    return known.space;
  }

  /**
   * Runs a write of the space with its log, once more if that has ended.
   *
   * @param logged gets the log and a handle of its records
   * @param unlogged the write without a log
   */
  private <R extends @Nullable Object> R write(
      BiFunction<ChangeLog, Space, R> logged, Supplier<R> unlogged) {
    while (true) {
      ChangeLog log = current.get();
      if (log == null) {
        return unlogged.get();
      }
      try {
        return logged.apply(log, records(log));
      } catch (StoreClosedException e) {
        if (!current.isReplaced(log)) {
          throw e;
        }
      }
    }
  }

  private void write(Runnable write, Consumer<List<LoggedChange>> log) {
    this.<@Nullable Void>write(
        (there, handle) ->
            there.<@Nullable Void>write(
                handle,
                space(),
                changes -> {
                  write.run();
                  log.accept(changes);
                  return null;
                }),
        () -> {
          write.run();
          return null;
        });
  }

  @Override
  public Space withDurability(Durability other) {
    return new LoggedSpace(space().withDurability(other), current, other, isElement);
  }

  @Override
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    write(
        () -> space().put(hashKey, sortKey, value, expiryMillis),
        changes -> addPut(changes, hashKey, sortKey, value, expiryMillis));
  }

  @Override
  public void delete(byte[] hashKey, byte[] sortKey) {
    write(() -> space().delete(hashKey, sortKey), changes -> addRemoval(changes, hashKey, sortKey));
  }

  @Override
  public void putAll(Collection<RowRecord> all) {
    if (isOn()) {
      inChunks(
          all,
          space()::putAll,
          (it, changes) ->
              addPut(changes, it.hashKey(), it.sortKey(), it.value(), it.expiryMillis()));
    } else {
      space().putAll(all);
    }
  }

  @Override
  public void deleteAll(Collection<RecordKey> keys) {
    if (isOn()) {
      inChunks(
          keys,
          space()::deleteAll,
          (it, changes) -> addRemoval(changes, it.hashKey(), it.sortKey()));
    } else {
      space().deleteAll(keys);
    }
  }

  private <T> void inChunks(
      Collection<T> all, Consumer<List<T>> write, BiConsumer<T, List<LoggedChange>> log) {
    List<T> list = List.copyOf(all);
    for (int from = 0; from < list.size(); from += CHUNK) {
      List<T> chunk = list.subList(from, Math.min(from + CHUNK, list.size()));
      write(() -> write.accept(chunk), changes -> chunk.forEach(it -> log.accept(it, changes)));
    }
  }

  @Override
  public <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    return this.<R>write(
        (log, handle) ->
            log.<R>write(
                handle,
                space(),
                changes ->
                    space()
                        .<R>transact(
                            hashKey,
                            row -> {
                              changes.clear(); // of an earlier run
                              return transaction.run(new LoggedRow(row, hashKey, changes));
                            })),
        () -> space().<R>transact(hashKey, transaction));
  }

  @Override
  public List<Boolean> writeLeased(List<byte[]> hashKeys, List<LeasedWrite> writes) {
    return isOn() ? super.writeLeased(hashKeys, writes) : space().writeLeased(hashKeys, writes);
  }

  @Override
  public void clear() {
    this.<@Nullable Void>write(
        (log, handle) -> {
          log.changeAll(handle, space(), LoggedChange.CLEAR, Expiry.NEVER);
          return null;
        },
        () -> {
          space().clear();
          return null;
        });
  }

  @Override
  public void expireAt(long expiryMillis) {
    this.<@Nullable Void>write(
        (log, handle) -> {
          log.changeAll(handle, space(), LoggedChange.EXPIRY, Expiry.normalize(expiryMillis));
          return null;
        },
        () -> {
          space().expireAt(expiryMillis);
          return null;
        });
  }

  @Override
  public boolean expireAtIf(long expiryMillis, LongPredicate condition) {
    return write(
        (log, handle) -> log.expireIf(handle, space(), Expiry.normalize(expiryMillis), condition),
        () -> space().expireAtIf(expiryMillis, condition));
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
