package io.rockpool.cache;

import io.rockpool.engine.Engine;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The running loads of all caches of one space, and the law between them and removals: <em>what is
 * removed stays removed</em>. A value is not stored if its load began before a removal of its key
 * was called, nor before the commit of a transaction that removes it.
 *
 * <p>A load is stored under its row's lock, on condition that it was not superseded. A removal
 * supersedes the loads of its key first. So a removal that writes needs no more: a load has been
 * stored before, and is removed, or finds that it was superseded. One that finds no record writes
 * nothing, and a load may be stored behind its back after it has read and before it supersedes. So
 * it asks {@link #isLoading} before it reads; where a load ran then or is superseded now, it
 * confirms under the row's lock that there is no record.
 *
 * <p>A removal in a transaction happens when that commits. The loads that begin before then are
 * superseded from their beginning, whatever becomes of the transaction.
 */
final class SpaceLoads {
  private final Engine engine;
  private final List<Loads> all = new CopyOnWriteArrayList<>();

  /** The keys that running transactions have removed, and how often. */
  private final ConcurrentHashMap<ByteKey, Integer> leaving = new ConcurrentHashMap<>();

  /** How many running transactions remove all keys. */
  private final AtomicInteger allLeaving = new AtomicInteger();

  SpaceLoads(Engine engine) {
    this.engine = engine;
  }

  /** The loads of one more cache of the space. */
  Loads open() {
    Loads loads = new Loads(this, engine);
    all.add(loads);
    return loads;
  }

  void remove(Loads loads) {
    all.remove(loads);
  }

  /**
   * Notes that the key is being removed, at once or when this thread's transaction commits: loads
   * of it must not store what they load. Says whether there was one.
   */
  boolean supersede(EntryKey key) {
    if (engine.inTransaction()) {
      ByteKey bytes = key.byBytes();
      leaving.merge(bytes, 1, Integer::sum);
      engine.afterTransaction(
          () -> {
            supersedeRunning(key);
            leaving.computeIfPresent(bytes, (any, times) -> times == 1 ? null : times - 1);
          });
    }
    return supersedeRunning(key);
  }

  private boolean supersedeRunning(EntryKey key) {
    boolean found = false;
    for (Loads loads : all) {
      found |= loads.supersede(key);
    }
    return found;
  }

  /** Notes that all keys are being removed, at once or when this thread's transaction commits. */
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

  /** Whether a load of the key runs, in any cache of the space. */
  boolean isLoading(EntryKey key) {
    for (Loads loads : all) {
      if (loads.isLoading(key)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a transaction that has not ended removes the key. */
  boolean isLeaving(ByteKey key) {
    return allLeaving.get() > 0 || (!leaving.isEmpty() && leaving.containsKey(key));
  }
}
