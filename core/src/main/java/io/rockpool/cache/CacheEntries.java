package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.access.TaggedLoader;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.store.Durability;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes single entries, and keeps the hot tier consistent with the space.
 *
 * <p>No user code runs under a lock or inside a row transaction. Operations that depend on the
 * current entry (compute, replace, a creation expiry) read, decide, and write if the record has not
 * changed since; otherwise they repeat. A blind put is one native call, and so is a cold get. A
 * conditional write is three: get, get, write.
 *
 * <p>In a transaction over many rows, all of this goes to the transaction. Nothing is read from the
 * hot tier or put into it, and the stripes of written keys count as being written until the
 * transaction ends.
 */
final class CacheEntries<K, V> {
  final CacheEntryFormat<K, V> format;
  final EntryEncoder<K, V> writing;
  final Loads loads;
  final CacheCounters counters = new CacheCounters();
  final SharedSpace shared;
  final Engine engine;
  final StripedWrites writes;
  final ConditionalWrites<K, V> commits;

  final EndedEntries<K, V> ended;
  final IdleMoves idle;
  final EntryRecords<K> records;
  final Outages outages;
  private final Space space;
  private final Optional<Durability> durability;
  private final InstantSource clock;
  private final @Nullable HotTier hot;
  private final @Nullable SharedInstances instances;
  private final CacheOptions.OnUndecodable onUndecodable;

  /** Returns the tags of values; null for none. */
  private final @Nullable BiFunction<? super K, ? super V, ? extends Collection<String>> tagger;

  /** The disk budget of the entries in bytes; 0 for none. */
  final long diskBudgetBytes;

  /** The maximum number of entries; 0 for none. */
  final long maximumSize;

  /** Writes the pending changes, if this cache was opened with a writer. */
  volatile @Nullable Draining drainer;

  private volatile @Nullable String closed;

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
    this.instances =
        hot == null ? null : new SharedInstances(hot, shared::stripe, shared.idleDeadlines);
    this.onUndecodable = options.onUndecodable();
    this.tagger = options.tagger();
    this.diskBudgetBytes = options.diskBudgetBytes().orElse(0);
    this.maximumSize = options.maximumSize().orElse(0);
    this.writes = new StripedWrites(this, shared, engine, hot);
    this.commits = new ConditionalWrites<>(this, engine);
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

  /** Gives tags to the values of an operation that has read nothing yet. */
  Tagging<K, V> tagging() {
    return tagger == null ? Tagging.none() : Tagging.of(shared.tags, shared.tags.epoch(), tagger);
  }

  /** Like {@link #tagging()}, with these tags as well. */
  Tagging<K, V> tagging(BiFunction<? super K, ? super V, ? extends Collection<String>> more) {
    return Tagging.of(shared.tags, shared.tags.epoch(), union(tagger, more));
  }

  private static <K, V> BiFunction<? super K, ? super V, ? extends Collection<String>> union(
      @Nullable BiFunction<? super K, ? super V, ? extends Collection<String>> some,
      BiFunction<? super K, ? super V, ? extends Collection<String>> more) {
    return some == null
        ? more
        : (key, value) -> {
          Set<String> all = new LinkedHashSet<>(some.apply(key, value));
          all.addAll(more.apply(key, value));
          return all;
        };
  }

  /** Like {@link #tagging()}, for values of a loader that has not begun. */
  Tagging<K, V> tagging(ValueLoader<? super K, ? extends @Nullable V> loader) {
    return loader instanceof TaggedLoader<?, ?> ? tagging(tags(loader)) : tagging();
  }

  /** Like {@link #tagging()}, for the value of a load, as of its beginning. */
  Tagging<K, V> tagging(Loads.Load load, Collection<String> more) {
    return load.tagEpoch == Tagging.NO_EPOCH
        ? Tagging.none()
        : Tagging.of(shared.tags, load.tagEpoch, union(tagger, (key, value) -> more));
  }

  /** The tags of the value of a load that has ended on this thread; null for none. */
  @Nullable EntryTags tags(
      Loads.Load load, ValueLoader<? super K, ? extends @Nullable V> loader, K key, V value) {
    Collection<String> more =
        loader instanceof TaggedLoader<?, ?> ? tags(loader).apply(key, value) : Set.of();
    return tagging(load, more).of(key, value);
  }

  @SuppressWarnings("unchecked") // a loader of V's
  private BiFunction<K, V, Collection<String>> tags(
      ValueLoader<? super K, ? extends @Nullable V> loader) {
    return ((TaggedLoader<K, V>) loader)::tags;
  }

  /**
   * The epoch for a load that begins.
   *
   * @param tagged whether its value may get tags that the tagger does not give it
   */
  long tagEpoch(boolean tagged) {
    return tagger == null && !tagged ? Tagging.NO_EPOCH : shared.tags.epoch();
  }

  /** Ends all entries with one of these tags. */
  void invalidateTags(Collection<String> tags) {
    shared.tags.invalidate(tags, durability);
  }

  /** Whether one of an entry's tags was invalidated; see {@link TagMarks#hasEnded}. */
  boolean isInvalidated(HotEntry entry, boolean exactly) {
    EntryTags tags = entry.tags();
    return tags != null && shared.tags.hasEnded(tags, exactly);
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

  InstantSource clock() {
    return clock;
  }

  /** The payload in the hot tier for a key of the tier, unless it has expired. */
  @Nullable Object hotPayload(Object hotKey) {
    if (hot == null) {
      return null;
    }
    Object payload = hot.payload(hotKey, clock);
    return payload == null || inTransaction() ? null : payload;
  }

  /** The hot entry of a key, unless it has expired by its moved deadline. */
  @Nullable HotEntry hotIdle(EntryKey key) {
    HotEntry entry = hot == null ? null : hot.get(key.hot());
    return entry == null || isPast(key, entry) || inTransaction() ? null : entry;
  }

  /** Like {@link #hotIdle(EntryKey)}, at a known time. */
  @Nullable HotEntry hotIdle(EntryKey key, long nowMillis) {
    HotEntry entry = hot == null ? null : hot.get(key.hot());
    return entry == null
            || (deadline(key, entry) <= nowMillis && isPast(key, entry))
            || inTransaction()
        ? null
        : entry;
  }

  /** Whether this thread is in a transaction, which does not use the hot tier. */
  boolean inTransaction() {
    return engine.inTransaction();
  }

  /** The hot tier; null if entries are not kept in memory. */
  @Nullable HotTier hotTier() {
    return hot;
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

  /** The deadline of an entry with the moves of reads. */
  long deadline(EntryKey key, HotEntry entry) {
    return shared.idleDeadlines.effective(key, entry);
  }

  /** An entry with its value. */
  record Found<V>(HotEntry entry, V value) {}

  /** Reads an entry from disk, and lets it into the hot tier if it is worth it. */
  @Nullable Found<V> read(EntryKey key) {
    try {
      if (hot == null || instances == null || inTransaction() || !hot.wants(key.hot())) {
        HotEntry entry = live(key, format.decoder);
        writes.passed(key);
        return entry == null ? null : new Found<>(entry, format.decodedValue(entry));
      }
      if (format.sharesChangeableValues()) {
        HotEntry entry =
            instances.read(
                key,
                read -> {
                  HotEntry found = live(read, format.hotReader);
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
      HotEntry entry = live(key, format.hotReader);
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

  /** Like {@link #read(EntryKey)}; a miss if no server answers and that is to be one. */
  @Nullable Found<V> readOrMiss(EntryKey key) {
    return outages.readOrMiss(() -> read(key));
  }

  private boolean admit(HotTier tier, EntryKey key, long ticket, HotEntry entry) {
    return deadline(key, entry) >= entry.deadlineMillis() // else only a note in memory ends it
        && writes.admit(key, ticket, () -> tier.put(key.hot(), entry));
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
    HotEntry entry = live(key, format.header);
    writes.passed(key);
    return entry;
  }

  /** The entry on disk, as the reader returns it; null if there is none or it has expired. */
  private @Nullable HotEntry live(EntryKey key, RecordReader<HotEntry> reader) {
    HotEntry entry = space.get(key.bytes(), Space.NO_SORT_KEY, reader);
    return entry == null || isInvalidated(entry, false) || hasEnded(key, entry) ? null : entry;
  }

  /** Whether an entry that was read has expired; if so, listeners are notified. */
  private boolean hasEnded(EntryKey key, HotEntry entry) {
    boolean past = isPast(key, entry);
    if (past && ended.isWatched()) {
      ended.tell(key, space.get(key.bytes(), Space.NO_SORT_KEY));
    }
    return past;
  }

  /** The entry of a record that was read directly. */
  @Nullable Found<V> read(EntryKey key, RowRecord record) {
    return read(key, record, false);
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
      commits.commit(
          new ConditionalWrites.Planned<>(key, record, Change.<V>remove().unwritten(), () -> true));
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
   * Puts a value without looking; a {@linkplain PlannedDeadline planned deadline} of 0 removes it.
   *
   * @param tags the tags of the value; null for none
   */
  void write(EntryKey key, V value, long plannedMillis, @Nullable EntryTags tags) {
    if (plannedMillis == 0) {
      delete(key);
      return;
    }
    // Begins before the value is encoded: the codec's work overlaps the memory accesses of the hot
    // tier.
    long begun = writes.begin(key);
    HotEntry entry = null;
    try {
      CacheEntryFormat.Written written = format.write(key, value, plannedMillis, tags);
      OwnWrites.permit(shared, key);
      shared.loads.supersede(key);
      records.put(key, written);
      entry = written.entry();
    } catch (UnencodableValueException e) { // here, so that "written" need not be allocated
      writing.skip(value, e);
    } catch (ServerUnavailableException | OutcomeUnknownException e) {
      outages.drop(List.of(key), e);
      return;
    } finally {
      writes.end(key, begun, entry);
    }
    if (entry == null) {
      delete(key);
    } else {
      counters.puts.increment();
    }
  }

  /** Removes an entry without a read. */
  void delete(EntryKey key) {
    OwnWrites.permit(shared, key);
    shared.loads.supersede(key);
    long begun = writes.begin(key);
    try {
      records.delete(key);
    } finally {
      writes.end(key, begun, null);
    }
  }

  /** Puts many values without a read. */
  void writeAll(List<CacheEntryFormat.Written> all, List<EntryKey> keys) {
    keys.forEach(key -> OwnWrites.permit(shared, key));
    keys.forEach(shared.loads::supersede);
    boolean done = false;
    long[] begun = writes.beginAll(keys);
    try {
      records.putAll(keys, all);
      done = true;
    } catch (ServerUnavailableException | OutcomeUnknownException e) {
      outages.drop(keys, e);
      return;
    } finally {
      boolean written = done;
      writes.endAll(keys, begun, i -> written ? all.get(i).entry() : null);
    }
    counters.puts.add(all.size());
  }

  /** Removes many entries without a read. */
  void deleteAll(List<EntryKey> keys) {
    keys.forEach(key -> OwnWrites.permit(shared, key));
    keys.forEach(shared.loads::supersede);
    long[] begun = writes.beginAll(keys);
    try {
      records.deleteAll(keys);
    } finally {
      writes.endAll(keys, begun, i -> null);
    }
  }

  /**
   * Changes an entry by {@code decision}. Decides again if another write changed the entry
   * meanwhile. For an entry that cannot be decoded, decides as if there were none.
   *
   * @return the change that was made
   */
  Change<V> update(EntryKey key, Function<@Nullable Found<V>, Change<V>> decision) {
    return update(key, decision, () -> OwnWrites.permit(shared, key));
  }

  /**
   * Like the other {@code update}, with a condition that is tested at the moment of the write. If
   * it is false, nothing is changed.
   */
  Change<V> update(
      EntryKey key, Function<@Nullable Found<V>, Change<V>> decision, BooleanSupplier condition) {
    for (boolean again = false; ; again = true) {
      boolean loading = shared.loads.isLoading(key);
      long ticket = writes.ticket(key);
      RowRecord record = space.get(key.bytes(), Space.NO_SORT_KEY);
      Found<V> found = record == null ? null : sameAsHot(key, ticket, readExactly(key, record));
      writes.passed(key);
      RowRecord over = ended.endedBefore(key, record, found);
      Change<V> change = OwnWrites.decide(again, shared, List.of(key), () -> decision.apply(found));
      boolean confirmed =
          change.kind() == Change.Kind.REMOVE && (shared.loads.supersede(key) || loading);
      if (!(confirmed || change.changes(found) || isWrittenBehind(key, change))
          || isDropped(key, record, change)
          || !condition.getAsBoolean()) {
        ended.tell(key, record);
        return Change.keep();
      }
      Change<V> made =
          commits.commit(new ConditionalWrites.Planned<>(key, record, change, condition));
      if (made != null) {
        ended.tellBefore(key, over);
        return made.changes(found) ? made : Change.keep();
      }
    }
  }

  /**
   * Whether a change is not made because its load is superseded. If the record has changed, the
   * commit rejects the change and it is decided again.
   */
  boolean isDropped(EntryKey key, @Nullable RowRecord record, Change<V> change) {
    return change.isSuperseded()
        && RowRecord.isSame(space.get(key.bytes(), Space.NO_SORT_KEY), record);
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

  /** The value of an entry that a scan found, or that of the hot tier if later reads return it. */
  V scanned(EntryKey key, Found<V> found) {
    boolean prefersHot = format.sharesChangeableValues() || shared.changesElsewhere;
    HotEntry same = prefersHot ? hotIdle(key) : null;
    if (same == null) {
      writes.forgetOlder(key);
    }
    return same == null ? found.value() : format.value(same);
  }

  void clear() {
    shared.clear(space);
    shared.caches.forEach(cache -> cache.format.cleared());
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

  /** Whether an entry is in memory; false for a key that is not one of this cache. */
  boolean isHot(byte[] key) {
    HotTier tier = hot;
    EntryKey known = tier == null || tier.isEmpty() ? null : format.knownKey(key);
    return tier != null && known != null && tier.holds(known.hot());
  }

  /**
   * Removes an entry from memory before another cache of the space, or an eviction, changes it in
   * the store. The caller has begun a write of its stripe. Never throws: if the key's codec fails,
   * the tier is emptied and the failure is counted.
   */
  void forgetHot(byte[] key) {
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
