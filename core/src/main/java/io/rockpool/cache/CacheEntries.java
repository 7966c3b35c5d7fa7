package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreClosedException;
import io.rockpool.store.Durability;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one open cache: {@link EntryReader} reads entries, {@link EntryUpdates} changes
 * them, and {@link StripedWrites} keeps the hot tier consistent with the space. In an embedded
 * store, a blind put is one native call, and so is a cold get. A conditional write is three: get,
 * get, write.
 *
 * <p>In a transaction over many rows, all of this goes to the transaction. Nothing is read from the
 * hot tier or put into it, and the stripes of written keys count as being written until the
 * transaction ends.
 */
final class CacheEntries<K, V> implements HotKeysOf, EntryReader.UnreadableRecords {
  final CacheEntryFormat<K, V> format;
  final EntryEncoder<K, V> writing;
  final Loads loads;
  final CacheCounters counters = new CacheCounters();
  final SharedSpace shared;
  final Engine engine;
  final StripedWrites writes;
  final ConditionalWrites<K, V> commits;
  final EntryReader<K, V> reader;
  final EntryUpdates<K, V> updates;
  final EntryTagging<K, V> tagging;
  private final boolean givesTags;

  final EndedEntries<K, V> ended;
  final IdleMoves idle;

  /** Writes entries together with the records of their keys; null if no key can have one. */
  final @Nullable EntryRecords<K> records;

  final Outages outages;
  private final Space space;

  private final Optional<Durability> durability;
  private final InstantSource clock;
  private final @Nullable HotTier hot;

  private final long diskBudgetBytes;

  private final long maximumSize;

  private volatile @Nullable PendingStage<V> pending;

  /** Writes the pending changes, if this cache was opened with a writer. */
  volatile @Nullable Draining drainer;

  /** The message of all operations, once the cache is closed. */
  volatile @Nullable String closed;

  private volatile boolean watched;

  CacheEntries(
      SharedSpace shared,
      Engine engine,
      CacheEntryFormat<K, V> format,
      CacheOptions<K, V> options,
      ExpiryScans scans,
      SharedHeap heap) {
    this.shared = shared;
    this.loads = shared.loads.open();
    this.engine = engine;
    this.durability = options.durability();
    this.space =
        options.durability().isEmpty()
            ? shared.space
            : shared.space.withDurability(options.durability().get());
    this.clock = engine.clock();
    this.outages = new Outages(engine, space.name());
    RowDirectory<K> directory = format.directory();
    this.records = directory == null ? null : new EntryRecords<>(engine, space, format, directory);
    this.format = format;
    this.writing = new EntryEncoder<>(format, counters, shared.space.name(), options);
    this.hot = hotTier(options, heap);
    this.diskBudgetBytes = options.diskBudgetBytes().orElse(0);
    this.maximumSize = options.maximumSize().orElse(0);
    this.writes = new StripedWrites(this, shared, engine, hot);
    this.reader =
        new EntryReader<>(
            shared,
            engine,
            space,
            format,
            options.onUndecodable(),
            counters,
            outages,
            writes,
            hot,
            this);
    this.commits =
        new ConditionalWrites<>(
            shared,
            engine,
            space,
            format,
            writing,
            writes,
            reader,
            records,
            counters,
            this::pending);
    this.updates = new EntryUpdates<>(this, space);
    this.tagging = new EntryTagging<>(shared.tags, options);
    this.givesTags = options.tagger() != null;
    this.ended = new EndedEntries<>(this, scans);
    this.idle = new IdleMoves(shared, engine, space, format, writes, hot, this::isClosed);
    shared.caches.add(this);
  }

  private @Nullable HotTier hotTier(CacheOptions<K, V> options, SharedHeap heap) {
    boolean refreshes = options.refreshes() || options.expiry().usesAccess();
    HotSize size = options.hotSize().orElse(null);
    if (size == null) {
      return heap.tier(counters::uses, refreshes);
    }
    long amount = size.amount();
    long bytes = size.isBytes() ? amount : 0;
    return amount == 0 ? null : new HotTier(amount - bytes, bytes, refreshes);
  }

  /** Closes the cache: from now on {@link #ensureOpen} throws with this message. */
  void close(String message) {
    closed = message;
  }

  boolean isClosed() {
    return closed != null;
  }

  void ensureOpen() {
    String message = closed;
    if (message != null) {
      throw new StoreClosedException(message);
    }
  }

  Space space() {
    return space;
  }

  /** How much is pending. */
  PendingIndex.Amount pendingAmount() {
    PendingChanges pending = shared.pending;
    return pending == null ? PendingIndex.Amount.NONE : pending.index.amount();
  }

  /** How changes become pending; null while the name of the cache had no writer. */
  @Nullable PendingStage<V> pending() {
    PendingChanges changes = shared.pending;
    if (changes == null) {
      return null;
    }
    PendingStage<V> stage = pending;
    if (stage == null) { // Threads may make equal ones.
      stage = new PendingStage<>(engine, format, shared, changes, durability);
      pending = stage;
    }
    return stage;
  }

  /** Whether changes may become pending, so that no write may pass the conditional ones. */
  boolean writesBehind() {
    PendingStage<V> stage = pending();
    return stage != null && stage.readsFirst();
  }

  /** Whether a change is one that becomes pending. */
  boolean isWrittenBehind(EntryKey key, Change<V> change) {
    PendingStage<V> stage = pending();
    return stage != null && stage.takes(key, change);
  }

  /** The pending change of a key; null for none. One read if changes may be pending. */
  Change.@Nullable Behind<V> pending(EntryKey key) {
    PendingStage<V> stage = pending();
    return stage == null ? null : stage.newest(key);
  }

  InstantSource clock() {
    return clock;
  }

  /** Whether this thread is in a transaction, which does not use the hot tier. */
  boolean inTransaction() {
    return engine.inTransaction();
  }

  @Override
  public @Nullable HotTier hotTier() {
    return hot;
  }

  @Override
  public CacheCounters counters() {
    return counters;
  }

  @Override
  public long diskBudgetBytes() {
    return diskBudgetBytes;
  }

  @Override
  public long maximumSize() {
    return maximumSize;
  }

  @Override
  public void keysCleared() {
    format.cleared();
  }

  @Override
  public boolean isWatched() {
    return watched;
  }

  /** Notes whether listeners are notified of expired entries; see {@link EndedEntries}. */
  void watch(boolean newWatched) {
    watched = newWatched;
  }

  long hotSize() {
    return hot == null ? 0 : hot.size();
  }

  HotMemory hotMemory() {
    return hot == null ? HotMemory.NONE : hot.memory();
  }

  /** {@inheritDoc} Listeners are notified. */
  @Override
  public void expired(EntryKey key) {
    if (watched) {
      ended.tell(key, space.get(key.bytes(), Space.NO_SORT_KEY));
    }
  }

  /** {@inheritDoc} It is removed, if it has not changed since. */
  @Override
  public void undecodable(EntryKey key, RowRecord record) {
    commits.commit(new PlannedWrite<>(key, record, Change.<V>remove().unwritten(), () -> true));
  }

  /** Begins an operation that gives tags to its values; null if the cache gives none. */
  @Nullable Tagging<K, V> beginTagging() {
    return givesTags ? tagging.begin() : null;
  }

  /** The tags of a value; null for none. */
  static <K, V> @Nullable EntryTags tags(@Nullable Tagging<K, V> tagging, K key, V value) {
    return tagging == null ? null : tagging.of(key, value);
  }

  void clear() {
    clearRecords();
    forgetCleared();
  }

  /** Removes every record. Waits for no row; see {@link #forgetCleared}. */
  void clearRecords() {
    shared.clear(space);
  }

  /** Forgets what is known of entries that were cleared. Waits for rows. */
  void forgetCleared() {
    shared.caches.forEach(HotKeysOf::keysCleared);
  }

  /**
   * Removes this cache from its space, so that other caches no longer notify it of their writes.
   */
  void detach() {
    shared.detach(this);
    loads.close();
    closeHot();
  }

  /** Empties the hot tier, and keeps it empty. */
  void closeHot() {
    if (hot != null) {
      hot.close();
    }
  }

  @Override
  public boolean isHot(byte[] key) {
    HotTier tier = hot;
    EntryKey known = tier == null || tier.isEmpty() ? null : format.knownKey(key);
    return tier != null && known != null && tier.holds(known.hot());
  }

  /** {@inheritDoc} If the key's codec fails, the tier is emptied and the failure is counted. */
  @Override
  public void forget(byte[] key) {
    HotTier tier = hot;
    if (tier == null || tier.isEmpty()) {
      return;
    }
    try {
      EntryKey known = format.knownKey(key);
      if (known != null) {
        tier.remove(known.hot());
      }
    } catch (RuntimeException | Error e) {
      tier.clear();
      shared.keyFailed(e);
    }
  }
}
