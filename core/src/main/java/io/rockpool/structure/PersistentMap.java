package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ConcurrentMap} that lives on disk and survives the death of its process. Thread-safe.
 *
 * <p><b>Keys and values</b> go in and come out by value: to change an instance that was put, or
 * that was returned, changes nothing in the map. Two keys are equal if they encode to equal bytes;
 * where that is not what their {@code equals} says (a {@code BigDecimal} 1.0 and 1.00, say, an
 * array), the map follows the bytes. A key of a class that the map does not hold is in no map: to
 * ask for it, or to remove it, is no error. Nulls are refused with a {@link NullPointerException}
 * that names the argument.
 *
 * <p><b>Atomicity.</b> Each operation on one key is atomic, and is seen by every later read of the
 * key. Bulk operations are atomic for the keys of one of the rows that the map is spread over, no
 * further. A function given to {@link #compute} and its like is called with no lock held, so that
 * it may use any structure, and is called again if another thread changed the entry meanwhile.
 *
 * <p><b>Durability.</b> An operation that has returned survives {@code kill -9}; what it survives
 * of a power loss is the {@link io.rockpool.engine.Durability} the map was opened with.
 *
 * <p><b>Cost.</b> A get is one read, without a lock. A put, remove or replace is one read and one
 * write; what compares values or calls a function, two reads and one write. {@link #size} is one
 * read for each row, {@link #clear} one write, however many entries there are.
 *
 * <p><b>Expiry.</b> Each entry may have a time to live of its own. A put starts it anew, with what
 * it says or else with the {@link StructureOptions#entryTtl} of the map; what changes an entry that
 * is there (replace, compute, merge, increment, {@code setValue}) leaves its expiry as it is. An
 * expired entry is never seen again, but {@code size} may include it until it is swept.
 *
 * <p><b>Iteration</b> is weakly consistent: an iterator shows every entry that is there all the
 * time once, and may or may not show what is put, removed or cleared meanwhile. It holds nothing
 * open and a bounded number of entries in memory. If the map is closed or dropped meanwhile, it
 * throws {@link IllegalStateException} at the latest when it has shown what it had read ahead.
 *
 * <p>An entry whose bytes can no longer be decoded, because its class changed, is an {@link
 * io.rockpool.error.UndecodableValueException} where its value is asked for. It is there
 * nevertheless, and can be overwritten with {@link #putAll}, and removed with {@link #removeAll}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class PersistentMap<K, V> extends AbstractMap<K, V>
    implements ConcurrentMap<K, V>, PersistentStructure {
  private final EntryCodec<K, V> codec;
  private final StructureSpace space;
  private final EntryReads<K, V> reads;
  private final EntryWrites<K, V> writes;

  PersistentMap(EntryCodec<K, V> codec, Records records) {
    this(codec, EntryReads.live(codec, records.buckets()), new EntryWrites<>(codec, records));
  }

  private PersistentMap(EntryCodec<K, V> codec, EntryReads<K, V> reads, EntryWrites<K, V> writes) {
    this.codec = codec;
    this.space = codec.space();
    this.reads = reads;
    this.writes = writes;
  }

  @Override
  public String name() {
    return space.name();
  }

  @Override
  public boolean isClosed() {
    return space.isClosed();
  }

  @Override
  public @Nullable V get(Object key) {
    return reads.get(key);
  }

  @Override
  @SuppressWarnings("NullAway") // the interface's default value may be null
  public V getOrDefault(Object key, V defaultValue) {
    V value = reads.get(key);
    return value == null ? defaultValue : value;
  }

  /**
   * The entries of those of {@code keys} that have one, in the order of {@code keys}. One read for
   * 1,024 keys.
   */
  public Map<K, V> getAll(Collection<? extends K> keys) {
    return reads.getAll(keys);
  }

  @Override
  public boolean containsKey(Object key) {
    return reads.contains(key);
  }

  @Override
  public @Nullable V put(K key, V value) {
    return codec.decodedOrNull(writes.put(key, value, space.defaultExpiryMillis()));
  }

  /** Puts a value that lives for {@code ttl} from now on; zero or less removes the entry. */
  public void put(K key, V value, Duration ttl) {
    writes.put(key, value, space.expiryMillis(ttl));
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return codec.decodedOrNull(writes.putIfAbsent(key, value));
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return codec.decodedOrNull(writes.replace(key, value));
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    return writes.replace(key, Objects.requireNonNull(oldValue, "oldValue"), newValue);
  }

  @Override
  public @Nullable V remove(Object key) {
    return codec.decodedOrNull(writes.remove(key));
  }

  @Override
  public boolean remove(Object key, Object value) {
    return writes.remove(key, Objects.requireNonNull(value, "value"));
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    return writes.compute(key, Objects.requireNonNull(function, "function"));
  }

  /**
   * Puts what {@code function} makes of a key that has no entry; null puts nothing. One read if
   * there is an entry.
   *
   * @return the value that is there now, or null
   */
  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    V there = reads.get(key);
    return there != null
        ? there
        : writes.compute(key, (k, value) -> value == null ? function.apply(k) : value);
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return writes.compute(key, (k, value) -> value == null ? null : function.apply(k, value));
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(function, "function");
    return writes.compute(key, (k, old) -> old == null ? value : function.apply(old, value));
  }

  /**
   * Adds {@code by} to the value of a key, or to 0 if it has none. One read, one write.
   *
   * @return the sum, which is there now
   * @throws UnsupportedOperationException if values are neither {@code Long} nor {@code Integer}
   * @throws ArithmeticException if the sum is too large for them; nothing is changed
   */
  public V increment(K key, long by) {
    return writes.increment(key, by);
  }

  /**
   * Puts every entry of {@code map}, in batches of up to {@link
   * io.rockpool.engine.Limits#MAX_BATCH_BYTES} bytes, one write for each row in a batch. Where it
   * throws, some may have been put.
   */
  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    writes.putAll(map);
  }

  /**
   * Removes the entries of these keys, decodable or not, in batches as {@link #putAll} does.
   *
   * @return how many there were
   */
  public long removeAll(Collection<? extends K> keys) {
    return writes.removeAll(keys);
  }

  /** Lets an entry live until {@code when}; what is past removes it. Says whether there was one. */
  public boolean expireAt(K key, Instant when) {
    return writes.expire(key, space.expiryMillis(when));
  }

  /**
   * Lets an entry live for {@code ttl} from now on; zero or less removes it. Says whether there was
   * one.
   */
  public boolean expireAfter(K key, Duration ttl) {
    return writes.expire(key, space.expiryMillis(ttl));
  }

  /** Lets an entry live for ever. Says whether there is one. */
  public boolean persist(K key) {
    return writes.expire(key, Expiry.NEVER);
  }

  /** How much longer an entry lives; {@link #FOREVER}, or empty if there is none. */
  public Optional<Duration> ttl(K key) {
    return reads.ttl(key);
  }

  /**
   * How many entries there are, or {@link Integer#MAX_VALUE} if they are more; see {@link
   * #mappingCount}.
   */
  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, mappingCount());
  }

  /**
   * How many entries there are. O(1): one read for each row. May include entries that have expired
   * and are not yet swept.
   */
  public long mappingCount() {
    return reads.count();
  }

  /** Whether there is no entry; not mistaken by expired ones. */
  @Override
  public boolean isEmpty() {
    return reads.isEmpty();
  }

  @Override
  public void clear() {
    writes.clear();
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

  @Override
  public Set<K> keySet() {
    return new KeyView<>(reads, writes);
  }

  @Override
  public Collection<V> values() {
    return new ValueView<>(reads, writes);
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new EntryView<>(reads, writes);
  }

  /**
   * Whether the other is a map, too, of equal entries. Reads all of both; what has expired does not
   * count, while a map of another kind that is compared with this one asks for its {@link #size}.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof Map<?, ?> map && entrySet().equals(map.entrySet());
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    entrySet().forEach(entry -> action.accept(entry.getKey(), entry.getValue()));
  }

  /**
   * The map as it is now, unchanging and for reading only. O(1).
   *
   * @return it; to be closed
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<Map<K, V>> snapshot() {
    return new Snapshot<>(
        space.use().snapshot(),
        taken -> Collections.unmodifiableMap(new PersistentMap<>(codec, reads.of(taken), writes)));
  }

  /** Lets {@code listener} be told of changes from now on, until the registration is closed. */
  public Registration addListener(EntryListener<? super K, ? super V> listener) {
    return writes.listeners().add(listener);
  }
}
