package io.rockpool;

import io.rockpool.codec.TypeRef;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.access.structure.StoreStructures;
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
import java.util.Objects;
import java.util.function.UnaryOperator;

/** The methods of {@link Rockpool} that open structures by name. */
abstract class StructureOpener {
  /** Hidden, so that only {@link Rockpool} extends this. */
  StructureOpener() {}

  /** The structures of the open store. */
  abstract StoreStructures structures();

  /**
   * Opens a map with the options that are kept with its name, or creates it. Opening it twice
   * returns the same map.
   *
   * @throws NameConflictException if the name holds something else
   */
  public <K, V> PersistentMap<K, V> map(String name, Class<K> keyType, Class<V> valueType) {
    return structures().map(name, TypeRef.of(keyType), TypeRef.of(valueType), null);
  }

  /**
   * Opens or creates a map with changed default options, as in {@code o ->
   * o.entryTtl(Duration.ofDays(1))}; see {@link #map(String, TypeRef, TypeRef, StructureOptions)}.
   */
  public <K, V> PersistentMap<K, V> map(
      String name, Class<K> keyType, Class<V> valueType, UnaryOperator<StructureOptions> options) {
    return map(name, TypeRef.of(keyType), TypeRef.of(valueType), changed(options));
  }

  /** Opens a map, like {@link #map(String, Class, Class)}, of types with type arguments. */
  public <K, V> PersistentMap<K, V> map(String name, TypeRef<K> keyType, TypeRef<V> valueType) {
    return structures().map(name, keyType, valueType, null);
  }

  /**
   * Opens or creates a map. Options that are not set have the values that are kept with the name;
   * see {@link StructureOptions}.
   *
   * @throws NameConflictException if the name holds something else, unless the options ask for a
   *     reset
   * @throws IllegalStateException if it is open with other options
   */
  public <K, V> PersistentMap<K, V> map(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, StructureOptions options) {
    return structures(options).map(name, keyType, valueType, options);
  }

  /** Opens a set, like {@link #map(String, Class, Class)} for a map. */
  public <E> PersistentSet<E> set(String name, Class<E> elementType) {
    return structures().set(name, TypeRef.of(elementType), null);
  }

  /** Opens a set, like {@link #map(String, Class, Class, UnaryOperator)} for a map. */
  public <E> PersistentSet<E> set(
      String name, Class<E> elementType, UnaryOperator<StructureOptions> options) {
    return set(name, TypeRef.of(elementType), changed(options));
  }

  /** Opens a set, like {@link #map(String, TypeRef, TypeRef)} for a map. */
  public <E> PersistentSet<E> set(String name, TypeRef<E> elementType) {
    return structures().set(name, elementType, null);
  }

  /** Opens a set, like {@link #map(String, TypeRef, TypeRef, StructureOptions)} for a map. */
  public <E> PersistentSet<E> set(String name, TypeRef<E> elementType, StructureOptions options) {
    return structures(options).set(name, elementType, options);
  }

  /**
   * Opens a table, like {@link #map(String, Class, Class)} for a map. Sort keys of a type without
   * an order are rejected.
   */
  public <H, S, V> PersistentTable<H, S, V> table(
      String name, Class<H> hashKeyType, Class<S> sortKeyType, Class<V> valueType) {
    return structures()
        .table(name, TypeRef.of(hashKeyType), TypeRef.of(sortKeyType), TypeRef.of(valueType), null);
  }

  /** Opens a table, like {@link #map(String, Class, Class, UnaryOperator)} for a map. */
  public <H, S, V> PersistentTable<H, S, V> table(
      String name,
      Class<H> hashKeyType,
      Class<S> sortKeyType,
      Class<V> valueType,
      UnaryOperator<StructureOptions> options) {
    return table(
        name,
        TypeRef.of(hashKeyType),
        TypeRef.of(sortKeyType),
        TypeRef.of(valueType),
        changed(options));
  }

  /** Opens a table, like {@link #map(String, TypeRef, TypeRef)} for a map. */
  public <H, S, V> PersistentTable<H, S, V> table(
      String name, TypeRef<H> hashKeyType, TypeRef<S> sortKeyType, TypeRef<V> valueType) {
    return structures().table(name, hashKeyType, sortKeyType, valueType, null);
  }

  /**
   * Opens a table, like {@link #map(String, TypeRef, TypeRef, StructureOptions)} for a map. Sort
   * keys of a type without an order are rejected.
   */
  public <H, S, V> PersistentTable<H, S, V> table(
      String name,
      TypeRef<H> hashKeyType,
      TypeRef<S> sortKeyType,
      TypeRef<V> valueType,
      StructureOptions options) {
    return structures(options).table(name, hashKeyType, sortKeyType, valueType, options);
  }

  /** Opens a single value, like {@link #map(String, Class, Class)} for a map. */
  public <T> PersistentValue<T> value(String name, Class<T> type) {
    return structures().value(name, TypeRef.of(type), null);
  }

  /** Opens a value, like {@link #map(String, Class, Class, UnaryOperator)} for a map. */
  public <T> PersistentValue<T> value(
      String name, Class<T> type, UnaryOperator<StructureOptions> options) {
    return value(name, TypeRef.of(type), changed(options));
  }

  /** Opens a value, like {@link #map(String, TypeRef, TypeRef)} for a map. */
  public <T> PersistentValue<T> value(String name, TypeRef<T> type) {
    return structures().value(name, type, null);
  }

  /** Opens a value, like {@link #map(String, TypeRef, TypeRef, StructureOptions)} for a map. */
  public <T> PersistentValue<T> value(String name, TypeRef<T> type, StructureOptions options) {
    return structures(options).value(name, type, options);
  }

  /** Opens a counter, like {@link #map(String, Class, Class)} for a map. */
  public PersistentCounter counter(String name) {
    return structures().counter(name, null);
  }

  /** Opens a counter, like {@link #map(String, Class, Class, UnaryOperator)} for a map. */
  public PersistentCounter counter(String name, UnaryOperator<StructureOptions> options) {
    return counter(name, changed(options));
  }

  /** Opens a counter, like {@link #map(String, TypeRef, TypeRef, StructureOptions)} for a map. */
  public PersistentCounter counter(String name, StructureOptions options) {
    return structures(options).counter(name, options);
  }

  /**
   * Opens a sorted map, like {@link #map(String, Class, Class)} for a map. Keys of a type without
   * an order are rejected.
   */
  public <K, V> PersistentSortedMap<K, V> sortedMap(
      String name, Class<K> keyType, Class<V> valueType) {
    return structures().sortedMap(name, TypeRef.of(keyType), TypeRef.of(valueType), null);
  }

  /** Opens a sorted map, like {@link #map(String, Class, Class, UnaryOperator)} for a map. */
  public <K, V> PersistentSortedMap<K, V> sortedMap(
      String name, Class<K> keyType, Class<V> valueType, UnaryOperator<StructureOptions> options) {
    return sortedMap(name, TypeRef.of(keyType), TypeRef.of(valueType), changed(options));
  }

  /** Opens a sorted map, like {@link #map(String, TypeRef, TypeRef)} for a map. */
  public <K, V> PersistentSortedMap<K, V> sortedMap(
      String name, TypeRef<K> keyType, TypeRef<V> valueType) {
    return structures().sortedMap(name, keyType, valueType, null);
  }

  /**
   * Opens a sorted map, like {@link #map(String, TypeRef, TypeRef, StructureOptions)} for a map.
   * Keys of a type without an order are rejected.
   */
  public <K, V> PersistentSortedMap<K, V> sortedMap(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, StructureOptions options) {
    return structures(options).sortedMap(name, keyType, valueType, options);
  }

  /** Opens a sorted set, like {@link #sortedMap(String, Class, Class)} for a sorted map. */
  public <E> PersistentSortedSet<E> sortedSet(String name, Class<E> elementType) {
    return structures().sortedSet(name, TypeRef.of(elementType), null);
  }

  /** Opens a sorted set, like {@link #map(String, Class, Class, UnaryOperator)} for a map. */
  public <E> PersistentSortedSet<E> sortedSet(
      String name, Class<E> elementType, UnaryOperator<StructureOptions> options) {
    return sortedSet(name, TypeRef.of(elementType), changed(options));
  }

  /** Opens a sorted set, like {@link #map(String, TypeRef, TypeRef)} for a map. */
  public <E> PersistentSortedSet<E> sortedSet(String name, TypeRef<E> elementType) {
    return structures().sortedSet(name, elementType, null);
  }

  /** Opens a sorted set, like {@link #sortedMap(String, TypeRef, TypeRef, StructureOptions)}. */
  public <E> PersistentSortedSet<E> sortedSet(
      String name, TypeRef<E> elementType, StructureOptions options) {
    return structures(options).sortedSet(name, elementType, options);
  }

  /** Opens a deque, like {@link #map(String, Class, Class)} for a map. */
  public <E> PersistentDeque<E> deque(String name, Class<E> elementType) {
    return structures().deque(name, TypeRef.of(elementType), null);
  }

  /** Opens a deque, like {@link #map(String, Class, Class, UnaryOperator)} for a map. */
  public <E> PersistentDeque<E> deque(
      String name, Class<E> elementType, UnaryOperator<StructureOptions> options) {
    return deque(name, TypeRef.of(elementType), changed(options));
  }

  /** Opens a deque, like {@link #map(String, TypeRef, TypeRef)} for a map. */
  public <E> PersistentDeque<E> deque(String name, TypeRef<E> elementType) {
    return structures().deque(name, elementType, null);
  }

  /**
   * Opens a deque, like {@link #map(String, TypeRef, TypeRef, StructureOptions)} for a map. With a
   * {@link StructureOptions#capacity} it is bounded.
   */
  public <E> PersistentDeque<E> deque(
      String name, TypeRef<E> elementType, StructureOptions options) {
    return structures(options).deque(name, elementType, options);
  }

  /** Opens a scored set, like {@link #map(String, Class, Class)} for a map. */
  public <E> PersistentScoredSet<E> scoredSet(String name, Class<E> elementType) {
    return structures().scoredSet(name, TypeRef.of(elementType), null);
  }

  /** Opens a scored set, like {@link #map(String, Class, Class, UnaryOperator)} for a map. */
  public <E> PersistentScoredSet<E> scoredSet(
      String name, Class<E> elementType, UnaryOperator<StructureOptions> options) {
    return scoredSet(name, TypeRef.of(elementType), changed(options));
  }

  /** Opens a scored set, like {@link #map(String, TypeRef, TypeRef)} for a map. */
  public <E> PersistentScoredSet<E> scoredSet(String name, TypeRef<E> elementType) {
    return structures().scoredSet(name, elementType, null);
  }

  /**
   * Opens a scored set, like {@link #map(String, TypeRef, TypeRef, StructureOptions)} for a map.
   *
   * @throws IllegalArgumentException also if the option {@code ranked} differs from its creation
   */
  public <E> PersistentScoredSet<E> scoredSet(
      String name, TypeRef<E> elementType, StructureOptions options) {
    return structures(options).scoredSet(name, elementType, options);
  }

  private static StructureOptions changed(UnaryOperator<StructureOptions> options) {
    return options.apply(StructureOptions.defaults());
  }

  private StoreStructures structures(StructureOptions options) {
    Objects.requireNonNull(options, "options");
    return structures();
  }
}
