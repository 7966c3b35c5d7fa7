package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.DeadGeneration;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.format.DescriptorCopy;
import io.rockpool.internal.format.NextGenerationFormat;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.WritePath;
import io.rockpool.store.Durability;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors of names. Every change is one batch, written before any state in memory changes:
 * a name's new descriptor, the generation that dies, and the next free generation. Changes take one
 * lock; reads take none.
 *
 * <p>Call it inside the {@link CloseGuard}.
 */
public final class SpaceCatalog implements Generations {
  /** Room for a descriptor with a few attributes, and the other records of a change. */
  private static final int BATCH_BYTES = 512;

  private final WritePath writePath;
  private final RunningTransactions transactions;
  private final Database database;
  private final InstantSource clock;
  private final Descriptors descriptors;
  private final OrderedLock lock;
  private final Map<String, SpaceState> open = new HashMap<>();

  /** Changes under the lock. */
  private final GenerationNames names;

  private final Runnable beforeRows;
  private long nextGeneration;

  /**
   * Loads the catalog of a store.
   *
   * @param beforeRows called before a space of rows is created; throws if the store must not have
   *     one
   */
  public SpaceCatalog(
      Database database,
      WritePath writePath,
      RowLocks locks,
      RunningTransactions transactions,
      InstantSource clock,
      Runnable beforeRows) {
    this.database = database;
    this.writePath = writePath;
    this.transactions = transactions;
    this.clock = clock;
    this.descriptors = new Descriptors(database, clock);
    this.names = new GenerationNames(descriptors);
    this.lock = locks.newLock(LockLevel.SPACES);
    this.beforeRows = beforeRows;
    this.nextGeneration = descriptors.firstFreeGeneration();
  }

  public SpaceState create(SpaceSpec spec) {
    return changing(
        () -> {
          if (descriptors.read(spec.name()) != null) {
            throw taken(spec.name());
          }
          beforeCreating(spec);
          long now = clock.millis();
          Descriptor descriptor =
              new Descriptor(
                  spec.layout(), takeGeneration(), now, now, 0, Expiry.NEVER, spec.attributes());
          Batch batch = newBatch();
          put(batch, spec.name(), descriptor);
          writePath.write(batch, durability(spec.name()));
          return opened(spec.name(), descriptor);
        });
  }

  private static NameConflictException taken(String name) {
    return new NameConflictException(
        "The name \"" + name + "\" is taken; open it, reset it, or choose another.", name);
  }

  /** Whether a space is not part of a cache or hints, so it may hold the only copy of data. */
  static boolean isPrecious(String name, Layout layout) {
    return layout == Layout.ROWS
        && !SpaceName.isWithin(name, SpaceName.HINTS)
        && !SpaceName.isWithin(name, SpaceName.TAGS);
  }

  /** Rejects a store with more than caches: it cannot be set aside if it is damaged. */
  public void refuseUnlessCachesOnly(Path path) {
    for (SpaceInfo space : descriptors.list("")) {
      if (isPrecious(space.name(), space.layout())) {
        throw new IllegalStateException(
            "The store at "
                + path
                + " holds \""
                + space.name()
                + "\", which is not a cache, so it cannot be opened to be set aside when it is"
                + " damaged. Open it with OnCorruption.FAIL, and keep caches in a store of their"
                + " own.");
      }
    }
  }

  private void beforeCreating(SpaceSpec spec) {
    if (isPrecious(spec.name(), spec.layout())) {
      beforeRows.run();
    }
  }

  public @Nullable SpaceState open(String name, Durability durability) {
    return this.<@Nullable SpaceState>changing(
        () -> {
          Descriptor descriptor = descriptors.read(name);
          if (descriptor == null) {
            return null;
          }
          if (writePath.gate().isReadOnly()) {
            return stateOf(name, descriptor);
          }
          boolean expired = descriptors.isPast(descriptor.expiryMillis());
          Descriptor now = descriptor.withOpened(clock.millis());
          if (expired) {
            now = now.withGeneration(takeGeneration()).withExpiry(Expiry.NEVER);
          }
          write(name, descriptor, now, durability);
          SpaceState state = open.get(name);
          return state == null ? opened(name, now) : moved(state, now);
        });
  }

  public SpaceState reset(SpaceSpec spec) {
    return changing(
        () -> {
          Descriptor old = descriptors.existing(spec.name());
          beforeCreating(spec);
          Descriptor descriptor =
              new Descriptor(
                  spec.layout(),
                  takeGeneration(),
                  old.createdMillis(),
                  clock.millis(),
                  old.resets() + 1,
                  Expiry.NEVER,
                  spec.attributes());
          write(spec.name(), old, descriptor, Durability.SYNC);
          end(spec.name());
          return opened(spec.name(), descriptor);
        });
  }

  /** Gives a space a new generation; keeps the expiry unless it has passed. */
  void clear(SpaceState state, Durability durability) {
    change(
        () -> {
          state.generation();
          Descriptor old = descriptors.existing(state.name());
          long expiryMillis =
              descriptors.isPast(old.expiryMillis()) ? Expiry.NEVER : old.expiryMillis();
          Descriptor next = old.withGeneration(takeGeneration()).withExpiry(expiryMillis);
          write(state.name(), old, next, durability);
          moved(state, next);
        });
  }

  /**
   * Sets the expiry of the whole space, if a condition on the present one holds. If the new or the
   * old expiry has passed, the space gets a new generation.
   *
   * @return whether the condition held
   */
  boolean expireAt(
      SpaceState state, long expiryMillis, LongPredicate condition, Durability durability) {
    return changing(
        () -> {
          state.generation();
          Descriptor old = descriptors.existing(state.name());
          boolean wasPast = descriptors.isPast(old.expiryMillis());
          if (!condition.test(wasPast ? Expiry.NEVER : old.expiryMillis())) {
            return false;
          }
          boolean past = descriptors.isPast(expiryMillis);
          Descriptor next = old.withExpiry(past ? Expiry.NEVER : expiryMillis);
          if (past || wasPast) {
            next = next.withGeneration(takeGeneration());
          }
          write(state.name(), old, next, durability);
          moved(state, next);
          return true;
        });
  }

  /**
   * {@inheritDoc} No thread waits for a row lock while it holds the catalog's lock. A buffered
   * write suffices: writes to the new generation follow it in the log, so making them durable makes
   * it durable.
   */
  @Override
  public long endExpired(SpaceState state) {
    writePath.stalls().lock(lock);
    try {
      long current = state.generation();
      if (current != SpaceState.NO_RECORDS) {
        return current; // another thread was faster
      }
      Descriptor old = descriptors.existing(state.name());
      Descriptor next = old.withGeneration(takeGeneration()).withExpiry(Expiry.NEVER);
      write(state.name(), old, next, Durability.BUFFERED);
      moved(state, next);
      return next.generation();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives each expired space a new generation, as the next write to it would. Otherwise the disk
   * space of a space that is never used again would never be reclaimed.
   */
  public void endAllExpired() {
    List<String> expired = new ArrayList<>();
    descriptors.forEach(
        (name, descriptor) -> {
          if (descriptors.hasExpired(descriptor)) {
            expired.add(name);
          }
        });
    for (String name : expired) {
      change(
          () -> {
            Descriptor descriptor = descriptors.read(name);
            if (descriptor != null && descriptors.hasExpired(descriptor)) {
              endExpired(stateOf(name, descriptor));
            }
          });
    }
  }

  /** The space that has a generation, or null if none has it any longer. */
  public @Nullable SpaceState withGeneration(long generation) {
    return this.<@Nullable SpaceState>changing(() -> findGeneration(generation));
  }

  /** The space of a name, or null if there is none. Changes nothing on disk. */
  public @Nullable SpaceState named(String name) {
    return this.<@Nullable SpaceState>changing(
        () -> {
          Descriptor descriptor = descriptors.read(name);
          return descriptor == null ? null : stateOf(name, descriptor);
        });
  }

  private @Nullable SpaceState findGeneration(long generation) {
    byte[] grave = CatalogKeyFormat.deadGeneration(generation);
    if (database.get(ColumnFamily.CATALOG, grave) != null) {
      return null;
    }
    String name = names.find(generation);
    return name == null ? null : stateOf(name, descriptors.existing(name));
  }

  private SpaceState stateOf(String name, Descriptor descriptor) {
    SpaceState state = open.get(name);
    return state == null ? opened(name, descriptor) : state;
  }

  /** Reads while no change of the catalog is in progress: sees all of a change or nothing. */
  public <R> R undisturbed(Supplier<R> reading) {
    return changing(reading);
  }

  public void setAttributes(String name, Map<String, String> attributes) {
    change(
        () -> {
          Descriptor old = descriptors.existing(name);
          write(name, old, old.withAttributes(attributes), Durability.SYNC);
        });
  }

  public boolean drop(String name) {
    return changing(() -> descriptors.read(name) != null && dropEach(List.of(name)) == 1);
  }

  public int dropAll(String level) {
    return changing(() -> dropEach(descriptors.list(level).stream().map(SpaceInfo::name).toList()));
  }

  private int dropEach(List<String> names) {
    if (!names.isEmpty()) {
      Batch batch = newBatch();
      for (String name : names) {
        bury(batch, descriptors.existing(name));
        delete(batch, name);
      }
      writePath.write(batch, names.size() == 1 ? durability(names.get(0)) : Durability.SYNC);
      names.forEach(this::end);
    }
    return names.size();
  }

  /**
   * How a space is created and dropped. Hints need no fsync of their own: they precede the durable
   * change of their cache in the log, or are lost with what they hint at.
   */
  private static Durability durability(String name) {
    return SpaceName.isWithin(name, SpaceName.HINTS) ? Durability.BUFFERED : Durability.SYNC;
  }

  /**
   * Gives a space another name, in one batch.
   *
   * @param replace whether to drop the space that has the new name
   * @return whether there was one to rename
   */
  public boolean rename(String from, String to, boolean replace) {
    return changing(
        () -> {
          Descriptor descriptor = descriptors.read(from);
          Descriptor replaced = descriptors.read(to);
          if (descriptor == null) {
            return false;
          }
          if (replaced != null && !replace) {
            throw taken(to);
          }
          Batch batch = newBatch();
          if (replaced != null) {
            bury(batch, replaced);
          }
          delete(batch, from);
          put(batch, to, descriptor);
          writePath.write(batch, Durability.SYNC);
          end(to);
          SpaceState state = open.remove(from);
          if (state != null) {
            open.put(to, state.renamed(to));
          }
          return true;
        });
  }

  public @Nullable SpaceInfo describe(String name) {
    return descriptors.describe(name);
  }

  public List<SpaceInfo> list(String level) {
    return descriptors.list(level);
  }

  /**
   * About how many bytes a space uses, in files and in memory; empty if the name does not exist.
   */
  public OptionalLong diskBytes(String name) {
    return descriptors.diskBytes(name);
  }

  private Batch newBatch() {
    return new Batch(database.familyIds(), BATCH_BYTES);
  }

  /** A generation that was never used; if its batch fails, it is never used at all. */
  private long takeGeneration() {
    return nextGeneration++;
  }

  /** Writes a new descriptor for a name; if the generation changes, the old one becomes dead. */
  private void write(String name, Descriptor old, Descriptor next, Durability durability) {
    Batch batch = newBatch();
    put(batch, name, next);
    if (next.generation() != old.generation()) {
      bury(batch, old);
    }
    writePath.write(batch, durability);
  }

  private void put(Batch batch, String name, Descriptor descriptor) {
    names.put(name, descriptor);
    byte[] key = CatalogKeyFormat.name(name);
    byte[] record = descriptor.encode();
    batch.put(ColumnFamily.CATALOG, key, record);
    batch.put(ColumnFamily.DEFAULT, key, DescriptorCopy.encode(key, record));
    batch.put(
        ColumnFamily.CATALOG,
        CatalogKeyFormat.nextGeneration(),
        NextGenerationFormat.encode(nextGeneration));
  }

  private static void delete(Batch batch, String name) {
    byte[] key = CatalogKeyFormat.name(name);
    batch.delete(ColumnFamily.CATALOG, key);
    batch.delete(ColumnFamily.DEFAULT, key);
  }

  private void bury(Batch batch, Descriptor descriptor) {
    names.remove(descriptor);
    batch.put(
        ColumnFamily.CATALOG,
        CatalogKeyFormat.deadGeneration(descriptor.generation()),
        new DeadGeneration(descriptor.layout(), clock.millis()).encode());
  }

  private SpaceState opened(String name, Descriptor descriptor) {
    SpaceState state =
        new SpaceState(
            name,
            descriptor.layout(),
            descriptor.generation(),
            descriptor.expiryMillis(),
            this,
            clock);
    open.put(name, state);
    return state;
  }

  private static SpaceState moved(SpaceState state, Descriptor descriptor) {
    state.moveTo(descriptor.generation(), descriptor.expiryMillis());
    return state;
  }

  private void end(String name) {
    SpaceState state = open.remove(name);
    if (state != null) {
      state.end();
    }
  }

  private void change(Runnable change) {
    changing(
        () -> {
          change.run();
          return this;
        });
  }

  private <R extends @Nullable Object> R changing(Supplier<R> change) {
    transactions.refuseInside("A change of the catalog");
    writePath.stalls().lock(lock);
    try {
      return change.get();
    } finally {
      lock.unlock();
    }
  }
}
