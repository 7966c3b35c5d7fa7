package io.rockpool;

import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeFeed;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.NameConflictException;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.QueueOptions;
import io.rockpool.queue.Schedule;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentSortedSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import io.rockpool.structure.StructureOptions;
import io.rockpool.structure.TableKey;
import java.util.function.UnaryOperator;

/**
 * Opens caches, collections, queues and change feeds by name. Each kind has one form: the name,
 * then the types as classes or as {@link TypeRef}s, and at the end a function that changes the
 * default options, if there are any.
 *
 * <pre>{@code
 * pool.map("stock", String.class, Long.class);
 * pool.map("visits", String.class, Long.class, o -> o.entryTtl(ofDays(1)));
 * }</pre>
 *
 * <p>Options that were prepared are passed as {@code o -> prepared}. Without the function, an open
 * name is returned with the options that it has.
 */
public interface Openers {
  /**
   * Opens a cache with its current options, or creates it with the default options. Opening it
   * twice returns the same cache.
   *
   * @throws NameConflictException if the name holds something else
   */
  default <K, V> PersistentCache<K, V> cache(String name, Class<K> keyType, Class<V> valueType) {
    return cache(name, TypeRef.of(keyType), TypeRef.of(valueType));
  }

  /**
   * Like {@link #cache(String, Class, Class)}, for types with type arguments, such as {@code
   * List<Order>}.
   */
  default <K, V> PersistentCache<K, V> cache(
      String name, TypeRef<K> keyType, TypeRef<V> valueType) {
    return cache(name, keyType, valueType, CurrentOptions.asTheyAre());
  }

  /**
   * Opens or creates a cache with options.
   *
   * <pre>{@code
   * pool.cache("users", String.class, User.class, o -> o.hotEntries(10_000));
   * }</pre>
   *
   * @param options makes the options out of {@link CacheOptions#defaults}
   * @throws NameConflictException if the name holds something else, unless the options ask for a
   *     reset
   * @throws IllegalStateException if it is open with other options
   */
  default <K, V> PersistentCache<K, V> cache(
      String name,
      Class<K> keyType,
      Class<V> valueType,
      UnaryOperator<CacheOptions<K, V>> options) {
    return cache(name, TypeRef.of(keyType), TypeRef.of(valueType), options);
  }

  /**
   * Like {@link #cache(String, Class, Class, UnaryOperator)}, for types with type arguments, such
   * as {@code List<Order>}.
   */
  <K, V> PersistentCache<K, V> cache(
      String name,
      TypeRef<K> keyType,
      TypeRef<V> valueType,
      UnaryOperator<CacheOptions<K, V>> options);

  /**
   * Opens a map with the options that are kept with its name, or creates it. Opening it twice
   * returns the same map.
   *
   * @throws NameConflictException if the name holds something else
   */
  default <K, V> PersistentMap<K, V> map(String name, Class<K> keyType, Class<V> valueType) {
    return map(name, TypeRef.of(keyType), TypeRef.of(valueType));
  }

  /** Opens a map, like {@link #map(String, Class, Class)}, of types with type arguments. */
  default <K, V> PersistentMap<K, V> map(String name, TypeRef<K> keyType, TypeRef<V> valueType) {
    return map(name, keyType, valueType, CurrentOptions.asTheyAre());
  }

  /**
   * Opens or creates a map with options, as in {@code o -> o.entryTtl(Duration.ofDays(1))}. Options
   * that are not set have the values that are kept with the name; see {@link StructureOptions}.
   *
   * @param options makes the options out of {@link StructureOptions#defaults}
   * @throws NameConflictException if the name holds something else, unless the options ask for a
   *     reset
   * @throws IllegalStateException if it is open with other options
   */
  default <K, V> PersistentMap<K, V> map(
      String name, Class<K> keyType, Class<V> valueType, UnaryOperator<StructureOptions> options) {
    return map(name, TypeRef.of(keyType), TypeRef.of(valueType), options);
  }

  /** Like {@link #map(String, Class, Class, UnaryOperator)}, for types with type arguments. */
  <K, V> PersistentMap<K, V> map(
      String name,
      TypeRef<K> keyType,
      TypeRef<V> valueType,
      UnaryOperator<StructureOptions> options);

  /**
   * Opens a sorted map, like {@link #map(String, Class, Class)} for a map. Keys of a type without
   * an order are rejected.
   */
  default <K, V> PersistentSortedMap<K, V> sortedMap(
      String name, Class<K> keyType, Class<V> valueType) {
    return sortedMap(name, TypeRef.of(keyType), TypeRef.of(valueType));
  }

  /**
   * Opens a sorted map, like {@link #map(String, TypeRef, TypeRef)} for a map. Keys of a type
   * without an order are rejected.
   */
  default <K, V> PersistentSortedMap<K, V> sortedMap(
      String name, TypeRef<K> keyType, TypeRef<V> valueType) {
    return sortedMap(name, keyType, valueType, CurrentOptions.asTheyAre());
  }

  /**
   * Opens a sorted map, like {@link #map(String, Class, Class, UnaryOperator)} for a map. Keys of a
   * type without an order are rejected.
   */
  default <K, V> PersistentSortedMap<K, V> sortedMap(
      String name, Class<K> keyType, Class<V> valueType, UnaryOperator<StructureOptions> options) {
    return sortedMap(name, TypeRef.of(keyType), TypeRef.of(valueType), options);
  }

  /**
   * Opens a sorted map, like {@link #map(String, TypeRef, TypeRef, UnaryOperator)} for a map. Keys
   * of a type without an order are rejected.
   */
  <K, V> PersistentSortedMap<K, V> sortedMap(
      String name,
      TypeRef<K> keyType,
      TypeRef<V> valueType,
      UnaryOperator<StructureOptions> options);

  /** Opens a set, like {@link #map(String, Class, Class)} for a map. */
  default <E> PersistentSet<E> set(String name, Class<E> elementType) {
    return set(name, TypeRef.of(elementType));
  }

  /** Opens a set, like {@link #map(String, TypeRef, TypeRef)} for a map. */
  default <E> PersistentSet<E> set(String name, TypeRef<E> elementType) {
    return set(name, elementType, CurrentOptions.asTheyAre());
  }

  /** Opens a set, like {@link #map(String, Class, Class, UnaryOperator)} for a map. */
  default <E> PersistentSet<E> set(
      String name, Class<E> elementType, UnaryOperator<StructureOptions> options) {
    return set(name, TypeRef.of(elementType), options);
  }

  /** Opens a set, like {@link #map(String, TypeRef, TypeRef, UnaryOperator)} for a map. */
  <E> PersistentSet<E> set(
      String name, TypeRef<E> elementType, UnaryOperator<StructureOptions> options);

  /**
   * Opens a sorted set, like {@link #map(String, Class, Class)} for a map. Elements of a type
   * without an order are rejected.
   */
  default <E> PersistentSortedSet<E> sortedSet(String name, Class<E> elementType) {
    return sortedSet(name, TypeRef.of(elementType));
  }

  /**
   * Opens a sorted set, like {@link #map(String, TypeRef, TypeRef)} for a map. Elements of a type
   * without an order are rejected.
   */
  default <E> PersistentSortedSet<E> sortedSet(String name, TypeRef<E> elementType) {
    return sortedSet(name, elementType, CurrentOptions.asTheyAre());
  }

  /**
   * Opens a sorted set, like {@link #map(String, Class, Class, UnaryOperator)} for a map. Elements
   * of a type without an order are rejected.
   */
  default <E> PersistentSortedSet<E> sortedSet(
      String name, Class<E> elementType, UnaryOperator<StructureOptions> options) {
    return sortedSet(name, TypeRef.of(elementType), options);
  }

  /**
   * Opens a sorted set, like {@link #map(String, TypeRef, TypeRef, UnaryOperator)} for a map.
   * Elements of a type without an order are rejected.
   */
  <E> PersistentSortedSet<E> sortedSet(
      String name, TypeRef<E> elementType, UnaryOperator<StructureOptions> options);

  /** Opens a scored set, like {@link #map(String, Class, Class)} for a map. */
  default <E> PersistentScoredSet<E> scoredSet(String name, Class<E> elementType) {
    return scoredSet(name, TypeRef.of(elementType));
  }

  /** Opens a scored set, like {@link #map(String, TypeRef, TypeRef)} for a map. */
  default <E> PersistentScoredSet<E> scoredSet(String name, TypeRef<E> elementType) {
    return scoredSet(name, elementType, CurrentOptions.asTheyAre());
  }

  /**
   * Opens a scored set, like {@link #map(String, Class, Class, UnaryOperator)} for a map.
   *
   * @throws IllegalArgumentException also if the option {@code ranked} differs from its creation
   */
  default <E> PersistentScoredSet<E> scoredSet(
      String name, Class<E> elementType, UnaryOperator<StructureOptions> options) {
    return scoredSet(name, TypeRef.of(elementType), options);
  }

  /** Opens a scored set, like {@link #map(String, TypeRef, TypeRef, UnaryOperator)} for a map. */
  <E> PersistentScoredSet<E> scoredSet(
      String name, TypeRef<E> elementType, UnaryOperator<StructureOptions> options);

  /** Opens a deque, like {@link #map(String, Class, Class)} for a map. */
  default <E> PersistentDeque<E> deque(String name, Class<E> elementType) {
    return deque(name, TypeRef.of(elementType));
  }

  /** Opens a deque, like {@link #map(String, TypeRef, TypeRef)} for a map. */
  default <E> PersistentDeque<E> deque(String name, TypeRef<E> elementType) {
    return deque(name, elementType, CurrentOptions.asTheyAre());
  }

  /**
   * Opens a deque, like {@link #map(String, Class, Class, UnaryOperator)} for a map. With a {@link
   * StructureOptions#capacity} it is bounded.
   */
  default <E> PersistentDeque<E> deque(
      String name, Class<E> elementType, UnaryOperator<StructureOptions> options) {
    return deque(name, TypeRef.of(elementType), options);
  }

  /** Opens a deque, like {@link #map(String, TypeRef, TypeRef, UnaryOperator)} for a map. */
  <E> PersistentDeque<E> deque(
      String name, TypeRef<E> elementType, UnaryOperator<StructureOptions> options);

  /**
   * Opens a table, like {@link #map(String, Class, Class)} for a map. Sort keys of a type without
   * an order are rejected.
   */
  default <H, S, V> PersistentTable<H, S, V> table(
      String name, Class<H> hashKeyType, Class<S> sortKeyType, Class<V> valueType) {
    return table(name, TypeRef.of(hashKeyType), TypeRef.of(sortKeyType), TypeRef.of(valueType));
  }

  /**
   * Opens a table, like {@link #map(String, TypeRef, TypeRef)} for a map. Sort keys of a type
   * without an order are rejected.
   */
  default <H, S, V> PersistentTable<H, S, V> table(
      String name, TypeRef<H> hashKeyType, TypeRef<S> sortKeyType, TypeRef<V> valueType) {
    return table(name, hashKeyType, sortKeyType, valueType, CurrentOptions.asTheyAre());
  }

  /**
   * Opens a table, like {@link #map(String, Class, Class, UnaryOperator)} for a map. Sort keys of a
   * type without an order are rejected.
   */
  default <H, S, V> PersistentTable<H, S, V> table(
      String name,
      Class<H> hashKeyType,
      Class<S> sortKeyType,
      Class<V> valueType,
      UnaryOperator<StructureOptions> options) {
    return table(
        name, TypeRef.of(hashKeyType), TypeRef.of(sortKeyType), TypeRef.of(valueType), options);
  }

  /**
   * Opens a table, like {@link #map(String, TypeRef, TypeRef, UnaryOperator)} for a map. Sort keys
   * of a type without an order are rejected.
   */
  <H, S, V> PersistentTable<H, S, V> table(
      String name,
      TypeRef<H> hashKeyType,
      TypeRef<S> sortKeyType,
      TypeRef<V> valueType,
      UnaryOperator<StructureOptions> options);

  /** Opens a single value, like {@link #map(String, Class, Class)} for a map. */
  default <T> PersistentValue<T> value(String name, Class<T> type) {
    return value(name, TypeRef.of(type));
  }

  /** Opens a single value, like {@link #map(String, TypeRef, TypeRef)} for a map. */
  default <T> PersistentValue<T> value(String name, TypeRef<T> type) {
    return value(name, type, CurrentOptions.asTheyAre());
  }

  /** Opens a single value, like {@link #map(String, Class, Class, UnaryOperator)} for a map. */
  default <T> PersistentValue<T> value(
      String name, Class<T> type, UnaryOperator<StructureOptions> options) {
    return value(name, TypeRef.of(type), options);
  }

  /** Opens a single value, like {@link #map(String, TypeRef, TypeRef, UnaryOperator)} for a map. */
  <T> PersistentValue<T> value(
      String name, TypeRef<T> type, UnaryOperator<StructureOptions> options);

  /** Opens a counter, like {@link #map(String, Class, Class)} for a map. */
  default PersistentCounter counter(String name) {
    return counter(name, CurrentOptions.asTheyAre());
  }

  /** Opens a counter, like {@link #map(String, TypeRef, TypeRef, UnaryOperator)} for a map. */
  PersistentCounter counter(String name, UnaryOperator<StructureOptions> options);

  /**
   * Opens a queue with the options that are kept with its name, or creates it. Opening it twice
   * returns the same queue. A {@link io.rockpool.queue.QueueListener} has threads that handle its
   * messages.
   *
   * @throws NameConflictException if the name holds something else
   */
  default <T> PersistentQueue<T> queue(String name, Class<T> type) {
    return queue(name, TypeRef.of(type));
  }

  /** Opens a queue, like {@link #queue(String, Class)}, of a type with type arguments. */
  default <T> PersistentQueue<T> queue(String name, TypeRef<T> type) {
    return queue(name, type, CurrentOptions.asTheyAre());
  }

  /**
   * Opens or creates a queue with options, as in {@code o -> o.maxSize(1_000)}, and that of its
   * dead letters. Options that are not set have the values that are kept with the name; see {@link
   * QueueOptions}.
   *
   * @param options makes the options out of {@link QueueOptions#defaults}
   * @throws NameConflictException if the name holds something else
   * @throws IllegalStateException if it is open with other options
   * @throws IllegalArgumentException if it has a maximum number of deliveries and no dead letters
   */
  default <T> PersistentQueue<T> queue(
      String name, Class<T> type, UnaryOperator<QueueOptions> options) {
    return queue(name, TypeRef.of(type), options);
  }

  /** Like {@link #queue(String, Class, UnaryOperator)}, of a type with type arguments. */
  <T> PersistentQueue<T> queue(String name, TypeRef<T> type, UnaryOperator<QueueOptions> options);

  /**
   * Opens a durable timer with the options that are kept with its name, or creates it. {@link
   * PersistentTimer#start} starts it.
   *
   * @param schedule when it fires from now on
   * @throws NameConflictException if the name holds something else
   */
  default <T> PersistentTimer<T> timer(String name, Schedule schedule, Class<T> type) {
    return timer(name, schedule, TypeRef.of(type));
  }

  /** Opens a timer, like {@link #timer(String, Schedule, Class)}, of a type with type arguments. */
  default <T> PersistentTimer<T> timer(String name, Schedule schedule, TypeRef<T> type) {
    return timer(name, schedule, type, CurrentOptions.asTheyAre());
  }

  /** Opens or creates a timer, with options of the queue of its firings. */
  default <T> PersistentTimer<T> timer(
      String name, Schedule schedule, Class<T> type, UnaryOperator<QueueOptions> options) {
    return timer(name, schedule, TypeRef.of(type), options);
  }

  /** Like {@link #timer(String, Schedule, Class, UnaryOperator)}, of a type with type arguments. */
  <T> PersistentTimer<T> timer(
      String name, Schedule schedule, TypeRef<T> type, UnaryOperator<QueueOptions> options);

  /**
   * Opens the change feed of a cache or collection, which was opened with the option {@code
   * changes} once. The cache or collection need not be open.
   *
   * <pre>{@code
   * pool.map("orders", String.class, Order.class, o -> o.changes(ChangeOptions.keep(ofDays(7))));
   * ChangeFeed<String, Order> changes = pool.changes("orders", String.class, Order.class);
   * long last = changes.oldest();
   * for (ChangeEvent<String, Order> change : changes.poll(last, 100, ofSeconds(10))) {
   *   index.update(change.key(), change.value()); // the value is null after a removal
   *   last = change.position() + 1;
   * }
   * }</pre>
   *
   * <table>
   *   <caption>Keys and values</caption>
   *   <tr><th>cache, map, sorted map</th><td>their keys and values</td></tr>
   *   <tr><th>set, sorted set</th><td>the element; {@code Void}</td></tr>
   *   <tr><th>scored set</th><td>the element; its score, a {@code Double}</td></tr>
   *   <tr><th>deque</th><td>a {@code Long}: places ascend from the first element to the last; the
   *       element</td></tr>
   *   <tr><th>value, counter</th><td>{@code Void}; the value, a {@code Long}</td></tr>
   *   <tr><th>table</th><td>see {@link #tableChanges}</td></tr>
   *   <tr><th>queue, timer</th><td>none: a queue is a feed of its messages</td></tr>
   * </table>
   *
   * @throws IllegalStateException if the name has no feed, or inside a transaction if the feed is
   *     not open
   * @throws NameConflictException if the name holds other types, or has other codecs than the store
   */
  default <K, V> ChangeFeed<K, V> changes(String name, Class<K> keyType, Class<V> valueType) {
    return changes(name, TypeRef.of(keyType), TypeRef.of(valueType));
  }

  /** Like {@link #changes(String, Class, Class)}, for types with type arguments. */
  <K, V> ChangeFeed<K, V> changes(String name, TypeRef<K> keyType, TypeRef<V> valueType);

  /** Like {@link #changes(String, Class, Class)}, for a table. */
  default <H, S, V> ChangeFeed<TableKey<H, S>, V> tableChanges(
      String name, Class<H> hashKeyType, Class<S> sortKeyType, Class<V> valueType) {
    return tableChanges(
        name, TypeRef.of(hashKeyType), TypeRef.of(sortKeyType), TypeRef.of(valueType));
  }

  /** Like {@link #changes(String, Class, Class)}, for a table, for types with type arguments. */
  <H, S, V> ChangeFeed<TableKey<H, S>, V> tableChanges(
      String name, TypeRef<H> hashKeyType, TypeRef<S> sortKeyType, TypeRef<V> valueType);
}
