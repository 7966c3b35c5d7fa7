package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import io.rockpool.store.Registration;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Common base of maps, sorted or not. */
abstract non-sealed class EntryMap<K, V> extends AbstractMap<K, V>
    implements ConcurrentMap<K, V>, PersistentStructure {
  private final EntryCodec<K, V> codec;
  private final StructureSpace space;
  final EntryReads<K, V> reads;
  final EntryWrites<K, V> writes;

  EntryMap(EntryReads<K, V> reads, EntryWrites<K, V> writes) {
    this.codec = reads.codec();
    this.space = codec.space();
    this.reads = reads;
    this.writes = writes;
  }

  /** The space of the map, for reads of the whole map. */
  StructureSpace space() {
    return space;
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
   * The entries of those {@code keys} that have one, in the order of {@code keys}. One read per
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
    return writes.exchange(key, value, space.defaultExpiryMillis());
  }

  /** Puts a value that expires after {@code ttl}; zero or less removes the entry. */
  public void put(K key, V value, Duration ttl) {
    writes.put(key, value, space.expiryMillis(ttl));
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return codec.decodedOrNull(writes.putIfAbsent(key, value));
  }

  /**
   * Puts a value that expires after {@code ttl} if there is none; with a ttl of zero or less, puts
   * nothing. Does not change the value or the expiry of an existing entry. Redis' {@code SET key
   * value NX PX}, for locks: see {@link #replace(Object, Object, Object, Duration)}.
   *
   * @return the existing value, or null
   */
  public @Nullable V putIfAbsent(K key, V value, Duration ttl) {
    return codec.decodedOrNull(writes.putIfAbsent(key, value, space.expiryMillis(ttl)));
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return writes.exchangePresent(key, value, RecordChange.KEPT_EXPIRY);
  }

  /**
   * Replaces the value of an existing entry like {@link #replace(Object, Object)}; the entry then
   * expires after {@code ttl}, and zero or less removes it. Redis' {@code SET key value XX GET PX}.
   * Atomic; two reads and one write. An expired entry is absent.
   *
   * <pre>{@code
   * sessions.putIfPresent(id, data, ofMinutes(30)); // a session that has ended does not come back
   * }</pre>
   *
   * @return the old value, or null if there was none and nothing was put
   */
  public @Nullable V putIfPresent(K key, V value, Duration ttl) {
    return writes.exchangePresent(key, value, space.expiryMillis(ttl));
  }

  /**
   * Puts a value that expires after {@code ttl}, and returns the old one; zero or less removes the
   * entry. Redis' {@code SET key value GET PX}. Atomic; two reads and one write. An expired value
   * counts as none.
   *
   * <pre>{@code
   * String former = tokens.getAndPut(user, token, ofHours(1));
   * }</pre>
   *
   * @return the old value, or null
   */
  public @Nullable V getAndPut(K key, V value, Duration ttl) {
    return writes.exchange(key, value, space.expiryMillis(ttl));
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    return writes.replace(
        key, Objects.requireNonNull(oldValue, "oldValue"), newValue, RecordChange.KEPT_EXPIRY);
  }

  /**
   * Replaces {@code oldValue} with {@code newValue}, which expires after {@code ttl}; zero or less
   * removes the entry. Redis' {@code SET key value IFEQ old PX}. Atomic; two reads and one write.
   * An expired entry has no value.
   *
   * <pre>{@code
   * if (locks.putIfAbsent("job", me, ofSeconds(30)) == null) { // SET NX PX
   *   locks.replace("job", me, me, ofSeconds(30)); // extends the lock if it is still mine
   *   locks.remove("job", me); // releases it if it is still mine
   * }
   * }</pre>
   *
   * @return whether the entry had that value
   */
  public boolean replace(K key, V oldValue, V newValue, Duration ttl) {
    return writes.replace(
        key, Objects.requireNonNull(oldValue, "oldValue"), newValue, space.expiryMillis(ttl));
  }

  /**
   * Whether an entry has this value; arrays are equal if their elements are. Scans entries until
   * one is found.
   */
  @Override
  public boolean containsValue(Object value) {
    return values().contains(value);
  }

  @Override
  public @Nullable V remove(Object key) {
    return writes.take(key);
  }

  @Override
  public boolean remove(Object key, @Nullable Object value) {
    Objects.requireNonNull(key, "key");
    return value != null && writes.remove(key, value);
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    return writes.compute(key, Objects.requireNonNull(function, "function"));
  }

  /**
   * Puts the result of {@code function} for a key without an entry; a null result puts nothing. One
   * read if there is an entry.
   *
   * @return the current value, or null
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
    return writes.computeIfPresent(key, function);
  }

  /**
   * Replaces each value by the result of {@code function}. Each entry is replaced atomically, the
   * whole is not. Two reads and one write per entry.
   */
  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    forEach(
        (key, old) ->
            computeIfPresent(
                key, (k, value) -> Objects.requireNonNull(function.apply(k, value), "new value")));
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(function, "function");
    return writes.compute(key, (k, old) -> old == null ? value : function.apply(old, value));
  }

  /**
   * Adds {@code by} to the value of a key, or to 0 if it has none, and keeps its expiry. Redis'
   * {@code HINCRBY}. Atomic. One read and one write for values of {@code Long} and {@code Integer},
   * else two reads and one write. An expired value counts as none.
   *
   * <p>Values are {@code Long}, {@code Integer}, {@code Double} or {@code BigDecimal}, or strings
   * or byte arrays with the text of a number in ASCII digits. Empty text counts as 0.
   *
   * @return the new value
   * @throws UnsupportedOperationException if values are of another type
   * @throws ArithmeticException if the sum is out of range; nothing is changed
   * @throws NumberFormatException if the value is not the text of an integer of 64 bits; nothing is
   *     changed
   */
  public V increment(K key, long by) {
    return writes.increment(key, Addition.of(by), space.defaultExpiryMillis());
  }

  /**
   * Like {@link #increment(Object, long)}; a new entry expires after {@code ttl}. An existing entry
   * keeps its expiry, so the entry counts from its first increment until that time has passed. With
   * a ttl of zero or less, a new entry is not stored.
   */
  public V increment(K key, long by, Duration ttl) {
    return writes.increment(key, Addition.of(by), space.expiryMillis(ttl));
  }

  /**
   * Adds a fraction to the value of a key, or to 0 if it has none, and keeps its expiry. Redis'
   * {@code HINCRBYFLOAT}. Atomic; two reads and one write. An expired value counts as none.
   *
   * <pre>{@code
   * PersistentMap<String, BigDecimal> due = pool.map("due", String.class, BigDecimal.class);
   * due.increment("ann", 0.1);
   * due.increment("ann", 0.2); // exactly 0.3
   * }</pre>
   *
   * <p>Values of {@code BigDecimal} are added exactly: {@code by} counts as the decimal number that
   * {@link Double#toString(double)} shows. So is text, whose result is rounded to 17 digits behind
   * the point and has no exponent, as in Redis. Values of {@code Double} are added as Java does, so
   * 0.1 and 0.2 are 0.30000000000000004.
   *
   * @return the new value
   * @throws IllegalArgumentException if {@code by} is infinite or not a number
   * @throws UnsupportedOperationException if values are not {@code Double}, {@code BigDecimal},
   *     strings or byte arrays
   * @throws ArithmeticException if the sum is infinite, or would have over 1,000 digits; nothing is
   *     changed
   * @throws NumberFormatException if the value is text, but not of a decimal number in ASCII
   *     digits; nothing is changed
   */
  public V increment(K key, double by) {
    return writes.increment(key, Addition.of(by), space.defaultExpiryMillis());
  }

  /** Like {@link #increment(Object, double)}; a new entry expires after {@code ttl}. */
  public V increment(K key, double by, Duration ttl) {
    return writes.increment(key, Addition.of(by), space.expiryMillis(ttl));
  }

  /**
   * Like {@link #increment(Object, long)}, and makes the entry expire after {@code ttl}, whether it
   * is new or not; zero or less removes it. Pegasus' {@code incr} with a TTL.
   *
   * <pre>{@code
   * failures.incrementAndExpire(user, 1, ofHours(1)); // forgotten an hour after the last one
   * }</pre>
   *
   * @return the new value
   */
  public V incrementAndExpire(K key, long by, Duration ttl) {
    long expiryMillis = space.expiryMillis(ttl);
    return writes.increment(key, Addition.of(by), expiryMillis, expiryMillis);
  }

  /**
   * Puts every entry of {@code map}, in batches of up to {@link
   * io.rockpool.engine.Limits#MAX_BATCH_BYTES} bytes, with one write for each row in a batch. If it
   * throws, some entries may have been put.
   */
  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    writes.putAll(map::forEach, space.defaultExpiryMillis());
  }

  /** Like {@link #putAll(Map)}, with values that expire after {@code ttl}; zero or less removes. */
  public void putAll(Map<? extends K, ? extends V> map, Duration ttl) {
    long expiryMillis = space.expiryMillis(ttl);
    if (expiryMillis > 0) {
      writes.putAll(map::forEach, expiryMillis);
    } else {
      writes.removeAll(map.keySet());
    }
  }

  /**
   * Puts every entry of a stream, in its order, in batches like {@link #putAll(Map)}: the memory
   * does not grow with the stream. The entries of one row in one batch are put atomically, the
   * whole is not; inside a transaction the changes are in memory until the commit. Reads the stream
   * in the calling thread, without a lock, and does not close it. If it throws, some entries may
   * have been put.
   */
  public void putAllFrom(Stream<? extends Map.Entry<? extends K, ? extends V>> entries) {
    writes.putAll(
        put ->
            entries
                .sequential()
                .forEachOrdered(entry -> put.accept(entry.getKey(), entry.getValue())),
        space.defaultExpiryMillis());
  }

  /**
   * Removes the entries of these keys, decodable or not, in batches like {@link #putAll(Map)}.
   *
   * @return how many there were
   */
  public long removeAll(Collection<? extends K> keys) {
    return writes.removeAll(keys);
  }

  /**
   * Makes an entry expire at {@code when}; a past instant removes it. Returns whether there was
   * one.
   */
  public boolean expireAt(K key, Instant when) {
    return writes.expire(key, space.expiryMillis(when));
  }

  /**
   * Makes an entry expire after {@code ttl}; zero or less removes it. Returns whether there was
   * one.
   */
  public boolean expireAfter(K key, Duration ttl) {
    return writes.expire(key, space.expiryMillis(ttl));
  }

  /**
   * Like {@link #expireAt(Object, Instant)}, if the condition holds. Redis' {@code HPEXPIREAT} with
   * {@code NX}, {@code XX}, {@code GT} or {@code LT}. Atomic; one read, and one write if it holds.
   * An expired entry is absent.
   *
   * @return whether there was an entry, and the condition held
   */
  public boolean expireAt(K key, Instant when, ExpiryCondition condition) {
    return writes.expire(key, space.expiryMillis(when), condition);
  }

  /**
   * Like {@link #expireAt(Object, Instant, ExpiryCondition)}, {@code ttl} from now. Redis' {@code
   * HPEXPIRE}.
   *
   * <pre>{@code
   * sessions.expireAfter(id, ofMinutes(30), ExpiryCondition.LATER); // never shortens it
   * }</pre>
   */
  public boolean expireAfter(K key, Duration ttl, ExpiryCondition condition) {
    return writes.expire(key, space.expiryMillis(ttl), condition);
  }

  /** Removes the expiry of an entry. Returns whether there is one. */
  public boolean persist(K key) {
    return writes.expire(key, Expiry.NEVER);
  }

  /** The remaining time to live of an entry, or {@link #FOREVER}; empty if there is none. */
  public Optional<Duration> ttl(K key) {
    return reads.ttl(key);
  }

  /** The number of entries, at most {@link Integer#MAX_VALUE}; see {@link #count}. */
  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, count());
  }

  /**
   * The number of entries. O(1): one read per row. May include expired entries that are not yet
   * swept.
   */
  public long count() {
    return reads.count();
  }

  /** Whether there is no live entry. Expired entries do not count. */
  @Override
  public boolean isEmpty() {
    return reads.isEmpty();
  }

  @Override
  public void clear() {
    writes.clear();
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
   * Whether the other object is a map with equal entries. Reads all entries of both and ignores
   * expired ones. Comparing in the other direction, a map of another class uses {@link #size}.
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

  /** Notifies {@code listener} of changes of this process until the registration is closed. */
  public Registration addListener(EntryListener<? super K, ? super V> listener) {
    return writes.listeners().add(listener);
  }
}
