package io.rockpool.redis;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.LeasedRead;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.Moment;
import io.rockpool.store.Durability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A handle of a space in Redis. */
final class RedisSpace implements Space {
  /** The longest string of Redis, without room for the parts that are not the value. */
  static final int MAX_VALUE_BYTES = (512 << 20) - 1024;

  static final EngineLimits LIMITS =
      new EngineLimits(Limits.MAX_HASH_KEY_BYTES, Limits.MAX_SORT_KEY_BYTES, MAX_VALUE_BYTES);

  private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final RedisEngine engine;
  private final String name;

  /** Whether replicas may answer reads. */
  private final boolean readsFromReplicas;

  /** The entries of the space that has the name now. */
  private volatile Entries current;

  RedisSpace(RedisEngine engine, Entries entries, boolean readsFromReplicas) {
    this.engine = engine;
    this.readsFromReplicas = readsFromReplicas;
    this.name = entries.state().name;
    this.current = entries;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public SpaceInfo info() {
    return call(
        entries ->
            engine.generations().requireThere(entries.state()).infoAt(engine.clock().millis()));
  }

  @Override
  public <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    checkKey(hashKey, sortKey);
    Objects.requireNonNull(reader, "reader");
    StoredEntry found = this.<@Nullable StoredEntry>call(entries -> read(entries, hashKey));
    return found == null
        ? null
        : reader.read(found.bytes(), StoredEntry.VALUE, found.valueBytes(), found.expiryMillis());
  }

  private @Nullable StoredEntry read(Entries entries, byte[] hashKey) {
    engine.settleDropped(entries, List.of(hashKey));
    ReplicaReads replicas = readsFromReplicas ? entries.replicaReads() : null;
    ReplicaReads.Answer answer = replicas == null ? null : replicas.get(hashKey);
    if (answer != null) {
      return answer.entry();
    }
    engine.countRead(1);
    return entries.get(hashKey);
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    List<RecordKey> wanted = checkedKeys(keys);
    List<byte[]> hashKeys = wanted.stream().map(RecordKey::hashKey).toList();
    List<@Nullable StoredEntry> found =
        readsFromReplicas ? call(entries -> readAnywhere(entries, hashKeys)) : read(hashKeys);
    List<@Nullable RowRecord> records = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      StoredEntry entry = found.get(i);
      records.add(entry == null ? null : entry.record(hashKeys.get(i)));
    }
    return records;
  }

  @Override
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    checkKey(hashKey, sortKey);
    checkValue(value);
    RowRecord record = new RowRecord(hashKey, sortKey, value, expiryMillis);
    write(List.of(hashKey), entries -> List.of(entries.put(record)));
  }

  @Override
  public void delete(byte[] hashKey, byte[] sortKey) {
    checkKey(hashKey, sortKey);
    write(List.of(hashKey), entries -> List.of(entries.delete(hashKey)));
  }

  @Override
  public void putAll(Collection<RowRecord> records) {
    List<RowRecord> checked = Arguments.copyOf(records, "records", "record");
    checked.forEach(
        record -> {
          checkKey(record.hashKey(), record.sortKey());
          checkValue(record.value());
        });
    each(
        RedisBatches.of(checked, record -> record.hashKey().length + record.value().length),
        batch ->
            write(
                batch.stream().map(RowRecord::hashKey).toList(),
                entries -> batch.stream().map(entries::put).toList()));
  }

  @Override
  public void deleteAll(Collection<RecordKey> keys) {
    List<byte[]> checked = checkedKeys(keys).stream().map(RecordKey::hashKey).toList();
    each(
        RedisBatches.of(checked, hashKey -> hashKey.length),
        batch -> write(batch, entries -> batch.stream().map(entries::delete).toList()));
  }

  /** Makes one batch of a bulk write after the other. */
  private <T> void each(List<List<T>> batches, Consumer<List<T>> write) {
    boolean made = false;
    for (List<T> batch : batches) {
      try {
        write.accept(batch);
      } catch (ServerUnavailableException e) {
        if (made) {
          throw BlindWrites.inPart(name, e);
        }
        throw e;
      }
      made = true;
    }
  }

  private void write(List<byte[]> hashKeys, Function<Entries, List<EntryWrite>> writes) {
    this.<@Nullable Void>change(
        hashKeys,
        entries -> {
          entries.writeAll(writes.apply(entries));
          return null;
        });
  }

  @Override
  public <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    Objects.requireNonNull(transaction, "transaction");
    byte[] row = hashKey.clone();
    return change(
        List.of(row),
        entries ->
            transaction instanceof RecordWrite write
                ? RedisSpace.<R>result(decided(entries, write, row))
                : transaction instanceof LeasedWrite write
                    ? RedisSpace.<R>result(leased(entries, write, row))
                    : repeated(entries, transaction, row));
  }

  @SuppressWarnings({
    "unchecked",
    "TypeParameterUnusedInFormals"
  }) // the result of a LeasedWrite is a Boolean
  private static <R extends @Nullable Object> R result(Boolean made) {
    return (R) made;
  }

  private static boolean leased(Entries entries, LeasedWrite write, byte[] row) {
    checkLeased(write);
    return entries.leaseWrites().write(row, write);
  }

  private static void checkLeased(LeasedWrite write) {
    byte[] value = write.value();
    if (value != null) {
      checkValue(value);
    }
  }

  /** {@inheritDoc} Here one round trip to each server for up to 1,000 of them. */
  @Override
  public List<Boolean> writeLeased(List<byte[]> hashKeys, List<LeasedWrite> writes) {
    hashKeys.forEach(hashKey -> checkKey(hashKey, NO_SORT_KEY));
    writes.forEach(RedisSpace::checkLeased);
    List<Integer> all = IntStream.range(0, writes.size()).boxed().toList();
    List<Boolean> made = new ArrayList<>(writes.size());
    for (List<Integer> batch : RedisBatches.of(all, i -> bytes(hashKeys.get(i), writes.get(i)))) {
      List<byte[]> rows = batch.stream().map(i -> hashKeys.get(i).clone()).toList();
      List<LeasedWrite> some = batch.stream().map(writes::get).toList();
      made.addAll(change(rows, entries -> entries.leaseWrites().writeAll(rows, some)));
    }
    return made;
  }

  private static int bytes(byte[] hashKey, LeasedWrite write) {
    byte[] value = write.value();
    return hashKey.length + (value == null ? 0 : value.length);
  }

  /** {@inheritDoc} Here one round trip to each server for up to 1,000 of them. */
  @Override
  public List<LeasedRead> lease(List<byte[]> hashKeys) {
    hashKeys.forEach(hashKey -> checkKey(hashKey, NO_SORT_KEY));
    List<byte[]> wanted = hashKeys.stream().map(byte[]::clone).toList();
    List<LeasedRead> reads = new ArrayList<>(wanted.size());
    for (List<byte[]> batch : RedisBatches.of(wanted, hashKey -> hashKey.length)) {
      reads.addAll(change(batch, entries -> entries.leases().read(batch)));
    }
    return reads;
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway",
    "TypeParameterUnusedInFormals"
  }) // the result of a RecordWrite is a record or null
  private static <R extends @Nullable Object> R result(@Nullable RowRecord record) {
    return (R) record;
  }

  /** The server decides; its answer is what the transaction would return. */
  private @Nullable RowRecord decided(Entries entries, RecordWrite write, byte[] row) {
    Arguments.checkSortKey(write.sortKey(), Layout.ENTRIES);
    if (write.isCounted()) {
      Arguments.checkCounts(name(), Layout.ENTRIES);
    }
    byte[] value = write.value();
    if (value != null) {
      checkValue(value);
    }
    RowRecord expected = write.expected();
    Entries.Condition condition =
        !write.isConditional()
            ? Entries.Condition.NONE
            : expected == null ? Entries.Condition.ABSENT : Entries.Condition.SAME;
    byte[] compared = expected == null ? new byte[0] : StoredEntry.compared(expected);
    Entries.Outcome outcome =
        entries.writeIf(row, condition, compared, value, write.expiryMillis());
    StoredEntry before = outcome.before();
    return before == null ? null : before.record(row);
  }

  /** Runs on what was read, and writes on condition that it is still there. */
  private <R extends @Nullable Object> R repeated(
      Entries entries, RowTransaction<R> transaction, byte[] row) {
    for (int i = 1; ; i++) {
      StoredEntry read = entries.get(row);
      Moment moment = new Moment(engine.clock());
      RedisRow view = new RedisRow(name(), row, read == null ? null : read.record(row), moment);
      R result = engine.calls().inTransaction(() -> run(transaction, view));
      if (!view.isChanged()) {
        return result;
      }
      RowRecord after = view.record();
      Entries.Outcome outcome =
          entries.writeIf(
              row,
              Entries.Condition.WRITE_ID,
              Entries.writeId(read),
              after == null ? null : after.value(),
              after == null ? Expiry.NEVER : after.expiryMillis());
      if (outcome.made()) {
        return result;
      }
      pause(i);
    }
  }

  private static <R extends @Nullable Object> R run(RowTransaction<R> transaction, RedisRow view) {
    try {
      return transaction.run(view);
    } finally {
      view.end();
    }
  }

  /** After several conflicts, a random time, so that one of the writers gets through. */
  private static void pause(int conflicts) {
    if (conflicts > 2) {
      long most = Math.min(MAX_PAUSE_NANOS, (long) conflicts * conflicts * 10_000);
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
    }
  }

  @Override
  public long count(byte[] hashKey) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    Arguments.checkCounts(name(), Layout.ENTRIES);
    return 0;
  }

  @Override
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(direction, "direction");
    Arguments.checkScanLimit(limit);
    boolean shown = limit > 0 && range.contains(NO_SORT_KEY);
    List<byte[]> hashKeys = shown ? List.of(hashKey.clone()) : List.of();
    return call(entries -> new RedisCursor(this, hashKeys, null));
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo) {
    if (after != null) {
      checkKey(after.hashKey(), after.sortKey());
    }
    if (upTo != null) {
      checkKey(upTo.hashKey(), upTo.sortKey());
    }
    return call(
        entries ->
            new RedisCursor(
                this,
                hashKeys(entries, after, upTo),
                upTo == null ? entries.state().tails : null)); // else not all that follows
  }

  private List<byte[]> hashKeys(
      Entries entries, @Nullable RecordKey after, @Nullable RecordKey upTo) {
    List<byte[]> all = after == null ? null : entries.state().tails.take(after.hashKey());
    if (all == null) {
      List<byte[]> listed = entries.hashKeys();
      all =
          after == null
              ? listed
              : listed.stream()
                  .filter(key -> Arrays.compareUnsigned(key, after.hashKey()) > 0)
                  .toList();
    }
    return upTo == null
        ? all
        : all.stream().filter(key -> Arrays.compareUnsigned(key, upTo.hashKey()) <= 0).toList();
  }

  /** Reads records for a cursor. */
  List<@Nullable StoredEntry> read(List<byte[]> hashKeys) {
    return call(entries -> readAtMaster(entries, hashKeys));
  }

  private List<@Nullable StoredEntry> readAtMaster(Entries entries, List<byte[]> hashKeys) {
    engine.settleDropped(entries, hashKeys);
    engine.countRead(hashKeys.size());
    return entries.getAll(hashKeys);
  }

  /** Reads at replicas, and at the masters what these do not answer. */
  private List<@Nullable StoredEntry> readAnywhere(Entries entries, List<byte[]> hashKeys) {
    ReplicaReads replicas = entries.replicaReads();
    if (replicas == null) {
      return readAtMaster(entries, hashKeys);
    }
    engine.settleDropped(entries, hashKeys);
    List<ReplicaReads.@Nullable Answer> answers = replicas.getAll(hashKeys);
    List<byte[]> unanswered = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i) == null) {
        unanswered.add(hashKeys.get(i));
      }
    }
    Iterator<@Nullable StoredEntry> others =
        unanswered.isEmpty()
            ? Collections.emptyIterator()
            : readAtMaster(entries, unanswered).iterator();
    List<@Nullable StoredEntry> found = new ArrayList<>(answers.size());
    for (ReplicaReads.Answer answer : answers) {
      found.add(answer == null ? others.next() : answer.entry());
    }
    return found;
  }

  /** Runs what may change entries: afterwards, no replica answers that has not got the change. */
  private <R extends @Nullable Object> R change(
      List<byte[]> hashKeys, Function<Entries, R> operation) {
    return call(
        entries -> {
          engine.settleDropped(entries, hashKeys);
          try {
            return operation.apply(entries);
          } finally {
            entries.changed(hashKeys);
          }
        });
  }

  /** Throws if the engine is closed. */
  void checkOpen() {
    engine.calls().checkOpen();
  }

  /** {@inheritDoc} The keys of a server cannot be divided cheaply, so there is one part. */
  @Override
  public List<RecordKey> splits(int parts) {
    Arguments.checkParts(parts);
    return call(entries -> List.of());
  }

  @Override
  public void clear() {
    this.<@Nullable Void>call(
        entries -> {
          engine.generations().replaceAll(entries.state());
          engine.forgetDropped(entries.state());
          entries.state().tails.clear();
          engine.garbage().sweepAfterClear();
          return null;
        });
  }

  @Override
  public void expireAt(long expiryMillis) {
    long expiry = Expiry.normalize(expiryMillis);
    if (Expiry.isPast(expiry, engine.clock())) {
      clear();
      return;
    }
    this.<@Nullable Void>call(
        entries -> {
          CatalogEntry unused = engine.generations().requireThere(entries.state());
          boolean unusedFound = engine.change(name, entry -> entry.expiring(expiry));
          engine.generations().expireAll(entries.state(), expiry);
          return null;
        });
  }

  @Override
  public SpaceSnapshot snapshot() {
    throw Capability.SNAPSHOTS.missingFrom(engine);
  }

  /** This handle: the server's configuration says what writes survive. */
  @Override
  public Space withDurability(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    return this;
  }

  @Override
  public Space withReadsFromReplicas() {
    Entries entries = current;
    return entries.replicaReads() == null ? this : new RedisSpace(engine, entries, true);
  }

  private <R extends @Nullable Object> R call(Function<Entries, R> operation) {
    return engine
        .calls()
        .run(
            () -> {
              while (true) {
                try {
                  Entries entries = current();
                  entries.state().checkThere();
                  return operation.apply(entries);
                } catch (SpaceMovedException e) {
                  // Nothing of it can be seen where the space is now.
                }
              }
            });
  }

  private Entries current() {
    Entries entries = current;
    RedisSpaceState newest = entries.state().newest();
    if (newest != entries.state()) {
      entries = engine.entries(newest);
      current = entries;
    }
    return entries;
  }

  private static List<RecordKey> checkedKeys(Collection<RecordKey> keys) {
    List<RecordKey> checked = Arguments.copyOf(keys, "keys", "key");
    checked.forEach(key -> checkKey(key.hashKey(), key.sortKey()));
    return checked;
  }

  private static void checkKey(byte[] hashKey, byte[] sortKey) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    Arguments.checkSortKey(sortKey, Layout.ENTRIES);
  }

  static void checkValue(byte[] value) {
    EngineLimits.OF_CONTRACT.checkValue(value);
    LIMITS.checkValue(value);
  }
}
