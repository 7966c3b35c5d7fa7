package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.engine.LatestReads;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.store.Durability;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads single entries, and keeps the hot tier consistent with the space; {@link EntryUpdates}
 * changes entries. In an embedded store, a blind put is one native call, and so is a cold get. A
 * conditional write is three: get, get, write.
 *
 * <p>In a transaction over many rows, all of this goes to the transaction. Nothing is read from the
 * hot tier or put into it, and the stripes of written keys count as being written until the
 * transaction ends.
 */
final class CacheEntries<K, V> implements HotKeysOf {
  final CacheEntryFormat<K, V> format;
  final EntryEncoder<K, V> writing;
  final Loads loads;
  final CacheCounters counters = new CacheCounters();
  final SharedSpace shared;
  final Engine engine;
  final StripedWrites writes;
  final ConditionalWrites<K, V> commits;
  final EntryUpdates<K, V> updates;
  final EntryTagging<K, V> tagging;
  private final boolean givesTags;

  final EndedEntries<K, V> ended;
  final IdleMoves idle;
  final EntryRecords<K> records;
  final Outages outages;
  private final Space space;

  /** For reads that decide nothing and put nothing into memory. */
  private final Space plain;

  private final Optional<Durability> durability;
  private final InstantSource clock;
  private final @Nullable HotTier hot;
  private final @Nullable SharedInstances instances;
  private final CacheOptions.OnUndecodable onUndecodable;

  private final long diskBudgetBytes;

  private final long maximumSize;

  /** Writes the pending changes, if this cache was opened with a writer. */
  volatile @Nullable Draining drainer;

  private volatile @Nullable String closed;

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
    this.records = new EntryRecords<>(engine, space, format);
    this.format = format;
    this.writing = new EntryEncoder<>(format, counters, shared.space.name(), options);
    this.hot = hotTier(options, heap);
    this.plain = hot == null ? space.withReadsFromReplicas() : space;
    this.instances =
        hot == null ? null : new SharedInstances(hot, shared::stripe, shared.idleDeadlines);
    this.onUndecodable = options.onUndecodable();
    this.diskBudgetBytes = options.diskBudgetBytes().orElse(0);
    this.maximumSize = options.maximumSize().orElse(0);
    this.writes = new StripedWrites(this, shared, engine, hot);
    this.commits = new ConditionalWrites<>(this, engine);
    this.updates = new EntryUpdates<>(this, space);
    this.tagging = new EntryTagging<>(shared.tags, options);
    this.givesTags = options.tagger() != null;
    this.ended = new EndedEntries<>(this, scans);
    this.idle = new IdleMoves(this, shared, engine);
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

  /** The space of pending changes, with the durability of this cache. */
  Space pendingSpace(PendingChanges pending) {
    return durability.isEmpty() ? pending.space() : pending.withDurability(durability.get());
  }

  /** How much is pending. */
  PendingIndex.Amount pendingAmount() {
    PendingChanges pending = shared.pending;
    return pending == null ? PendingIndex.Amount.NONE : pending.index.amount();
  }

  /** Whether changes may become pending, so that no write may pass the conditional ones. */
  boolean writesBehind() {
    PendingChanges pending = shared.pending;
    return pending != null && pending.isUsed();
  }

  /** Whether a change is one that becomes pending. */
  boolean isWrittenBehind(EntryKey key, Change<V> change) {
    PendingChanges pending = shared.pending;
    return change.behind() != null && pending != null && pending.takes(key);
  }

  /**
   * The pending change of a key, which is newer than what a loader would return; null for none. One
   * read if changes may be pending.
   */
  Change.@Nullable Behind<V> pending(EntryKey key) {
    PendingChanges pending = shared.pending;
    if (pending == null) {
      return null;
    }
    PendingChanges.Read read = pending.read(key.bytes());
    return read == null ? null : new Change.Behind<>(format.pendingValue(read.pending()));
  }

  /** Whether a value that cannot be decoded is a miss, and no error. */
  boolean missesUndecodable() {
    return onUndecodable != CacheOptions.OnUndecodable.FAIL;
  }

  InstantSource clock() {
    return clock;
  }

  /** The payload in the hot tier for a key of the tier, unless it has expired. */
  @Nullable Object hotPayload(Object hotKey) {
    if (hot == null) {
      return null;
    }
    Object payload = hot.payload(hotKey, clock);
    return payload == null || readsEngine() ? null : payload;
  }

  /** The hot entry of a key, unless it has expired by its moved deadline. */
  @Nullable HotEntry hotIdle(EntryKey key) {
    HotEntry entry = hot == null ? null : hot.get(key.hot());
    return entry == null || isPast(key, entry) || readsEngine() ? null : entry;
  }

  /** Like {@link #hotIdle(EntryKey)}, at a known time. */
  @Nullable HotEntry hotIdle(EntryKey key, long nowMillis) {
    HotEntry entry = hot == null ? null : hot.get(key.hot());
    return entry == null
            || (deadline(key, entry) <= nowMillis && isPast(key, entry))
            || readsEngine()
        ? null
        : entry;
  }

  /** Whether the reads of this thread are not answered from memory. */
  private boolean readsEngine() {
    return inTransaction() || readsLatest();
  }

  /** Whether the reads of this thread must see what other handles have written, reported or not. */
  private boolean readsLatest() {
    return shared.changesElsewhere && LatestReads.isOn(engine);
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

  /** Whether an entry has expired by its moved deadline. */
  boolean isPast(EntryKey key, HotEntry entry) {
    return Expiry.isPast(deadline(key, entry), clock)
        // Only a record that outlives its deadline can be moved.
        && (entry.deadlineMillis() >= entry.expiryMillis()
            || Expiry.isPast(shared.idleDeadlines.settled(key, entry), clock));
  }

  /** Whether the entry of a record has expired by its moved deadline. */
  boolean isPast(EntryKey key, RowRecord record) {
    byte[] bytes = record.value();
    return isPast(key, format.header(bytes, 0, bytes.length, record.expiryMillis()));
  }

  /**
   * Whether the entry of a record has expired by its moved deadline, before its record.
   *
   * @param nowMillis asked only if an entry can expire before its record
   */
  boolean isPastBeforeRecord(EntryKey key, RowRecord record, LongSupplier nowMillis) {
    byte[] bytes = record.value();
    HotEntry entry = format.header(bytes, 0, bytes.length, record.expiryMillis());
    if (entry.deadlineMillis() >= entry.expiryMillis()) {
      return false;
    }
    long now = nowMillis.getAsLong();
    return deadline(key, entry) <= now && shared.idleDeadlines.settled(key, entry) <= now;
  }

  /** The deadline of an entry with the moves of reads. */
  long deadline(EntryKey key, HotEntry entry) {
    IdleDeadlines moved = shared.idleDeadlines;
    return moved.used
        ? moved.effective(key, entry)
        : Math.min(entry.deadlineMillis(), entry.expiryMillis());
  }

  /** Reads an entry from disk, and lets it into the hot tier if it is worth it. */
  @Nullable Found<V> read(EntryKey key) {
    return read(space, key);
  }

  private @Nullable Found<V> read(Space from, EntryKey key) {
    try {
      if (hot == null || instances == null || inTransaction() || !hot.wants(key.hot())) {
        HotEntry entry = live(from, key, format.decoder);
        passed(key);
        return entry == null ? null : new Found<>(entry, format.decodedValue(entry));
      }
      if (format.sharesChangeableValues() && !readsLatest()) {
        HotEntry entry =
            instances.read(
                key,
                read -> {
                  HotEntry found = live(from, read, format.hotReader);
                  writes.forgetOlder(read);
                  return found;
                });
        if (entry == null) {
          writes.passed(key);
        }
        return entry == null ? null : new Found<>(entry, format.value(entry));
      }
      HotTier tier = hot;
      long ticket = writes.ticket(key);
      HotEntry entry = live(from, key, format.hotReader);
      V value = entry == null ? null : format.value(entry);
      if (entry == null
          || value == null
          || !admit(tier, key, ticket, format.shared(entry, value))) {
        writes.passed(key);
      }
      return entry == null || value == null ? null : new Found<>(entry, value);
    } catch (UndecodableValueException e) {
      return undecodable(key, e);
    }
  }

  /**
   * Like {@link #read(EntryKey)}, for a read that decides nothing; a miss if no server answers and
   * that is to be one.
   */
  @Nullable Found<V> readOrMiss(EntryKey key) {
    if (readsLatest()) {
      return read(key);
    }
    return outages.misses ? outages.readOrMiss(() -> read(plain, key)) : read(plain, key);
  }

  /** Call it after a key was read and not admitted; see {@link StripedWrites#passed}. */
  private void passed(EntryKey key) {
    if (shared.changesElsewhere) {
      writes.passed(key);
    }
  }

  private boolean admit(HotTier tier, EntryKey key, long ticket, HotEntry entry) {
    return deadline(key, entry) >= entry.deadlineMillis() // else only a note in memory ends it
        && writes.admit(key, ticket, () -> tier.put(key.hot(), entry));
  }

  /** Reads records, for reads that decide nothing; null for each that is absent or a miss. */
  List<? extends @Nullable RowRecord> readOrMiss(List<RecordKey> keys) {
    return readsLatest()
        ? space.getAll(keys)
        : outages.<RecordKey, RowRecord>readAllOrMiss(keys, RecordKey::hashKey, plain::getAll);
  }

  /** Like {@link #read(EntryKey)}, from a record that was read since the ticket was taken. */
  @Nullable Found<V> read(EntryKey key, RowRecord record, long ticket) {
    Found<V> found = read(key, record);
    HotTier tier = hot;
    if (found == null
        || tier == null
        || inTransaction()
        || !tier.wants(key.hot())
        || !admit(tier, key, ticket, format.kept(found.entry(), record))) {
      writes.passed(key);
    }
    return found;
  }

  /** Whether there is an entry, decodable or not. */
  boolean isPresent(EntryKey key) {
    return header(key) != null;
  }

  /** The entry on disk, decodable or not, without its value. */
  @Nullable HotEntry header(EntryKey key) {
    HotEntry entry = live(space, key, format.header);
    writes.passed(key);
    return entry;
  }

  /** The entry on disk, as the reader returns it; null if there is none or it has expired. */
  private @Nullable HotEntry live(Space from, EntryKey key, RecordReader<HotEntry> reader) {
    HotEntry entry = from.get(key.bytes(), Space.NO_SORT_KEY, reader);
    return entry == null || isInvalidated(entry, readsLatest()) || hasEnded(key, entry)
        ? null
        : entry;
  }

  /** Begins an operation that gives tags to its values; null if the cache gives none. */
  @Nullable Tagging<K, V> beginTagging() {
    return givesTags ? tagging.begin() : null;
  }

  /** The tags of a value; null for none. */
  static <K, V> @Nullable EntryTags tags(@Nullable Tagging<K, V> tagging, K key, V value) {
    return tagging == null ? null : tagging.of(key, value);
  }

  /** Whether one of an entry's tags was invalidated; see {@link TagMarks#hasEnded}. */
  boolean isInvalidated(HotEntry entry, boolean exactly) {
    EntryTags tags = entry.tags();
    return tags != null && shared.tags.hasEnded(tags, exactly);
  }

  /** Whether an entry that was read has expired; if so, listeners are notified. */
  private boolean hasEnded(EntryKey key, HotEntry entry) {
    boolean past = isPast(key, entry);
    if (past && watched) {
      ended.tell(key, space.get(key.bytes(), Space.NO_SORT_KEY));
    }
    return past;
  }

  /** The entry of a record that was read directly. */
  @Nullable Found<V> read(EntryKey key, RowRecord record) {
    return read(key, record, readsLatest());
  }

  /**
   * The entry of a record that was read to decide about a change: it has ended if any handle of the
   * store has invalidated one of its tags, reported or not.
   */
  @Nullable Found<V> readExactly(EntryKey key, RowRecord record) {
    return read(key, record, true);
  }

  private @Nullable Found<V> read(EntryKey key, RowRecord record, boolean exactly) {
    byte[] bytes = record.value();
    try {
      HotEntry entry =
          Objects.requireNonNull(
              format.decoder.read(bytes, 0, bytes.length, record.expiryMillis()));
      return isInvalidated(entry, exactly) || isPast(key, entry)
          ? null
          : new Found<>(entry, format.decodedValue(entry));
    } catch (UndecodableValueException e) {
      return undecodable(key, e);
    }
  }

  /** A record's key; null, and counted, if it cannot be decoded. */
  @Nullable K decodeKey(byte[] bytes) {
    try {
      return format.decodeKey(bytes);
    } catch (UndecodableValueException e) {
      counters.undecodable.increment();
      if (onUndecodable == CacheOptions.OnUndecodable.FAIL) {
        throw e;
      }
      return null;
    }
  }

  private @Nullable Found<V> undecodable(EntryKey key, UndecodableValueException e) {
    counters.undecodable.increment();
    if (onUndecodable == CacheOptions.OnUndecodable.FAIL) {
      throw new UndecodableValueException(
          "A value of the cache \"" + space.name() + "\" cannot be decoded: " + e.getMessage(),
          space.name(),
          null,
          ShownKey.of(key.bytes()),
          e);
    }
    if (shared.changesElsewhere) {
      return null; // another process may have the class
    }
    RowRecord record = space.get(key.bytes(), Space.NO_SORT_KEY);
    if (record != null && !isDecodable(record)) {
      commits.commit(new PlannedWrite<>(key, record, Change.<V>remove().unwritten(), () -> true));
    }
    return null;
  }

  private boolean isDecodable(RowRecord record) {
    try {
      byte[] bytes = record.value();
      return format.decoder.read(bytes, 0, bytes.length, record.expiryMillis()) != null;
    } catch (UndecodableValueException e) {
      return false;
    }
  }

  /**
   * A read entry with the instance of the hot tier, which other readers get. This matters only if
   * mutable values are shared.
   */
  @Nullable Found<V> sameAsHot(EntryKey key, long ticket, @Nullable Found<V> found) {
    if (instances == null
        || found == null
        || !format.sharesChangeableValues()
        || inTransaction()
        || shared.changesElsewhere) { // then the hot instance may be older than the record
      return found;
    }
    HotEntry same = instances.unwritten(key, ticket);
    return same == null ? found : new Found<>(found.entry(), format.value(same));
  }

  /** The hot entry that later reads return in place of one that a scan found; null for none. */
  @Nullable HotEntry hotScanned(EntryKey key) {
    boolean prefersHot = format.sharesChangeableValues() || shared.changesElsewhere;
    HotEntry same = prefersHot ? hotIdle(key) : null;
    if (same == null) {
      writes.forgetOlder(key);
    }
    return same;
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
