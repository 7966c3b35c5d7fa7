package io.rockpool.cache;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.Space;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.change.LoggedSpace;
import io.rockpool.internal.concurrent.Stripes;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.store.Durability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state that all caches of one name in one store share. There are several caches only if
 * several class loaders open the name. Then each has its own hot tier, and a write through one
 * removes the key from the others.
 */
final class SharedSpace {
  /**
   * Two keys share a stripe, and then may skip the hot tier, once in this many pairs. A stripe
   * takes some 80 bytes.
   */
  private static final int STRIPES = 256;

  final Space space;
  final SpaceLoads loads;
  final IdleDeadlines idleDeadlines = new IdleDeadlines();
  final List<HotKeysOf> caches = new CopyOnWriteArrayList<>();

  /** Stripes are created on first use, because most caches are small. */
  final AtomicReferenceArray<@Nullable HotTierStripe> stripes = new AtomicReferenceArray<>(STRIPES);

  /** For writes that a power loss may undo, and that are no changes to users. */
  final Space unsynced;

  /** Whether other handles of the store may change the space. */
  final boolean changesElsewhere;

  private final Engine engine;

  /** The number of entries that closed caches have put. */
  private final LongAdder closedPuts = new LongAdder();

  private final Upkeep upkeep;

  /** The rows of the key directories; null if no cache has foreign keys. */
  private volatile @Nullable DirectoryRows directory;

  /** The key directories on an engine without transactions; null if no cache has one. */
  private volatile @Nullable DirectoryEntries directoryEntries;

  /** The changes that a writer has yet to write; null if there never was a writer. */
  volatile @Nullable PendingChanges pending;

  /** When the tags of entries were invalidated. */
  final TagMarks tags;

  /** Writes the pending changes; null if no cache of this name is open with a writer. */
  volatile @Nullable Draining drainer;

  /** The name of the work to which failures of key codecs are attributed. */
  private final String evictions;

  SharedSpace(Space space, Engine engine, Catalog catalog) {
    this.space = space;
    this.tags = new TagMarks(engine, catalog, space.name());
    this.engine = engine;
    this.changesElsewhere = engine.capabilities().contains(Capability.SHARED);
    this.loads = new SpaceLoads(engine, changesElsewhere);
    this.upkeep = EngineUpkeep.of(engine).upkeep();
    this.evictions = "The eviction of \"" + space.name() + "\"";
    this.unsynced = LoggedSpace.unlogged(space).withDurability(Durability.BUFFERED);
  }

  /** Whether changes are logged. */
  boolean isLogged() {
    return LoggedSpace.isLogged(space);
  }

  /** Returns the rows of the key directories; creates them in {@code rows} if there are none. */
  DirectoryRows directory(Space rows) {
    DirectoryRows there = directory;
    if (there == null) {
      there = new DirectoryRows(engine, space, rows);
      directory = there;
    }
    return there;
  }

  /** Returns the entries of the key directories; creates them if there are none. */
  DirectoryEntries directoryEntries(Function<Boolean, @Nullable Space> opener) {
    DirectoryEntries there = directoryEntries;
    if (there == null) {
      there = new DirectoryEntries(space, engine.clock(), opener);
      directoryEntries = there;
    }
    return there;
  }

  /** The sweeps of the key directories that are due. */
  List<BooleanSupplier> sweeps() {
    DirectoryRows rows = directory;
    DirectoryEntries entries = directoryEntries;
    return rows != null && rows.mayHaveUnused()
        ? List.of(rows)
        : entries != null ? List.of(entries) : List.of();
  }

  /** Returns the rows of the key directories; null if there are none. */
  @Nullable DirectoryRows directory() {
    return directory;
  }

  /** Records that entries are removed without their records in the key directories. */
  private void entriesGo() {
    DirectoryRows there = directory;
    if (there != null) {
      there.entriesGo();
    }
  }

  HotTierStripe stripe(EntryKey key) {
    return stripe(stripeIndex(key));
  }

  private HotTierStripe stripe(int index) {
    HotTierStripe there = stripes.get(index);
    if (there != null) {
      return there;
    }
    HotTierStripe mine = new HotTierStripe(changesElsewhere);
    HotTierStripe first = stripes.compareAndExchange(index, null, mine);
    return first == null ? mine : first;
  }

  /** The ticket of each stripe, for {@link #isUnwritten}. */
  long[] tickets() {
    long[] tickets = new long[STRIPES];
    for (int i = 0; i < STRIPES; i++) {
      HotTierStripe there = stripes.get(i);
      tickets[i] = there == null ? 0 : there.ticket();
    }
    return tickets;
  }

  /**
   * Counts the read of a page as a write of every key, so that no older entry enters a tier later.
   *
   * @param tickets those from before the page was read
   * @return the tickets from now on
   */
  long[] passed(long[] tickets) {
    long[] passed = new long[STRIPES];
    for (int i = 0; i < STRIPES; i++) {
      passed[i] = stripe(i).pass(tickets[i]);
    }
    return passed;
  }

  /** Whether no write of the key's stripe has run since the tickets were taken. */
  boolean isUnwritten(EntryKey key, long[] tickets) {
    int index = stripeIndex(key);
    HotTierStripe there = stripes.get(index);
    return there == null || there.isUnwritten(tickets[index]);
  }

  private static int stripeIndex(EntryKey key) {
    return Stripes.of(key.hashCode(), STRIPES);
  }

  /** The disk budget of the entries: the smallest of all caches; 0 for none. */
  long diskBudgetBytes() {
    return caches.stream().mapToLong(HotKeysOf::diskBudgetBytes).filter(b -> b > 0).min().orElse(0);
  }

  /** The maximum number of entries: the smallest of all caches; 0 for none. */
  long maximumSize() {
    return caches.stream()
        .mapToLong(HotKeysOf::maximumSize)
        .filter(size -> size > 0)
        .min()
        .orElse(0);
  }

  /** The number of entries that were put by open and closed caches. */
  long puts() {
    return closedPuts.sum() + caches.stream().mapToLong(cache -> cache.counters().puts.sum()).sum();
  }

  /** Removes a cache that is closed. */
  void detach(HotKeysOf cache) {
    closedPuts.add(cache.counters().puts.sum());
    caches.remove(cache);
  }

  /**
   * Evicts entries to free disk space or to reduce their number; entries in memory only if {@code
   * all}. Works stripe by stripe, because writes of a stripe leave nothing in memory meanwhile.
   *
   * @return how many were removed
   */
  int evict(List<byte[]> keys, boolean all) {
    PendingChanges there = pending;
    return evict(keys, all, there == null ? null : there.space());
  }

  /**
   * Like the other {@code evict}.
   *
   * @param pendingSpace has the changes whose entries are kept; null for none
   */
  int evict(List<byte[]> keys, boolean all, @Nullable Space pendingSpace) {
    Map<Integer, List<EntryKey>> byStripe = new HashMap<>();
    for (byte[] bytes : keys) {
      EntryKey key = EntryKey.of(bytes, bytes, false);
      byStripe.computeIfAbsent(stripeIndex(key), index -> new ArrayList<>()).add(key);
    }
    int evicted = 0;
    upkeep.succeeded(evictions); // unless a key fails below
    for (Map.Entry<Integer, List<EntryKey>> some : byStripe.entrySet()) {
      evicted += evict(stripe(some.getKey()), some.getValue(), all, pendingSpace);
    }
    for (HotKeysOf cache : caches) {
      cache.counters().evictions.add(evicted);
    }
    return evicted;
  }

  private int evict(
      HotTierStripe stripe, List<EntryKey> keys, boolean all, @Nullable Space pendingSpace) {
    long unused = stripe.begin();
    try {
      List<EntryKey> going = all ? keys : keys.stream().filter(key -> !isHot(key)).toList();
      for (EntryKey key : going) {
        caches.forEach(cache -> cache.forget(key.bytes()));
      }
      List<EntryKey> gone = pendingSpace == null ? going : unlessPending(going, pendingSpace);
      if (pendingSpace == null) {
        unsynced.deleteAll(
            going.stream().map(key -> new RecordKey(key.bytes(), Space.NO_SORT_KEY)).toList());
      }
      entriesGo();
      gone.forEach(idleDeadlines::forget);
      return gone.size();
    } finally {
      stripe.end();
    }
  }

  /** Deletes those entries that have no pending change; returns their keys. */
  private List<EntryKey> unlessPending(List<EntryKey> keys, Space pendingSpace) {
    return engine.atomically(
        () -> {
          List<EntryKey> gone = new ArrayList<>();
          for (EntryKey key : keys) {
            if (pendingSpace.get(key.bytes(), Space.NO_SORT_KEY) == null) {
              unsynced.delete(key.bytes(), Space.NO_SORT_KEY);
              gone.add(key);
            }
          }
          return gone;
        });
  }

  private boolean isHot(EntryKey key) {
    return caches.stream().anyMatch(cache -> isHot(cache, key));
  }

  /** False for a key that cannot be decoded now, so that its disk space can be freed. */
  private boolean isHot(HotKeysOf cache, EntryKey key) {
    try {
      return cache.isHot(key.bytes());
    } catch (RuntimeException | Error e) {
      keyFailed(e);
      return false;
    }
  }

  /** Counts and logs what a key's codec has thrown. */
  void keyFailed(Throwable e) {
    upkeep.failed(evictions, e);
  }

  /**
   * Removes every record and empties every tier. Concurrent writes leave nothing in a tier.
   *
   * @param handle the handle of the cache, which may have its own durability
   */
  void clear(Space handle) {
    writingAll(
        () -> {
          tiers(HotTier::clear);
          handle.clear();
          entriesGo();
          idleDeadlines.clear();
        });
  }

  /** Another handle of the store has written a record. */
  void rowChanged(byte[] hashKey) {
    EntryKey key = EntryKey.of(hashKey, hashKey, false);
    HotTierStripe stripe = stripe(key);
    long unused = stripe.begin();
    try {
      caches.forEach(cache -> cache.forget(hashKey));
    } finally {
      stripe.end();
    }
    loads.supersedeElsewhere(key);
    countInvalidation();
  }

  /** Another handle of the store has changed any records. */
  void spaceChanged() {
    writingAll(
        () -> {
          tiers(HotTier::clear);
          idleDeadlines.clear();
        });
    countInvalidation();
  }

  private void countInvalidation() {
    caches.forEach(cache -> cache.counters().invalidations.increment());
  }

  /** What other handles of the store change may go unreported: nothing is kept in memory. */
  void feedLost() {
    loads.suspend();
    tags.suspend();
    writingAll(() -> tiers(HotTier::suspend));
  }

  /** What other handles of the store change is reported again. */
  void feedRegained() {
    tags.resume();
    writingAll(() -> tiers(HotTier::resume));
    loads.resume();
  }

  private void tiers(Consumer<HotTier> change) {
    caches.stream().map(HotKeysOf::hotTier).filter(Objects::nonNull).forEach(change);
  }

  /** Runs what concerns all keys, as a write of each. It supersedes all loads. */
  private void writingAll(Runnable change) {
    loads.supersedeAll();
    for (int i = 0; i < STRIPES; i++) {
      long unused = stripe(i).begin();
    }
    try {
      change.run();
    } finally {
      for (int i = 0; i < STRIPES; i++) {
        stripe(i).end();
      }
    }
  }
}
