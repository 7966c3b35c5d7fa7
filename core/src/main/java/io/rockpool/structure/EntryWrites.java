package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.UndecodableValueException;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Changes the entries of a map or the elements of a set, and notifies listeners. */
class EntryWrites<K, V> {
  private final EntryCodec<K, V> codec;
  private final StructureSpace space;
  private final Records records;
  private final StructureListeners<EntryListener<? super K, ? super V>> listeners;

  EntryWrites(EntryCodec<K, V> codec, Records records) {
    this(codec, records, new StructureListeners<>(codec.space()));
  }

  /** Writes to a part of a structure with these listeners. */
  EntryWrites(
      EntryCodec<K, V> codec,
      Records records,
      StructureListeners<EntryListener<? super K, ? super V>> listeners) {
    this.codec = codec;
    this.space = codec.space();
    this.records = records;
    this.listeners = listeners;
  }

  StructureListeners<EntryListener<? super K, ? super V>> listeners() {
    return listeners;
  }

  /** Puts a value that expires at {@code expiryMillis}; returns the old record. */
  @Nullable RowRecord put(K key, V value, long expiryMillis) {
    byte[] bytes = codec.key(key);
    RecordChange change = RecordChange.write(codec.value(value), expiryMillis);
    return told(key, value, records.change(bytes, change)).before();
  }

  /**
   * Puts a value and returns the old one.
   *
   * @throws UndecodableValueException if the old value cannot be decoded; nothing is written
   */
  @Nullable V exchange(K key, V value, long expiryMillis) {
    RecordChange change = RecordChange.write(codec.value(value), expiryMillis);
    return returning(codec.key(key), found -> change, outcome -> told(key, value, outcome));
  }

  /**
   * Like {@link #exchange}, but only if there is a value.
   *
   * @param expiryMillis the new expiry, or {@link RecordChange#KEPT_EXPIRY}
   */
  @Nullable V exchangePresent(K key, V value, long expiryMillis) {
    byte[] encoded = codec.value(value);
    return returning(
        codec.key(key),
        found -> overPresent(found, encoded, expiryMillis),
        outcome -> told(key, value, outcome));
  }

  /** Like {@link #exchangePresent}, but decodes no value; returns whether there was one. */
  boolean putPresent(K key, V value, long expiryMillis) {
    byte[] bytes = codec.key(key);
    byte[] encoded = codec.value(value);
    Records.Outcome outcome =
        records.transact(bytes, found -> overPresent(found, encoded, expiryMillis));
    return told(key, value, outcome).before() != null;
  }

  private static RecordChange overPresent(
      @Nullable RowRecord found, byte[] value, long expiryMillis) {
    return found == null ? RecordChange.keep() : RecordChange.over(found, value, expiryMillis);
  }

  /**
   * Removes the entry of a key and returns its value. Null if the object is of another type.
   *
   * @throws UndecodableValueException if the value cannot be decoded; nothing is written
   */
  @Nullable V take(Object key) {
    byte[] bytes = codec.keyOrNull(key);
    return bytes == null
        ? null
        : returning(
            bytes,
            found -> found == null ? RecordChange.keep() : RecordChange.remove(),
            outcome -> toldRemoved(bytes, outcome));
  }

  /** Decodes the old value and changes the record, which is the one that was decoded. */
  private @Nullable V returning(
      byte[] key,
      Function<@Nullable RowRecord, RecordChange> decision,
      Consumer<Records.Outcome> teller) {
    Object[] before = new Object[1];
    Records.Outcome outcome =
        records.decide(
            key,
            codec.decodesByLibrary(),
            found -> {
              before[0] = codec.decodedOrNull(found);
              return decision.apply(found);
            });
    teller.accept(outcome);
    @SuppressWarnings("unchecked") // set by the function above
    V value = (V) before[0];
    return value;
  }

  /** Puts a value if there is none; returns the existing record. */
  @Nullable RowRecord putIfAbsent(K key, V value) {
    return putIfAbsent(key, value, space.defaultExpiryMillis());
  }

  @Nullable RowRecord putIfAbsent(K key, V value, long expiryMillis) {
    byte[] bytes = codec.key(key);
    RecordChange change = RecordChange.write(codec.value(value), expiryMillis);
    return told(key, value, records.changeAbsent(bytes, change)).before();
  }

  /** Puts a value unconditionally. Keeps the expiry of an existing entry. */
  void overwrite(K key, V value) {
    byte[] bytes = codec.key(key);
    byte[] encoded = codec.value(value);
    long expiryMillis = space.defaultExpiryMillis();
    told(
        key,
        value,
        records.transact(
            bytes,
            found ->
                found == null
                    ? RecordChange.write(encoded, expiryMillis)
                    : RecordChange.rewrite(found, encoded)));
  }

  /**
   * Replaces {@code oldValue} with {@code newValue}.
   *
   * @param expiryMillis the new expiry, or {@link RecordChange#KEPT_EXPIRY}
   */
  boolean replace(K key, V oldValue, V newValue, long expiryMillis) {
    byte[] bytes = codec.key(key);
    byte[] encoded = codec.value(newValue);
    Records.Outcome outcome =
        records.update(
            bytes,
            found ->
                found != null && codec.hasValue(found, oldValue)
                    ? RecordChange.over(found, encoded, expiryMillis)
                    : RecordChange.keep());
    return told(key, newValue, outcome).isChange();
  }

  /** Removes the entry of a key; returns the old record. Null if the object is of another type. */
  @Nullable RowRecord remove(Object key) {
    byte[] bytes = codec.keyOrNull(key);
    return bytes == null ? null : removeRecord(bytes);
  }

  @Nullable RowRecord removeRecord(byte[] key) {
    return toldRemoved(key, records.change(key, RecordChange.remove())).before();
  }

  /** Removes the entry of a key if it has that value. */
  boolean remove(Object key, Object value) {
    byte[] bytes = codec.keyOrNull(key);
    return bytes != null
        && toldRemoved(
                bytes,
                records.update(
                    bytes,
                    found ->
                        found != null && codec.hasValue(found, value)
                            ? RecordChange.remove()
                            : RecordChange.keep()))
            .isChange();
  }

  /** The value before and after an update; null for none. */
  record Updated<V>(@Nullable V before, @Nullable V after) {}

  /** Like {@link #update}, and returns the new value. */
  @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    byte[] bytes = codec.keyOrNull(key);
    if (bytes == null && function.apply(key, null) == null) {
      return null; // like a TreeMap, a view refuses a key out of its range only with a value
    }
    return update(key, bytes == null ? codec.key(key) : bytes, function).after();
  }

  /** Like {@link #compute}, but only if there is a value. So it accepts keys of another type. */
  @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    byte[] bytes = codec.keyOrNull(key);
    return bytes == null
        ? null
        : update(key, bytes, (k, value) -> value == null ? null : function.apply(k, value)).after();
  }

  /**
   * Sets the value to the result of {@code function}; null means no value, as argument and as
   * result. Keeps the expiry of an existing entry.
   */
  Updated<V> update(K key, UnaryOperator<@Nullable V> function) {
    return update(key, codec.key(key), (k, value) -> function.apply(value));
  }

  private Updated<V> update(
      K key,
      byte[] bytes,
      BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    AtomicReference<Updated<V>> last = new AtomicReference<>();
    Records.Outcome outcome =
        records.update(
            bytes,
            found -> {
              V before = codec.decodedOrNull(found);
              V after = function.apply(key, before);
              last.set(new Updated<>(before, after));
              return computed(found, after);
            });
    Updated<V> updated = Objects.requireNonNull(last.get());
    told(key, updated.after(), outcome);
    return updated;
  }

  private RecordChange computed(@Nullable RowRecord found, @Nullable V value) {
    if (value == null) {
      return found == null ? RecordChange.keep() : RecordChange.remove();
    }
    return found == null
        ? RecordChange.write(codec.value(value), space.defaultExpiryMillis())
        : RecordChange.rewrite(found, codec.value(value));
  }

  /**
   * Adds to a value, or to 0 if there is none; returns the new value.
   *
   * @param newMillis the expiry of a new entry
   * @param oldMillis that of an existing entry, or {@link RecordChange#KEPT_EXPIRY}
   */
  V increment(K key, Addition by, long newMillis, long oldMillis) {
    AtomicReference<V> sum = new AtomicReference<>();
    Function<@Nullable RowRecord, RecordChange> decision =
        found -> {
          V value = codec.sum(codec.decodedOrNull(found), by);
          sum.set(value);
          return found == null
              ? RecordChange.write(codec.value(value), newMillis)
              : RecordChange.over(found, codec.value(value), oldMillis);
        };
    byte[] bytes = codec.key(key);
    Records.Outcome outcome =
        codec.hasPlainNumbers()
            ? records.transact(bytes, decision)
            : records.update(bytes, decision);
    V value = Objects.requireNonNull(sum.get());
    told(key, value, outcome);
    return value;
  }

  /** Like the other method; an existing entry keeps its expiry. */
  V increment(K key, Addition by, long newMillis) {
    return increment(key, by, newMillis, RecordChange.KEPT_EXPIRY);
  }

  /**
   * Puts all entries. Atomic for the entries of one row in one batch.
   *
   * @param entries gives each of them to its argument, in the calling thread
   */
  void putAll(Consumer<BiConsumer<? super K, ? super V>> entries, long expiryMillis) {
    EntryBatch<K, V> batch = new EntryBatch<>(this, !listeners.isEmpty());
    entries.accept(
        (key, value) -> {
          byte[] bytes = codec.value(value);
          RecordChange change = RecordChange.write(bytes, expiryMillis);
          batch.add(key, value, codec.key(key), bytes.length, found -> change);
        });
    batch.write();
  }

  /**
   * Puts a value for each key that has none; returns how many.
   *
   * @param keys gives each of them to its argument, in the calling thread
   */
  long putAllAbsent(Consumer<Consumer<? super K>> keys, V value) {
    EntryBatch<K, V> batch = new EntryBatch<>(this, true);
    byte[] bytes = codec.value(value);
    RecordChange change = RecordChange.write(bytes, space.defaultExpiryMillis());
    keys.accept(
        key ->
            batch.add(
                key,
                value,
                codec.key(key),
                bytes.length,
                found -> found == null ? change : RecordChange.keep()));
    batch.write();
    return batch.changes();
  }

  /**
   * Removes the entries of these keys; returns how many there were. Objects of another type are
   * skipped.
   */
  @SuppressWarnings("unchecked") // an object with encoded bytes is a key
  long removeAll(Iterable<?> keys) {
    EntryBatch<K, V> batch = new EntryBatch<>(this, true);
    for (Object key : keys) {
      byte[] bytes = codec.keyOrNull(key);
      if (bytes != null) {
        batch.add((K) key, null, bytes, 0, found -> RecordChange.remove());
      }
    }
    batch.write();
    return batch.changes();
  }

  /**
   * Removes entries by their encoded keys; returns the decoded keys of those that were present. A
   * key that cannot be decoded keeps all.
   */
  List<K> removeRecords(List<byte[]> keys) {
    EntryBatch<K, V> batch = new EntryBatch<>(this, true);
    List<K> decoded = keys.stream().map(codec::decodeKey).toList();
    boolean[] present = new boolean[keys.size()];
    for (int i = 0; i < present.length; i++) {
      int place = i;
      batch.add(
          decoded.get(i),
          null,
          keys.get(i),
          0,
          found -> {
            present[place] = found != null;
            return RecordChange.remove();
          });
    }
    batch.write();
    return IntStream.range(0, present.length)
        .filter(i -> present[i])
        .mapToObj(decoded::get)
        .toList();
  }

  /**
   * Removes the entries that pass a filter, up to 1,024 in a batch. The filter runs without a lock.
   * If it throws, the entries of earlier batches have been removed.
   *
   * @param withValues whether the filter needs values; an entry whose value has changed since then
   *     stays
   * @return whether any was removed
   */
  <T> boolean removeIf(
      EntryReads<K, V> reads,
      boolean withValues,
      Function<RowRecord, T> reader,
      Predicate<? super T> filter) {
    Objects.requireNonNull(filter, "filter");
    EntryBatch<K, V> batch = new EntryBatch<>(this, true);
    Iterator<T> walk = reads.walk(withValues, reader, read -> batch.remove(read, withValues));
    int matches = 0;
    while (walk.hasNext()) {
      if (filter.test(walk.next())) {
        walk.remove();
        if (++matches % Limits.MAX_PAGE_RECORDS == 0) {
          batch.write();
        }
      }
    }
    batch.write();
    return batch.changes() > 0;
  }

  Records records() {
    return records;
  }

  /**
   * Sets the expiry of an entry, or {@link Expiry#NEVER}; 0 removes it. Listeners see only a
   * removal. Returns whether there was an entry.
   */
  boolean expire(K key, long expiryMillis) {
    return expire(key, expiryMillis, ExpiryCondition.ALWAYS);
  }

  /** Like the other method, on a condition; returns whether there was an entry and it held. */
  boolean expire(K key, long expiryMillis, ExpiryCondition condition) {
    Objects.requireNonNull(condition, "condition");
    Records.Outcome outcome =
        records.transact(
            codec.key(key),
            found ->
                found == null || !condition.allows(found.expiryMillis(), expiryMillis)
                    ? RecordChange.keep()
                    : RecordChange.write(found.value(), expiryMillis));
    if (outcome.change().kind() == RecordChange.Kind.REMOVE) {
      told(key, null, outcome);
    }
    return outcome.isChange();
  }

  void clear() {
    space.use().clear();
    listeners.tell(EntryListener::onClear);
  }

  /** Notifies listeners of a removal, if there was an entry. */
  final Records.Outcome toldRemoved(byte[] key, Records.Outcome outcome) {
    if (!listeners.isEmpty() && outcome.isChange()) {
      told(codec.decodeKey(key), null, outcome);
    }
    return outcome;
  }

  /** Notifies listeners of a change, if there was one. */
  Records.Outcome told(K key, @Nullable V written, Records.Outcome outcome) {
    if (!listeners.isEmpty() && outcome.isChange()) {
      V before = decodable(outcome.before());
      V after = outcome.change().kind() == RecordChange.Kind.WRITE ? written : null;
      listeners.tell(listener -> listener.onChange(key, before, after));
    }
    return outcome;
  }

  private @Nullable V decodable(@Nullable RowRecord record) {
    try {
      return record == null ? null : codec.decodeValue(record);
    } catch (UndecodableValueException e) {
      return null;
    }
  }
}
