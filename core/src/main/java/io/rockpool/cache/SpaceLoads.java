package io.rockpool.cache;

import io.rockpool.engine.Engine;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The running loads of all caches of one space, and the law between them and writes: <em>what is
 * removed stays removed, and nothing older follows a put</em>, even if that has expired or was
 * evicted. A value is not stored if its load began before a put or removal of its key was called,
 * nor before the commit of a transaction that makes one.
 *
 * <p>A load is stored under its row's lock, on condition that it was not superseded. A removal
 * supersedes the loads of its key first. So a removal that writes needs no more: a load has been
 * stored before, and is removed, or finds that it was superseded. One that finds no record writes
 * nothing, and a load may be stored behind its back after it has read and before it supersedes. So
 * it asks {@link #isLoading} before it reads; where a load ran then or is superseded now, it
 * confirms under the row's lock that there is no record.
 *
 * <p>A blind put supersedes first and writes then, too. A conditional one supersedes under the
 * row's lock, once it writes: so does a load that stores its value, for the loads that began before
 * it.
 *
 * <p>A write in a transaction happens when that commits. The loads that begin before then are
 * superseded from their beginning, whatever becomes of the transaction.
 */
final class SpaceLoads {
  private final Engine engine;
  private final List<Loads> all = new CopyOnWriteArrayList<>();

  /** The keys that running transactions have written or removed, and how often. */
  private final ConcurrentHashMap<ByteKey, Integer> changing = new ConcurrentHashMap<>();

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
   * Notes that the key is being written or removed, at once or when this thread's transaction
   * commits: loads of it must not store what they load. Says whether there was one. Costs next to
   * nothing while no load runs, outside of transactions.
   */
  boolean supersede(EntryKey key) {
    return supersede(key, null);
  }

  /** As {@link #supersede(EntryKey)}, by the value of a load: only loads that began before it. */
  boolean supersede(EntryKey key, Loads.@Nullable Load writing) {
    if (engine.inTransaction()) {
      ByteKey bytes = key.byBytes();
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
      found |= loads.supersede(key, writing);
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

  /** Whether a transaction that has not ended writes or removes the key. */
  boolean isChanging(ByteKey key) {
    return allLeaving.get() > 0 || (!changing.isEmpty() && changing.containsKey(key));
  }
}
