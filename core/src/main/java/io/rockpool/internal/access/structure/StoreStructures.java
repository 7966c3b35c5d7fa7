package io.rockpool.internal.access.structure;

import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.RecordChecks.Problems;
import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceView;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.catalog.Entry;
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
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The open structures of one store. The method of each type opens or creates a structure. If it is
 * already open with the same types, the method returns that object. Options that are null or not
 * set have the values of the open structure, or those that are kept with the name, or the defaults.
 */
public interface StoreStructures {
  /** Creates the structures of a store. */
  interface Factory {
    /** Registers with {@code engine} and {@code catalog}; no structure is open yet. */
    StoreStructures create(Engine engine, Catalog catalog, Codecs codecs);
  }

  /** The factory, which the static initializer of {@link PersistentMap} sets. */
  AtomicReference<Factory> FACTORY = new AtomicReference<>();

  /** Creates the structures of a store, see {@link Factory}. */
  static StoreStructures create(Engine engine, Catalog catalog, Codecs codecs) {
    Internals.initialize(PersistentMap.class);
    return Objects.requireNonNull(FACTORY.get()).create(engine, catalog, codecs);
  }

  /**
   * Returns the same structures for an application with its own class loader. Where types do not
   * name the classes of elements, a structure that is open with another loader is refused.
   */
  StoreStructures in(ClassLoader application);

  <K, V> PersistentMap<K, V> map(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, @Nullable StructureOptions options);

  <K, V> PersistentSortedMap<K, V> sortedMap(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, @Nullable StructureOptions options);

  <E> PersistentSet<E> set(String name, TypeRef<E> elementType, @Nullable StructureOptions options);

  <E> PersistentSortedSet<E> sortedSet(
      String name, TypeRef<E> elementType, @Nullable StructureOptions options);

  <E> PersistentScoredSet<E> scoredSet(
      String name, TypeRef<E> elementType, @Nullable StructureOptions options);

  <E> PersistentDeque<E> deque(
      String name, TypeRef<E> elementType, @Nullable StructureOptions options);

  <T> PersistentValue<T> value(String name, TypeRef<T> type, @Nullable StructureOptions options);

  PersistentCounter counter(String name, @Nullable StructureOptions options);

  <H, S, V> PersistentTable<H, S, V> table(
      String name,
      TypeRef<H> hashKeyType,
      TypeRef<S> sortKeyType,
      TypeRef<V> valueType,
      @Nullable StructureOptions options);

  /**
   * The number of elements of an open structure, as the engine counts them. May include expired
   * ones, except of a value or counter. Empty if the structure is not open, for a table (its rows
   * are not known), and inside a transaction (reading would lock all rows). One read per row.
   */
  OptionalLong count(String name);

  /**
   * When all elements of a structure, open or not, expire; {@link io.rockpool.engine.Expiry#NEVER}
   * if they do not. For a value or counter it reads one record, and returns never inside a
   * transaction, because reading would lock the record.
   */
  long expiryMillis(Entry entry);

  /**
   * Creates the check of a structure's records. The structure need not be open.
   *
   * @param decode whether to also decode its elements, if it is open
   * @return the check, or null if the type is unknown
   * @throws CorruptStoreException if its descriptor is invalid
   */
  @Nullable RecordCheck check(Entry entry, SpaceView view, Problems problems, boolean decode);

  /**
   * Adds members to a scored set that is not open, with all records that belong to them.
   *
   * @param ranked whether it has a rank index
   * @param members the records of members
   */
  void addMembers(Space space, boolean ranked, List<RowRecord> members);

  /** Closes all structures: every later use throws. */
  void close();
}
