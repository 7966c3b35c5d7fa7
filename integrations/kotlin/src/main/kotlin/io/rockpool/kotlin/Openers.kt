package io.rockpool.kotlin

import io.rockpool.Openers
import io.rockpool.cache.CacheOptions
import io.rockpool.cache.PersistentCache
import io.rockpool.change.ChangeFeed
import io.rockpool.codec.TypeRef
import io.rockpool.queue.PersistentQueue
import io.rockpool.queue.PersistentTimer
import io.rockpool.queue.QueueOptions
import io.rockpool.queue.Schedule
import io.rockpool.structure.PersistentDeque
import io.rockpool.structure.PersistentMap
import io.rockpool.structure.PersistentScoredSet
import io.rockpool.structure.PersistentSet
import io.rockpool.structure.PersistentSortedMap
import io.rockpool.structure.PersistentSortedSet
import io.rockpool.structure.PersistentTable
import io.rockpool.structure.PersistentValue
import io.rockpool.structure.StructureOptions
import io.rockpool.structure.TableKey

/** A type with its type arguments, such as `typeRef<Map<String, Order>>()`. */
public inline fun <reified T : Any> typeRef(): TypeRef<T> = object : TypeRef<T>() {}

/** Opens a cache as [Openers.cache] does, with the types of the call. */
public inline fun <reified K : Any, reified V : Any> Openers.cache(name: String): PersistentCache<K, V> =
  cache(name, typeRef<K>(), typeRef<V>())

/** Opens a cache as [Openers.cache] does, with options: they are given, and returned with changes. */
public inline fun <reified K : Any, reified V : Any> Openers.cache(
  name: String,
  noinline options: (CacheOptions<K, V>) -> CacheOptions<K, V>,
): PersistentCache<K, V> = cache(name, typeRef<K>(), typeRef<V>(), options)

/** Opens a map as [Openers.map] does, with the types of the call. */
public inline fun <reified K : Any, reified V : Any> Openers.map(name: String): PersistentMap<K, V> =
  map(name, typeRef<K>(), typeRef<V>())

/** Opens a map as [Openers.map] does, with options: they are given, and returned with changes. */
public inline fun <reified K : Any, reified V : Any> Openers.map(
  name: String,
  noinline options: (StructureOptions) -> StructureOptions,
): PersistentMap<K, V> = map(name, typeRef<K>(), typeRef<V>(), options)

/** Opens a sorted map as [Openers.sortedMap] does, with the types of the call. */
public inline fun <reified K : Any, reified V : Any> Openers.sortedMap(name: String): PersistentSortedMap<K, V> =
  sortedMap(name, typeRef<K>(), typeRef<V>())

/** Opens a sorted map as [Openers.sortedMap] does, with options: they are given, and returned with changes. */
public inline fun <reified K : Any, reified V : Any> Openers.sortedMap(
  name: String,
  noinline options: (StructureOptions) -> StructureOptions,
): PersistentSortedMap<K, V> = sortedMap(name, typeRef<K>(), typeRef<V>(), options)

/** Opens a set as [Openers.set] does, with the types of the call. */
public inline fun <reified E : Any> Openers.set(name: String): PersistentSet<E> =
  set(name, typeRef<E>())

/** Opens a set as [Openers.set] does, with options: they are given, and returned with changes. */
public inline fun <reified E : Any> Openers.set(
  name: String,
  noinline options: (StructureOptions) -> StructureOptions,
): PersistentSet<E> = set(name, typeRef<E>(), options)

/** Opens a sorted set as [Openers.sortedSet] does, with the types of the call. */
public inline fun <reified E : Any> Openers.sortedSet(name: String): PersistentSortedSet<E> =
  sortedSet(name, typeRef<E>())

/** Opens a sorted set as [Openers.sortedSet] does, with options: they are given, and returned with changes. */
public inline fun <reified E : Any> Openers.sortedSet(
  name: String,
  noinline options: (StructureOptions) -> StructureOptions,
): PersistentSortedSet<E> = sortedSet(name, typeRef<E>(), options)

/** Opens a scored set as [Openers.scoredSet] does, with the types of the call. */
public inline fun <reified E : Any> Openers.scoredSet(name: String): PersistentScoredSet<E> =
  scoredSet(name, typeRef<E>())

/** Opens a scored set as [Openers.scoredSet] does, with options: they are given, and returned with changes. */
public inline fun <reified E : Any> Openers.scoredSet(
  name: String,
  noinline options: (StructureOptions) -> StructureOptions,
): PersistentScoredSet<E> = scoredSet(name, typeRef<E>(), options)

/** Opens a deque as [Openers.deque] does, with the types of the call. */
public inline fun <reified E : Any> Openers.deque(name: String): PersistentDeque<E> =
  deque(name, typeRef<E>())

/** Opens a deque as [Openers.deque] does, with options: they are given, and returned with changes. */
public inline fun <reified E : Any> Openers.deque(
  name: String,
  noinline options: (StructureOptions) -> StructureOptions,
): PersistentDeque<E> = deque(name, typeRef<E>(), options)

/** Opens a table as [Openers.table] does, with the types of the call. */
public inline fun <reified H : Any, reified S : Any, reified V : Any> Openers.table(name: String): PersistentTable<H, S, V> =
  table(name, typeRef<H>(), typeRef<S>(), typeRef<V>())

/** Opens a table as [Openers.table] does, with options: they are given, and returned with changes. */
public inline fun <reified H : Any, reified S : Any, reified V : Any> Openers.table(
  name: String,
  noinline options: (StructureOptions) -> StructureOptions,
): PersistentTable<H, S, V> = table(name, typeRef<H>(), typeRef<S>(), typeRef<V>(), options)

/** Opens a value as [Openers.value] does, with the types of the call. */
public inline fun <reified T : Any> Openers.value(name: String): PersistentValue<T> =
  value(name, typeRef<T>())

/** Opens a value as [Openers.value] does, with options: they are given, and returned with changes. */
public inline fun <reified T : Any> Openers.value(
  name: String,
  noinline options: (StructureOptions) -> StructureOptions,
): PersistentValue<T> = value(name, typeRef<T>(), options)

/** Opens a queue as [Openers.queue] does, with the types of the call. */
public inline fun <reified T : Any> Openers.queue(name: String): PersistentQueue<T> =
  queue(name, typeRef<T>())

/** Opens a queue as [Openers.queue] does, with options: they are given, and returned with changes. */
public inline fun <reified T : Any> Openers.queue(
  name: String,
  noinline options: (QueueOptions) -> QueueOptions,
): PersistentQueue<T> = queue(name, typeRef<T>(), options)

/** Opens a timer as [Openers.timer] does, with the type of the call. */
public inline fun <reified T : Any> Openers.timer(
  name: String,
  schedule: Schedule,
): PersistentTimer<T> = timer(name, schedule, typeRef<T>())

/** Opens a timer as [Openers.timer] does, with options: they are given, and returned with changes. */
public inline fun <reified T : Any> Openers.timer(
  name: String,
  schedule: Schedule,
  noinline options: (QueueOptions) -> QueueOptions,
): PersistentTimer<T> = timer(name, schedule, typeRef<T>(), options)

/** The changes of a name as [Openers.changes] gives them, with the types of the call. */
public inline fun <reified K : Any, reified V : Any> Openers.changes(
  name: String
): ChangeFeed<K, V> = changes(name, typeRef<K>(), typeRef<V>())

/** The changes of a table as [Openers.tableChanges] gives them, with the types of the call. */
public inline fun <reified H : Any, reified S : Any, reified V : Any> Openers.tableChanges(
  name: String
): ChangeFeed<TableKey<H, S>, V> = tableChanges(name, typeRef<H>(), typeRef<S>(), typeRef<V>())
