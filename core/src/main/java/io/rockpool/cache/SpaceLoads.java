package io.rockpool.cache;

import io.rockpool.engine.Engine;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The running loads of all caches of one space, and their rule: <em>a removed entry stays removed,
 * and no older value replaces a put</em>, even if the put has expired or was evicted. A value is
 * not stored if its load began before a put or removal of its key was called, or before the commit
 * of a transaction with one.
 *
 * <p>A load is stored under its row's lock, if it was not superseded. A removal supersedes the
 * loads of its key first. So a removal that writes needs nothing else: either a load has been
 * stored before and is removed, or it finds that it was superseded. A removal that finds no record
 * writes nothing. Then a load may be stored after the removal has read and before it supersedes. So
 * the removal calls {@link #isLoading} before it reads. If a load ran then, or is superseded now,
 * the removal checks under the row's lock that there is no record.
 *
 * <p>A blind put also supersedes first and then writes. A conditional put supersedes under the
 * row's lock when it writes. So does a load that stores its value, for the loads that began before
 * it.
 *
 * <p>A write in a transaction takes effect at the commit. Loads that begin before that are
 * superseded from their start, even if the transaction fails.
 */
final class SpaceLoads {
  private final Engine engine;

  /** Whether other handles of the store may exist. */
  private final boolean shared;

  private final List<Loads> all = new CopyOnWriteArrayList<>();

  /** The keys that running transactions have written or removed, and how often. */
  private final ConcurrentHashMap<EntryKey, Integer> changing = new ConcurrentHashMap<>();

  /** The number of running transactions that remove all keys. */
  private final AtomicInteger allLeaving = new AtomicInteger();

  /** Whether writes of other handles of the store may go unnoticed. */
  private volatile boolean suspended;

  SpaceLoads(Engine engine, boolean shared) {
    this.engine = engine;
    this.shared = shared;
  }

  /** Adds the loads of another cache of the space. */
  Loads open() {
    Loads loads = new Loads(this, engine);
    all.add(loads);
    return loads;
  }

  void remove(Loads loads) {
    all.remove(loads);
  }

  /**
   * Supersedes the loads of a key that is written or removed, now or when this thread's transaction
   * commits: they must not store their values. Returns whether there was one. Outside a
   * transaction, this costs almost nothing while no load runs.
   */
  boolean supersede(EntryKey key) {
    return supersede(key, null);
  }

  /** Like {@link #supersede(EntryKey)}, by a loaded value: supersedes only older loads. */
  boolean supersede(EntryKey key, Loads.@Nullable Load writing) {
    if (engine.inTransaction()) {
      EntryKey bytes = key.byBytes();
      changing.merge(bytes, 1, Integer::sum);
      engine.afterTransaction(
          () -> {
            supersedeRunning(key, writing);
            changing.computeIfPresent(bytes, (any, times) -> times == 1 ? null : times - 1);
          });
    }
    return supersedeRunning(key, writing);
  }

  private boolean supersedeRunning(EntryKey key, Loads.@Nullable Load writing) {
    boolean found = false;
    for (Loads loads : all) {
      found |= loads.used && loads.supersede(key, writing);
    }
    return found;
  }

  /**
   * Supersedes all loads, because all keys are removed, now or when this thread's transaction
   * commits.
   */
  void supersedeAll() {
    if (engine.inTransaction()) {
      allLeaving.incrementAndGet();
      engine.afterTransaction(
          () -> {
            all.forEach(Loads::supersedeAll);
            allLeaving.decrementAndGet();
          });
    }
    all.forEach(Loads::supersedeAll);
  }

  /**
   * Supersedes the loads of a key that another handle of the store has written or removed. A load
   * with a lease may still be stored.
   */
  void supersedeElsewhere(EntryKey key) {
    all.forEach(loads -> loads.supersedeElsewhere(key));
  }

  /** Until {@link #resume}, every load outside a transaction is superseded from its start. */
  void suspend() {
    suspended = true; // first: a load that begins later sees this, and an earlier one is superseded
    supersedeAll();
  }

  void resume() {
    suspended = false;
  }

  /**
   * Whether a load of the key runs, in any cache of the space, or may run in another process. That
   * one notices only removals that write.
   */
  boolean isLoading(EntryKey key) {
    if (shared) {
      return true;
    }
    for (Loads loads : all) {
      if (loads.used && loads.isLoading(key)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a running transaction writes or removes the key, or another handle of the store may do
   * so unnoticed.
   */
  boolean isChanging(EntryKey key) {
    return suspended || allLeaving.get() > 0 || changing.containsKey(key);
  }
}
