package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.store.Registration;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A persistent table with the data model of Apache Pegasus, plus types. Each hash key has a row; a
 * row has sort keys in order, and a value for each. Thread-safe.
 *
 * <pre>{@code
 * PersistentTable<String, String, Long> baskets =
 *     pool.table("shop/baskets", String.class, String.class, Long.class);
 * baskets.putAll("ann", Map.of("apple", 2L, "pear", 1L)); // all or none
 * baskets.increment("ann", "apple", 1); // 3
 * baskets.when("ann", "paid", Check.absent()).put("pear", 3L);
 * baskets.row("ann").firstEntry(); // apple=3
 * }</pre>
 *
 * <p><b>Keys and values</b> are copied, and are equal as in a {@link PersistentMap}. The sort key
 * type has an {@link io.rockpool.codec.OrderedCodec}, like the keys of a {@link
 * PersistentSortedMap}. A row exists while it has a record. The number of rows is not limited.
 *
 * <p><b>Cost.</b> A change of one record is one read and one write. A change of several is one read
 * for each removed record and one write. {@link #clear} of the table is one write, however many
 * records there are.
 *
 * <p><b>Atomicity.</b> The row is the unit of atomicity. One call changes all its records of a row
 * or none, however many there are, and only if its check passes. A read of one record sees the
 * result of one write. {@link #fetch} reads several records of a row atomically, other reads do
 * not. Writers of different rows do not block each other.
 *
 * <p><b>Durability.</b> A completed operation survives {@code kill -9}. Its {@link
 * io.rockpool.store.Durability} says whether it survives a power loss: the level of the table, or
 * of {@link io.rockpool.Rockpool#withDurability} around the call.
 *
 * <p><b>Transactions.</b> Operations of the calling thread join {@link
 * io.rockpool.Rockpool#atomically}, bulk operations and iterations as well. No other thread changes
 * a row between its read or change in the transaction and the commit. {@link #stream}, {@link
 * #streams}, {@link #rowKeys}, {@link #isEmpty} and {@link #clear} concern all rows, so they throw
 * {@link IllegalStateException} there, a stream at its terminal operation at the latest. So do
 * {@link #clearAt}, {@link #clearAfter}, {@link #cancelClear} and {@link #snapshot}, and nothing is
 * changed. {@link #clearsIn} works, but does not join. {@link #removeRow} and {@code clear} of a
 * {@link #row} join. Listeners are notified after the commit.
 *
 * <p><b>Expiry.</b> Each record can have its own time to live. A put starts it, with the given
 * value or the {@link StructureOptions#entryTtl} of the table; an increment keeps it. An expired
 * record is never returned, but {@link #count} may include it until it is swept.
 *
 * <p><b>Errors.</b> {@link PersistentStructure} documents the exceptions of all structures. A value
 * whose class has changed so that it can no longer be decoded stays in the table. Operations that
 * would return, check or increment it throw {@link io.rockpool.error.UndecodableValueException}.
 * {@link #put}, {@link #remove}, {@link #removeRow}, {@link #mutate} and reads of sort keys and
 * expiry do not decode it.
 *
 * @param <H> the type of hash keys
 * @param <S> the type of sort keys
 * @param <V> the type of values
 */
public final class PersistentTable<H, S, V> extends TableReads<H, S, V>
    implements PersistentStructure {
  private final TableCodec<H, S, V> codec;
  private final StructureSpace space;
  private final StructureListeners<TableListener<? super H, ? super S, ? super V>> listeners;

  PersistentTable(TableCodec<H, S, V> codec) {
    super(codec);
    this.codec = codec;
    this.space = codec.space();
    this.listeners = new StructureListeners<>(space);
  }

  private RangeWrites<S, V> writes(H hashKey) {
    return new RangeWrites<>(
        codec.entries(),
        new Records(space, Buckets.ofRow(codec.hashKey(hashKey))),
        listeners.as(listener -> TableListener.ofRow(hashKey, listener)));
  }

  StructureSpace space() {
    return space;
  }

  @Override
  <R> R steadily(byte[] row, Function<RowFetch.SteadyRow, R> reader) {
    return space.transact(
        row,
        transaction ->
            reader.apply(
                new RowFetch.SteadyRow() {
                  @Override
                  public Row.Page page(
                      SortRange range, Direction direction, int limit, long maxBytes) {
                    return transaction.page(range, direction, limit, maxBytes);
                  }

                  @Override
                  public List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
                    return transaction.getAll(sortKeys);
                  }
                }));
  }

  /** Puts a value. Atomic. */
  public void put(H hashKey, S sortKey, V value) {
    writes(hashKey).put(sortKey, value, space.defaultExpiryMillis());
  }

  /** Puts a value that expires after {@code ttl}; zero or less removes the record. */
  public void put(H hashKey, S sortKey, V value, Duration ttl) {
    writes(hashKey).put(sortKey, value, space.expiryMillis(ttl));
  }

  /**
   * Puts a value, and returns the old one. Atomic; two reads and one write. An expired value counts
   * as none.
   *
   * @return the old value, or null
   */
  public @Nullable V getAndPut(H hashKey, S sortKey, V value) {
    return writes(hashKey).exchange(sortKey, value, space.defaultExpiryMillis());
  }

  /** Like {@link #getAndPut(Object, Object, Object)}; the value expires after {@code ttl}. */
  public @Nullable V getAndPut(H hashKey, S sortKey, V value, Duration ttl) {
    return writes(hashKey).exchange(sortKey, value, space.expiryMillis(ttl));
  }

  /**
   * Puts a value if there is none. Pegasus' {@code checkAndSet} with {@code CT_VALUE_NOT_EXIST}.
   * Atomic; one read and one write. Does not change the value or the expiry of an existing record.
   *
   * <pre>{@code
   * if (locks.putIfAbsent(tenant, "import", me, ofSeconds(30)) == null) { // it is mine
   * }
   * }</pre>
   *
   * @return the existing value, or null
   */
  public @Nullable V putIfAbsent(H hashKey, S sortKey, V value) {
    return putIfAbsent(hashKey, sortKey, value, space.defaultExpiryMillis());
  }

  /**
   * Like {@link #putIfAbsent(Object, Object, Object)}; the value expires after {@code ttl}, and
   * zero or less puts nothing.
   */
  public @Nullable V putIfAbsent(H hashKey, S sortKey, V value, Duration ttl) {
    return putIfAbsent(hashKey, sortKey, value, space.expiryMillis(ttl));
  }

  private @Nullable V putIfAbsent(H hashKey, S sortKey, V value, long expiryMillis) {
    RowRecord found = writes(hashKey).putIfAbsent(sortKey, value, expiryMillis);
    return codec.entries().decodedOrNull(found);
  }

  /**
   * Replaces the value of an existing record, and keeps its expiry. Atomic; two reads and one
   * write. An expired record is absent.
   *
   * @return the old value, or null if there was none and nothing was put
   */
  public @Nullable V replace(H hashKey, S sortKey, V value) {
    return writes(hashKey).exchangePresent(sortKey, value, RecordChange.KEPT_EXPIRY);
  }

  /**
   * Like {@link #replace(Object, Object, Object)}; the record then expires after {@code ttl}, and
   * zero or less removes it.
   */
  public @Nullable V putIfPresent(H hashKey, S sortKey, V value, Duration ttl) {
    return writes(hashKey).exchangePresent(sortKey, value, space.expiryMillis(ttl));
  }

  /**
   * Replaces {@code expected} with {@code next}, and keeps the expiry. Pegasus' {@code
   * compareExchange}. Atomic; two reads and one write. An expired record has no value.
   *
   * @return whether the record had that value
   */
  public boolean compareAndSet(H hashKey, S sortKey, V expected, V next) {
    return compareAndSet(hashKey, sortKey, expected, next, RecordChange.KEPT_EXPIRY);
  }

  /**
   * Like {@link #compareAndSet(Object, Object, Object, Object)}; the record then expires after
   * {@code ttl}, and zero or less removes it.
   *
   * <pre>{@code
   * boolean mine = locks.compareAndSet(tenant, "import", me, me, ofSeconds(30)); // extends it
   * }</pre>
   */
  public boolean compareAndSet(H hashKey, S sortKey, V expected, V next, Duration ttl) {
    return compareAndSet(hashKey, sortKey, expected, next, space.expiryMillis(ttl));
  }

  private boolean compareAndSet(H hashKey, S sortKey, V expected, V next, long expiryMillis) {
    return writes(hashKey)
        .replace(sortKey, Objects.requireNonNull(expected, "expected"), next, expiryMillis);
  }

  /** Puts values into a row, all or none. One write. */
  public void putAll(H hashKey, Map<? extends S, ? extends V> values) {
    Mutations<S, V> mutations = new Mutations<>();
    values.forEach(mutations::put);
    mutate(hashKey, mutations);
  }

  /** Puts values that expire after {@code ttl} into a row, all or none. One write. */
  public void putAll(H hashKey, Map<? extends S, ? extends V> values, Duration ttl) {
    Mutations<S, V> mutations = new Mutations<>();
    values.forEach((sortKey, value) -> mutations.put(sortKey, value, ttl));
    mutate(hashKey, mutations);
  }

  /**
   * Puts records into any rows. Pegasus' {@code batchSet}. Atomic for each row, with one write; the
   * whole is not. In a transaction the whole is. If it throws, some rows may have been changed.
   *
   * <pre>{@code
   * table.putAll(
   *     List.of(new TableRecord<>("ann", "apple", 2L), new TableRecord<>("bob", "pear", 1L)));
   * }</pre>
   */
  public void putAll(Collection<TableRecord<H, S, V>> records) {
    RowBatch<H, S, V> batch = new RowBatch<>(codec);
    records.forEach(record -> batch.row(record.hashKey()).put(record.sortKey(), record.value()));
    batch.forEach(this::mutate);
  }

  /** Like {@link #putAll(Collection)}, with values that expire after {@code ttl}. */
  public void putAll(Collection<TableRecord<H, S, V>> records, Duration ttl) {
    RowBatch<H, S, V> batch = new RowBatch<>(codec);
    records.forEach(
        record -> batch.row(record.hashKey()).put(record.sortKey(), record.value(), ttl));
    batch.forEach(this::mutate);
  }

  /**
   * Removes records of any rows, decodable or not. Pegasus' {@code batchDel}. Atomic for each row,
   * like {@link #putAll(Collection)}.
   *
   * <pre>{@code
   * table.removeAll(List.of(new TableKey<>("ann", "apple"), new TableKey<>("bob", "pear")));
   * }</pre>
   *
   * @return how many there were
   */
  public long removeAll(Collection<TableKey<H, S>> keys) {
    RowBatch<H, S, V> batch = new RowBatch<>(codec);
    keys.forEach(key -> batch.row(key.hashKey()).remove(key.sortKey()));
    return batch.forEach(this::mutate);
  }

  /** Removes a record, decodable or not; returns whether there was one. Atomic. */
  public boolean remove(H hashKey, S sortKey) {
    return writes(hashKey).remove(sortKey) != null;
  }

  /**
   * Removes records of a row, decodable or not, all or none.
   *
   * @return how many there were
   */
  public long removeAll(H hashKey, Collection<? extends S> sortKeys) {
    Mutations<S, V> mutations = new Mutations<>();
    sortKeys.forEach(mutations::remove);
    return mutate(hashKey, mutations);
  }

  /**
   * Removes the records of a row in a range, or those of them that pass its filter, like {@link
   * PersistentSortedMap#removeRange}: up to 64 per transaction. The whole is not atomic. None if
   * the range ends before it begins. Pegasus' {@code delRange}.
   *
   * <pre>{@code
   * table.removeRange("ann", Range.<String>all().endingWith(".tmp"));
   * }</pre>
   *
   * @return how many there were
   * @throws IllegalArgumentException if the range has an offset; nothing is changed
   * @throws UnsupportedOperationException if it filters sort keys that are neither strings nor byte
   *     arrays
   */
  public long removeRange(H hashKey, Range<S> range) {
    return range.isBackwards(codec.entries()) ? 0 : writes(hashKey).removeRange(range);
  }

  /**
   * Removes a row, like {@link PersistentSortedMap#removeRange}: up to 64 records per transaction.
   * The whole is not atomic.
   *
   * @return how many records there were
   */
  public long removeRow(H hashKey) {
    return writes(hashKey).removeRange();
  }

  /**
   * Applies changes to a row, all or none.
   *
   * @return how many records it put, plus how many existing records it removed
   */
  public long mutate(H hashKey, Mutations<S, V> mutations) {
    RowMutation<S, V> mutation = mutation(mutations);
    List<Records.Outcome> outcomes = space.transact(codec.hashKey(hashKey), mutation::make);
    mutation.tell(outcomes, writes(hashKey));
    return outcomes.stream().filter(Records.Outcome::isChange).count();
  }

  /**
   * Changes of a row that apply only if one of its records passes a check, as in {@code
   * table.when(row, "state", Check.equalTo("new")).put("state", "paid")}. This call reads and
   * changes nothing; the calls of the result do.
   *
   * @param hashKey the row
   * @param sortKey the sort key of the record to check
   * @param check the condition on that record
   */
  public ConditionalRow<S, V> when(H hashKey, S sortKey, Check<V> check) {
    Objects.requireNonNull(check, "check");
    byte[] row = codec.hashKey(hashKey);
    byte[] key = codec.entries().key(sortKey);
    return new ConditionalRow<>(
        mutations -> mutateIf(row, key, check, mutation(mutations), writes(hashKey)));
  }

  private CheckResult<V> mutateIf(
      byte[] row,
      byte[] key,
      Check<V> check,
      RowMutation<S, V> mutation,
      RangeWrites<S, V> writes) {
    while (true) {
      RowRecord found = space.use().get(row, key);
      V value = codec.entries().decodedOrNull(found);
      if (!space.deciding(row, key, () -> check.passes(value))) {
        return new CheckResult<>(false, value);
      }
      Optional<List<Records.Outcome>> outcomes =
          space.transact(row, transaction -> mutated(transaction, key, found, mutation));
      if (outcomes.isPresent()) {
        mutation.tell(outcomes.get(), writes);
        return new CheckResult<>(true, value);
      }
    }
  }

  /** Applies the changes if the checked record is still the one that was found. */
  private Optional<List<Records.Outcome>> mutated(
      Row row, byte[] checked, @Nullable RowRecord found, RowMutation<S, V> mutation) {
    return row.isUnchanged(checked, found) ? Optional.of(mutation.make(row)) : Optional.empty();
  }

  private RowMutation<S, V> mutation(Mutations<S, V> mutations) {
    return new RowMutation<>(codec.entries(), mutations, !listeners.isEmpty());
  }

  /**
   * Adds {@code by} to a value, or to 0 if there is none, and keeps its expiry. Pegasus' {@code
   * incr}, also on text. Types, cost and errors are those of {@link PersistentMap#increment(Object,
   * long)}. Atomic.
   *
   * @return the new value
   */
  public V increment(H hashKey, S sortKey, long by) {
    return writes(hashKey).increment(sortKey, Addition.of(by), space.defaultExpiryMillis());
  }

  /**
   * Like {@link #increment(Object, Object, long)}; a new record expires after {@code ttl}. With a
   * ttl of zero or less, a new record is not stored.
   */
  public V increment(H hashKey, S sortKey, long by, Duration ttl) {
    return writes(hashKey).increment(sortKey, Addition.of(by), space.expiryMillis(ttl));
  }

  /**
   * Like {@link #increment(Object, Object, long)}, and makes the record expire after {@code ttl},
   * whether it is new or not; zero or less removes it. Pegasus' {@code incr} with a TTL.
   *
   * <pre>{@code
   * failures.incrementAndExpire(tenant, user, 1, ofHours(1)); // forgotten an hour after the last
   * }</pre>
   *
   * @return the new value
   */
  public V incrementAndExpire(H hashKey, S sortKey, long by, Duration ttl) {
    long expiryMillis = space.expiryMillis(ttl);
    return writes(hashKey).increment(sortKey, Addition.of(by), expiryMillis, expiryMillis);
  }

  /**
   * Adds a fraction to a value, or to 0 if there is none, and keeps its expiry. Types, cost and
   * errors are those of {@link PersistentMap#increment(Object, double)}. Atomic.
   *
   * @return the new value
   */
  public V increment(H hashKey, S sortKey, double by) {
    return writes(hashKey).increment(sortKey, Addition.of(by), space.defaultExpiryMillis());
  }

  /** Like {@link #increment(Object, Object, double)}; a new record expires after {@code ttl}. */
  public V increment(H hashKey, S sortKey, double by, Duration ttl) {
    return writes(hashKey).increment(sortKey, Addition.of(by), space.expiryMillis(ttl));
  }

  /**
   * Makes a record expire at {@code when}; a past instant removes it. Returns whether there was
   * one.
   */
  public boolean expireAt(H hashKey, S sortKey, Instant when) {
    return writes(hashKey).expire(sortKey, space.expiryMillis(when));
  }

  /**
   * Makes a record expire after {@code ttl}; zero or less removes it. Returns whether there was
   * one.
   */
  public boolean expireAfter(H hashKey, S sortKey, Duration ttl) {
    return writes(hashKey).expire(sortKey, space.expiryMillis(ttl));
  }

  /**
   * Like {@link #expireAt(Object, Object, Instant)}, if the condition holds. Atomic; one read, and
   * one write if it holds. An expired record is absent.
   *
   * @return whether there was a record, and the condition held
   */
  public boolean expireAt(H hashKey, S sortKey, Instant when, ExpiryCondition condition) {
    return writes(hashKey).expire(sortKey, space.expiryMillis(when), condition);
  }

  /**
   * Like {@link #expireAt(Object, Object, Instant, ExpiryCondition)}, {@code ttl} from now.
   *
   * <pre>{@code
   * sessions.expireAfter(user, id, ofMinutes(30), ExpiryCondition.LATER); // never shortens it
   * }</pre>
   */
  public boolean expireAfter(H hashKey, S sortKey, Duration ttl, ExpiryCondition condition) {
    return writes(hashKey).expire(sortKey, space.expiryMillis(ttl), condition);
  }

  /** Removes the expiry of a record. Returns whether there is one. */
  public boolean persist(H hashKey, S sortKey) {
    return writes(hashKey).expire(sortKey, Expiry.NEVER);
  }

  /**
   * A row as a live map; changes write through to the table. {@link PersistentSortedMap} documents
   * views. Its clear is {@link #removeRow}, its size {@link #count}. O(1), no read. {@code
   * row(h).putIfAbsent(s, v)}, {@code replace}, {@code compute} and {@code merge} change one record
   * atomically.
   */
  @Override
  public ConcurrentNavigableMap<S, V> row(H hashKey) {
    return new RangeMap<>(new EntryRange<>(reads(hashKey), writes(hashKey)));
  }

  @Override
  public void clear() {
    space.use().clear();
    listeners.tell(TableListener::onClear);
  }

  /**
   * A read-only snapshot of the table. O(1).
   *
   * @return the snapshot; the caller closes it
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<TableView<H, S, V>> snapshot() {
    return new Snapshot<>(space.use().snapshot(), this::of);
  }

  /** Notifies {@code listener} of changes of this process until the registration is closed. */
  public Registration addListener(TableListener<? super H, ? super S, ? super V> listener) {
    return listeners.add(listener);
  }
}
