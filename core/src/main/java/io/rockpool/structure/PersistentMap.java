package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import io.rockpool.internal.access.structure.StoreStructures;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.LongBinaryOperator;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A persistent {@link ConcurrentMap}. Thread-safe.
 *
 * <pre>{@code
 * PersistentMap<String, Long> stock = pool.map("shop/stock", String.class, Long.class);
 * stock.put("apple", 3L);
 * stock.merge("apple", 2L, Long::sum); // 5
 * stock.put("offer", 1L, ofHours(1)); // ends by itself
 * stock.forEach((item, left) -> System.out.println(item + " " + left));
 * }</pre>
 *
 * <p><b>Keys and values</b> are copied on the way in and out: later changes to an instance do not
 * change the map. Two keys are equal if their encoded bytes are equal, even if {@code equals}
 * disagrees, as for the {@code BigDecimal}s 1.0 and 1.00 or for arrays. Reading or removing a key
 * of a different class finds nothing and throws nothing. Null arguments are rejected with a {@link
 * NullPointerException} that names the argument.
 *
 * <p><b>Cost.</b> A get is one read without a lock. A put, remove or replace returns the old value
 * and is two reads and one write. So are methods that compare values or call a function. A put with
 * a time to live returns nothing and is one read and one write. {@link #size} is one read per row.
 * {@link #clear} is one write, however many entries there are. {@code removeIf}, {@code removeAll}
 * and {@code retainAll} of a view, such as {@link #values}, read pages, and remove what they found
 * in batches of up to 1,024: one read and one write for each row in a batch. An entry whose value
 * has changed after its test by value stays. Only {@code entrySet().removeAll} of fewer entries
 * than the map has removes each one on its own.
 *
 * <p><b>Atomicity.</b> Each operation on one key is atomic, and every later read of the key sees
 * it. The map spreads its entries over several rows; a bulk operation is atomic only for the keys
 * of one row. Functions given to {@link #compute} and similar methods run without a lock, so they
 * may use any structure. They run again if another thread changed the entry during the call. A
 * function that changes its own entry gets an {@link IllegalStateException}.
 *
 * <p><b>Durability.</b> A completed operation survives {@code kill -9}. Its {@link
 * io.rockpool.store.Durability} says whether it survives a power loss: the level of the map, or of
 * {@link io.rockpool.Rockpool#withDurability} around the call.
 *
 * <p><b>Transactions.</b> Operations of the calling thread join {@link
 * io.rockpool.Rockpool#atomically}, bulk operations and iterations as well. No other thread changes
 * a row between its read or change in the transaction and the commit; {@link #size} and an
 * iteration read all rows. {@link #clear}, also of a view such as the key set, {@link #clearAt},
 * {@link #clearAfter}, {@link #cancelClear} and {@link #snapshot} throw {@link
 * IllegalStateException} there and change nothing. {@link #clearsIn} works, but does not join.
 * Listeners are notified after the commit.
 *
 * <p><b>Expiry.</b> Each entry can have its own time to live. A put starts it, with the given value
 * or the {@link StructureOptions#entryTtl} of the map. Changes of an existing entry (replace,
 * compute, merge, increment, {@code setValue}) keep its expiry. An expired entry is never returned,
 * but {@code size} may include it until it is swept.
 *
 * <p><b>Iteration</b> is weakly consistent. An iterator returns every entry that is present
 * throughout once, and may or may not reflect concurrent puts, removals and clears. It holds no
 * native resources and a bounded number of entries in memory. If the map is closed or dropped
 * during the iteration, it throws {@link IllegalStateException}, at the latest after the entries
 * that it has read ahead. {@code map.entrySet().stream()} is a stream of all entries.
 *
 * <p><b>Errors.</b> {@link PersistentStructure} documents the exceptions of all structures. An
 * entry whose class has changed so that it can no longer be decoded stays in the map. Reading its
 * value throws {@link io.rockpool.error.UndecodableValueException}. A {@code put}, {@code replace}
 * or {@code remove} that would return it throws before it writes. {@link #putAll(Map)} overwrites
 * it and {@link #removeAll} removes it, because they return no value.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class PersistentMap<K, V> extends EntryMap<K, V> {
  static {
    StoreStructures.FACTORY.set(Structures::new);
  }

  PersistentMap(EntryCodec<K, V> codec, Records records) {
    this(EntryReads.live(codec, records.buckets()), new EntryWrites<>(codec, records));
  }

  private PersistentMap(EntryReads<K, V> reads, EntryWrites<K, V> writes) {
    super(reads, writes);
  }

  /**
   * Calls {@code action} for each entry, with several threads if there are at least {@code
   * parallelismThreshold} entries, like {@link java.util.concurrent.ConcurrentHashMap#forEach(long,
   * BiConsumer)}: the calling thread and those of {@link
   * java.util.concurrent.ForkJoinPool#commonPool}.
   *
   * <pre>{@code
   * sessions.forEach(10_000, (key, session) -> index.add(session)); // several threads
   * }</pre>
   *
   * <p>One scan, of which each thread reads a part, then helps with the others. Weakly consistent,
   * like an iteration; expired entries are left out. If an action throws, the others end after
   * their entry, and this call throws the same. Inside a transaction the calling thread does
   * everything, and the reads join; it must not wait for other threads there.
   *
   * @param parallelismThreshold {@code Long.MAX_VALUE} for the calling thread only, 1 for several
   */
  public void forEach(long parallelismThreshold, BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    parallel(parallelismThreshold, true)
        .forEach(record -> action.accept(key(record), value(record)));
  }

  /**
   * Calls {@code action} for each key, otherwise like {@link #forEach(long, BiConsumer)}. It reads
   * and decodes no value, so it also visits keys of undecodable values.
   *
   * <pre>{@code
   * sessions.forEachKey(1, key -> seen.add(key));
   * }</pre>
   */
  public void forEachKey(long parallelismThreshold, Consumer<? super K> action) {
    Objects.requireNonNull(action, "action");
    parallel(parallelismThreshold, false).forEach(record -> action.accept(key(record)));
  }

  /**
   * Returns a result of {@code function} that is not null, for any entry; null if there is none.
   * Otherwise like {@link #forEach(long, BiConsumer)}; all threads end once one has a result.
   *
   * <pre>{@code
   * String broke = accounts.search(1, (name, balance) -> balance < 0 ? name : null);
   * }</pre>
   */
  public <U> @Nullable U search(
      long parallelismThreshold, BiFunction<? super K, ? super V, ? extends @Nullable U> function) {
    Objects.requireNonNull(function, "function");
    return parallel(parallelismThreshold, true)
        .<U>search(record -> function.apply(key(record), value(record)));
  }

  /**
   * Combines the results of {@code transformer} that are not null with {@code reducer}, which is
   * associative and commutative; null if there is none. Otherwise like {@link #forEach(long,
   * BiConsumer)}.
   *
   * <pre>{@code
   * Long highest = accounts.reduce(1, (name, balance) -> balance, Math::max);
   * }</pre>
   */
  public <U> @Nullable U reduce(
      long parallelismThreshold,
      BiFunction<? super K, ? super V, ? extends @Nullable U> transformer,
      BinaryOperator<U> reducer) {
    Objects.requireNonNull(transformer, "transformer");
    Objects.requireNonNull(reducer, "reducer");
    return parallel(parallelismThreshold, true)
        .<U>reduce(record -> transformer.apply(key(record), value(record)), reducer);
  }

  /**
   * Combines the results of {@code transformer} with {@code reducer}, which is associative and
   * commutative. Otherwise like {@link #forEach(long, BiConsumer)}.
   *
   * <pre>{@code
   * long total = accounts.reduceToLong(1, (name, balance) -> balance, 0, Long::sum);
   * }</pre>
   *
   * @param basis the result without entries; combining it changes nothing
   */
  public long reduceToLong(
      long parallelismThreshold,
      ToLongBiFunction<? super K, ? super V> transformer,
      long basis,
      LongBinaryOperator reducer) {
    Objects.requireNonNull(transformer, "transformer");
    Objects.requireNonNull(reducer, "reducer");
    Long result = reduce(parallelismThreshold, transformer::applyAsLong, reducer::applyAsLong);
    return result == null ? basis : reducer.applyAsLong(basis, result);
  }

  private ParallelEntries parallel(long threshold, boolean withValues) {
    return new ParallelEntries(reads, threshold, withValues);
  }

  private K key(RowRecord record) {
    return reads.codec().decodeKey(record.sortKey());
  }

  private V value(RowRecord record) {
    return reads.codec().decodeValue(record);
  }

  /**
   * A read-only snapshot of the map. O(1).
   *
   * @return the snapshot; the caller closes it
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<Map<K, V>> snapshot() {
    return new Snapshot<>(
        space().use().snapshot(),
        taken -> Collections.unmodifiableMap(new PersistentMap<>(reads.of(taken), writes)));
  }
}
