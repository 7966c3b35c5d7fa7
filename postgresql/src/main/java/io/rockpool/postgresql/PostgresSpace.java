package io.rockpool.postgresql;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.LeasedRead;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.store.Durability;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A handle of a space: its number, which ends with a drop or reset. */
final class PostgresSpace implements Space {
  private static final Comparator<RecordKey> KEY_ORDER =
      Comparator.comparing(RecordKey::hashKey, Arrays::compareUnsigned)
          .thenComparing(RecordKey::sortKey, Arrays::compareUnsigned);

  private final PostgresEngine engine;
  private final long id;
  private final String name;
  private final Layout layout;
  private final SpaceCalls calls;

  PostgresSpace(PostgresEngine engine, long id, String name, Layout layout) {
    this.engine = engine;
    this.id = id;
    this.name = name;
    this.layout = layout;
    this.calls = new SpaceCalls(engine, id, name, layout);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public SpaceInfo info() {
    return engine.call(
        () -> {
          PostgresCatalog.Known known =
              engine.catalog().find(engine.connections(), name, engine.nowMillis());
          if (known == null || known.id() != id) {
            throw PostgresCatalog.ended(name);
          }
          return known.info();
        });
  }

  @Override
  public <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    checkKey(hashKey, sortKey);
    Objects.requireNonNull(reader, "reader");
    return engine.<@Nullable R>call(
        () -> {
          JoinedSpace joined = joined();
          if (joined != null) {
            return joined.get(hashKey, sortKey, reader);
          }
          KeptRecord found = calls.get(hashKey, sortKey);
          return found == null
              ? null
              : reader.read(found.value(), 0, found.value().length, found.expiryMillis());
        });
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    List<RecordKey> wanted = checkedKeys(keys);
    return engine.call(
        () -> {
          JoinedSpace joined = joined();
          return joined == null ? calls.getAll(wanted) : joined.getAll(wanted);
        });
  }

  @Override
  public long count(byte[] hashKey) {
    checkHashKey(hashKey);
    Arguments.checkCounts(name, layout);
    return engine.call(
        () -> {
          JoinedSpace joined = joined();
          return joined == null ? calls.count(hashKey) : joined.count(hashKey);
        });
  }

  @Override
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    checkHashKey(hashKey);
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(direction, "direction");
    Arguments.checkScanLimit(limit);
    byte[] row = hashKey.clone();
    return engine.call(
        () -> {
          JoinedSpace joined = joined();
          return joined == null
              ? cursor((last, size) -> rowPage(row, range, direction, last, size), limit)
              : joined.scan(row, range, direction, limit);
        });
  }

  private List<RowRecord> rowPage(
      byte[] row, SortRange range, Direction direction, @Nullable RecordKey last, int size) {
    SortRange left = range;
    if (last != null) {
      byte[] sortKey = last.sortKey();
      left = direction == Direction.FORWARD ? range.from(sortKey, false) : range.to(sortKey, false);
    }
    return calls.scan(row, left, direction, size);
  }

  private Cursor cursor(PageCursor.Pages pages, long limit) {
    return new PageCursor(
        (last, size) -> engine.outside(() -> pages.next(last, size)), engine::checkOpen, limit);
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo) {
    engine.refuseInTransaction("A scan of all rows");
    RecordKey start = after == null ? null : copied(after);
    RecordKey end = upTo == null ? null : copied(upTo);
    return engine.call(
        () ->
            cursor(
                (last, size) -> calls.scanAll(last == null ? start : last, end, size),
                Long.MAX_VALUE));
  }

  /** A place may be behind every key that the engine takes. */
  private RecordKey copied(RecordKey key) {
    EngineLimits.OF_CONTRACT.checkHashKey(key.hashKey());
    Arguments.checkSortKey(key.sortKey(), layout);
    return new RecordKey(key.hashKey().clone(), key.sortKey().clone());
  }

  /** {@inheritDoc} It reads the keys, up to a bound, and no values. */
  @Override
  public List<RecordKey> splits(int parts) {
    Arguments.checkParts(parts);
    engine.refuseInTransaction("A split of all rows");
    return engine.call(() -> calls.splits(parts));
  }

  @Override
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    checkRecord(hashKey, sortKey, value);
    write(
        joined -> joined.put(hashKey, sortKey, value, expiryMillis),
        () -> calls.put(new RowRecord(hashKey, sortKey, value, expiryMillis)));
  }

  @Override
  public void delete(byte[] hashKey, byte[] sortKey) {
    checkKey(hashKey, sortKey);
    write(
        joined -> joined.delete(hashKey, sortKey),
        () -> calls.deleteAll(List.of(new RecordKey(hashKey, sortKey))));
  }

  @Override
  public void putAll(Collection<RowRecord> records) {
    List<RowRecord> checked = Arguments.copyOf(records, "records", "record");
    checked.forEach(record -> checkRecord(record.hashKey(), record.sortKey(), record.value()));
    write(
        joined -> joined.putAll(checked),
        () -> {
          TreeMap<RecordKey, RowRecord> sorted = new TreeMap<>(KEY_ORDER);
          checked.forEach(
              record -> sorted.put(new RecordKey(record.hashKey(), record.sortKey()), record));
          PostgresBatches.of(
              sorted.values(),
              record -> record.value().length + record.hashKey().length + record.sortKey().length,
              calls::putAll);
        });
  }

  @Override
  public void deleteAll(Collection<RecordKey> keys) {
    List<RecordKey> checked = checkedKeys(keys);
    write(
        joined -> joined.deleteAll(checked),
        () -> {
          TreeMap<RecordKey, RecordKey> sorted = new TreeMap<>(KEY_ORDER);
          checked.forEach(key -> sorted.put(key, key));
          PostgresBatches.of(
              sorted.values(),
              key -> key.hashKey().length + key.sortKey().length,
              calls::deleteAll);
        });
  }

  @Override
  public <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    checkHashKey(hashKey);
    Objects.requireNonNull(transaction, "transaction");
    byte[] row = hashKey.clone();
    return engine.call(
        () -> {
          JoinedSpace joined = joined();
          if (joined != null) {
            return joined.transact(row, transaction);
          }
          if (transaction instanceof RecordWrite write) {
            @SuppressWarnings({"unchecked", "NullAway"}) // the result is a record, or null
            R before = (R) writeOne(row, write);
            return before;
          }
          if (transaction instanceof LeasedWrite write) {
            checkLeased(row, write);
            @SuppressWarnings("unchecked") // the result is a Boolean
            R made = (R) calls.writeLeased(List.of(row), List.of(write)).get(0);
            return made;
          }
          return calls.transact(row, transaction);
        });
  }

  @Override
  public List<LeasedRead> lease(List<byte[]> hashKeys) {
    hashKeys.forEach(hashKey -> checkKey(hashKey, NO_SORT_KEY));
    engine.refuseInTransaction("A lease");
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    hashKeys.forEach(hashKey -> sorted.add(hashKey.clone()));
    return engine.call(
        () -> {
          Map<byte[], LeasedRead> found = calls.lease(sorted.toArray(byte[][]::new));
          return hashKeys.stream().map(key -> Objects.requireNonNull(found.get(key))).toList();
        });
  }

  @Override
  public List<Boolean> writeLeased(List<byte[]> hashKeys, List<LeasedWrite> writes) {
    for (int i = 0; i < writes.size(); i++) {
      checkLeased(hashKeys.get(i), writes.get(i));
    }
    if (engine.transaction() != null || writes.isEmpty()) {
      return Space.super.writeLeased(hashKeys, writes);
    }
    List<byte[]> keys = hashKeys.stream().map(byte[]::clone).toList();
    return engine.call(() -> calls.writeLeased(keys, List.copyOf(writes)));
  }

  private void checkLeased(byte[] hashKey, LeasedWrite write) {
    byte[] value = write.value();
    checkKey(hashKey, NO_SORT_KEY);
    if (value != null) {
      checkValue(value);
    }
  }

  private @Nullable RowRecord writeOne(byte[] hashKey, RecordWrite write) {
    byte[] value = write.value();
    checkSortKey(write.sortKey());
    if (value != null) {
      checkValue(value);
    }
    if (write.isCounted()) {
      Arguments.checkCounts(name, layout);
    }
    return calls.write(hashKey, write);
  }

  @Override
  public void clear() {
    engine.refuseInTransaction("A clear");
    engine.run(() -> engine.renew(id, name, engine.nowMillis(), true, null));
  }

  @Override
  public void expireAt(long expiryMillis) {
    engine.refuseInTransaction("The expiry of a space");
    long expiry = Expiry.normalize(expiryMillis);
    engine.run(() -> engine.renew(id, name, engine.nowMillis(), false, expiry));
  }

  @Override
  public SpaceSnapshot snapshot() {
    engine.refuseInTransaction("A snapshot");
    throw Capability.SNAPSHOTS.missingFrom(engine);
  }

  /** This handle: the server decides on durability, for all writes alike. */
  @Override
  public Space withDurability(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    return this;
  }

  private @Nullable JoinedSpace joined() {
    PostgresTransaction transaction = engine.transaction();
    return transaction == null ? null : transaction.space(id, name, layout);
  }

  /** Writes in the thread's transaction, or alone. */
  private void write(Consumer<JoinedSpace> inTransaction, Runnable alone) {
    engine.run(
        () -> {
          JoinedSpace joined = joined();
          if (joined == null) {
            alone.run();
          } else {
            inTransaction.accept(joined);
          }
        });
  }

  private List<RecordKey> checkedKeys(Collection<RecordKey> keys) {
    List<RecordKey> checked = Arguments.copyOf(keys, "keys", "key");
    checked.forEach(key -> checkKey(key.hashKey(), key.sortKey()));
    return checked;
  }

  private void checkRecord(byte[] hashKey, byte[] sortKey, byte[] value) {
    checkKey(hashKey, sortKey);
    checkValue(value);
  }

  private void checkKey(byte[] hashKey, byte[] sortKey) {
    checkHashKey(hashKey);
    checkSortKey(sortKey);
  }

  private static void checkHashKey(byte[] hashKey) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    PostgresLimits.checkHashKey(hashKey);
  }

  private void checkSortKey(byte[] sortKey) {
    Arguments.checkSortKey(sortKey, layout);
    PostgresLimits.checkSortKey(sortKey);
  }

  private static void checkValue(byte[] value) {
    EngineLimits.OF_CONTRACT.checkValue(value);
    PostgresLimits.checkValue(value);
  }
}
