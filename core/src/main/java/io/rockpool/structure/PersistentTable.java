package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A table of rows that lives on disk and survives the death of its process: each hash key has a
 * row, and a row has sort keys, in their order, and a value at each. It is what Apache Pegasus has,
 * with types. Thread-safe.
 *
 * <p><b>Keys and values</b> go in and come out by value, and are equal as in a {@link
 * PersistentMap}. Sort keys are of a type that has an {@link io.rockpool.codec.OrderedCodec}, as
 * the keys of a {@link PersistentSortedMap}. A row is there as long as it has a record; there may
 * be any number of rows.
 *
 * <p><b>Atomicity.</b> A row is the unit of it: whatever one call changes in a row is changed at
 * once or not at all, however many records that are, and on the condition of a check if it has one.
 * Reads of one record see it as one write left it; reads of several are not atomic. Writers of
 * different rows do not wait for each other. What must be atomic over several rows belongs into a
 * transaction of the store.
 *
 * <p><b>Durability.</b> An operation that has returned survives {@code kill -9}; what it survives
 * of a power loss is the {@link io.rockpool.engine.Durability} the table was opened with, or what
 * {@link io.rockpool.Rockpool#withDurability} says around it.
 *
 * <p><b>Cost.</b> A change of one record is one read and one write; of several, a read for each
 * that is removed and one write. {@link #clear} of the table is one write, however much there is.
 *
 * <p><b>Expiry.</b> Each record may have a time to live of its own. A put starts it anew, with what
 * it says or else with the {@link StructureOptions#entryTtl} of the table; an increment leaves it
 * as it is. An expired record is never seen again, but {@link #sortKeyCount} may include it until
 * it is swept.
 *
 * <p>A value whose bytes can no longer be decoded, because its class changed, is an {@link
 * io.rockpool.error.UndecodableValueException} where it would be returned, checked or added to, and
 * stays as it is. {@link #put}, {@link #remove}, {@link #removeRow} and {@link #mutate} do not look
 * at it; nor do reads of sort keys and expiry.
 *
 * @param <H> the type of hash keys
 * @param <S> the type of sort keys
 * @param <V> the type of values
 */
public final class PersistentTable<H, S, V> extends TableReads<H, S, V>
    implements PersistentStructure {
  private final TableCodec<H, S, V> codec;
  private final StructureSpace space;
  private final Listeners<TableListener<? super H, ? super S, ? super V>> listeners;

  PersistentTable(TableCodec<H, S, V> codec) {
    super(codec);
    this.codec = codec;
    this.space = codec.space();
    this.listeners = new Listeners<>(space);
  }

  private RangeWrites<S, V> writes(H hashKey) {
    return new RangeWrites<>(
        codec.entries(),
        new Records(space, Buckets.ofRow(codec.hashKey(hashKey))),
        listeners.as(listener -> TableListener.ofRow(hashKey, listener)));
  }

  @Override
  public String name() {
    return space.name();
  }

  @Override
  public boolean isClosed() {
    return space.isClosed();
  }

  /** Puts a value. Atomic. */
  public void put(H hashKey, S sortKey, V value) {
    writes(hashKey).put(sortKey, value, space.defaultExpiryMillis());
  }

  /** Puts a value that lives for {@code ttl} from now on; zero or less removes the record. */
  public void put(H hashKey, S sortKey, V value, Duration ttl) {
    writes(hashKey).put(sortKey, value, space.expiryMillis(ttl));
  }

  /** Puts values into a row, all or none. One write. */
  public void putAll(H hashKey, Map<? extends S, ? extends V> values) {
    Mutations<S, V> mutations = new Mutations<>();
    values.forEach(mutations::put);
    mutate(hashKey, mutations);
  }

  /** Puts values that live for {@code ttl} from now on into a row, all or none. One write. */
  public void putAll(H hashKey, Map<? extends S, ? extends V> values, Duration ttl) {
    Mutations<S, V> mutations = new Mutations<>();
    values.forEach((sortKey, value) -> mutations.put(sortKey, value, ttl));
    mutate(hashKey, mutations);
  }

  /** Removes a record, decodable or not. Atomic. Says whether there was one. */
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
   * Removes a row, as {@link PersistentSortedMap#removeRange} does a range: in transactions of some
   * dozens of records each, the whole is not atomic.
   *
   * @return how many records there were
   */
  public long removeRow(H hashKey) {
    return writes(hashKey).removeRange();
  }

  /**
   * Makes changes in a row, all or none.
   *
   * @return how many records it has put, and how many it has removed that were there
   */
  public long mutate(H hashKey, Mutations<S, V> mutations) {
    RowMutation<S, V> mutation = mutation(mutations);
    List<Records.Outcome> outcomes = space.transact(codec.hashKey(hashKey), mutation::make);
    mutation.tell(outcomes, writes(hashKey));
    return outcomes.stream().filter(Records.Outcome::isChange).count();
  }

  /**
   * Puts a value if a record of the same row passes a check. Atomic.
   *
   * @param hashKey the row
   * @param checked the sort key of the record that is checked
   * @param check what it must be like
   * @param sortKey where to put the value; it may be the record that is checked
   * @param value the value
   * @return whether it was put, and the value that was checked
   * @throws UnsupportedOperationException if the check is not for such values; nothing is changed
   */
  public CheckResult<V> checkAndSet(H hashKey, S checked, Check<V> check, S sortKey, V value) {
    return checkAndMutate(hashKey, checked, check, new Mutations<S, V>().put(sortKey, value));
  }

  /**
   * Puts a value that lives for {@code ttl} from now on if a record of the same row passes a check;
   * see {@link #checkAndSet(Object, Object, Check, Object, Object)}.
   */
  public CheckResult<V> checkAndSet(
      H hashKey, S checked, Check<V> check, S sortKey, V value, Duration ttl) {
    return checkAndMutate(hashKey, checked, check, new Mutations<S, V>().put(sortKey, value, ttl));
  }

  /**
   * Makes changes in a row, all or none, if a record of the row passes a check. Atomic: what is
   * checked does not change before the changes are made. The check is made with no lock held, and
   * again if another thread changed the record meanwhile. Two reads and one write; one read if it
   * does not pass.
   *
   * @param hashKey the row
   * @param checked the sort key of the record that is checked
   * @param check what it must be like
   * @param mutations what to do then
   * @return whether it was done, and the value that was checked
   * @throws UnsupportedOperationException if the check is not for such values; nothing is changed
   */
  public CheckResult<V> checkAndMutate(
      H hashKey, S checked, Check<V> check, Mutations<S, V> mutations) {
    Objects.requireNonNull(check, "check");
    byte[] row = codec.hashKey(hashKey);
    byte[] key = codec.entries().key(checked);
    RowMutation<S, V> mutation = mutation(mutations);
    while (true) {
      RowRecord found = space.use().get(row, key);
      V value = codec.entries().decodedOrNull(found);
      if (!space.deciding(row, key, () -> check.passes(value))) {
        return new CheckResult<>(false, value);
      }
      Optional<List<Records.Outcome>> outcomes =
          space.transact(row, transaction -> mutated(transaction, key, found, mutation));
      if (outcomes.isPresent()) {
        mutation.tell(outcomes.get(), writes(hashKey));
        return new CheckResult<>(true, value);
      }
    }
  }

  /** Makes changes if the record that was checked is still the one that was found. */
  private Optional<List<Records.Outcome>> mutated(
      Row row, byte[] checked, @Nullable RowRecord found, RowMutation<S, V> mutation) {
    return Records.isSame(row.get(checked), found)
        ? Optional.of(mutation.make(row))
        : Optional.empty();
  }

  private RowMutation<S, V> mutation(Mutations<S, V> mutations) {
    return new RowMutation<>(codec.entries(), mutations, !listeners.isEmpty());
  }

  /**
   * Adds {@code by} to a value, or to 0 if there is none, and leaves the expiry. Atomic.
   *
   * @return the sum, which is there now
   * @throws UnsupportedOperationException if values are neither {@code Long} nor {@code Integer}
   * @throws ArithmeticException if the sum is too large for them; nothing is changed
   */
  public V increment(H hashKey, S sortKey, long by) {
    return writes(hashKey).increment(sortKey, by);
  }

  /** Lets a record live until {@code when}; what is past removes it. Says whether there was one. */
  public boolean expireAt(H hashKey, S sortKey, Instant when) {
    return writes(hashKey).expire(sortKey, space.expiryMillis(when));
  }

  /**
   * Lets a record live for {@code ttl} from now on; zero or less removes it. Says whether there was
   * one.
   */
  public boolean expireAfter(H hashKey, S sortKey, Duration ttl) {
    return writes(hashKey).expire(sortKey, space.expiryMillis(ttl));
  }

  /** Lets a record live for ever. Says whether there is one. */
  public boolean persist(H hashKey, S sortKey) {
    return writes(hashKey).expire(sortKey, Expiry.NEVER);
  }

  /**
   * A row as a live map, with all that a {@link PersistentSortedMap} says of views: what is put
   * there is put into the table. To clear it is {@link #removeRow}; its size is {@link
   * #sortKeyCount}. O(1), no read.
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

  @Override
  public void expireAt(Instant when) {
    space.expireAt(when);
  }

  @Override
  public void expireAfter(Duration ttl) {
    space.expireAfter(ttl);
  }

  @Override
  public void persist() {
    space.persist();
  }

  @Override
  public Duration ttl() {
    return space.ttl();
  }

  /**
   * The table as it is now, unchanging and for reading only. O(1).
   *
   * @return it; to be closed
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<TableView<H, S, V>> snapshot() {
    return new Snapshot<>(space.use().snapshot(), this::of);
  }

  /** Lets {@code listener} be told of changes from now on, until the registration is closed. */
  public Registration addListener(TableListener<? super H, ? super S, ? super V> listener) {
    return listeners.add(listener);
  }
}
