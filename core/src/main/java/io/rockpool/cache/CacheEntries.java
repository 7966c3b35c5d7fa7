package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes single entries, and keeps the hot tier true to the space.
 *
 * <p>No code of a user's runs under a lock or inside a row transaction. What depends on what is
 * there (compute, replace, a creation expiry) is done optimistically: read, decide, and write on
 * condition that the record is still the one that was read, else again. A blind put is one native
 * call, a cold get too; a conditional write is three: get, get, write.
 *
 * <p>In a transaction over many rows all of this goes to the transaction: nothing is read from the
 * hot tier or let into it, and the stripes of what was written count as being written until the
 * transaction has ended.
 */
final class CacheEntries<K, V> {
  /** How often a read tries to get the instance that others get. */
  private static final int MOST_SHARED_READS = 1000;

  private static final long SHARED_READ_NANOS = 1_000;

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
  private final Space space;
  private final InstantSource clock;
  private final @Nullable HotTier hot;
  private final CacheOptions.OnUndecodable onUndecodable;

  /** The bytes of disk that the entries may take; 0 for no bound. */
  final long diskBudgetBytes;

  /** How many entries there may be; 0 for any number. */
  final long maximumSize;

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
    this.space =
        options.durability().isEmpty()
            ? shared.space
            : shared.space.withDurability(options.durability().get());
    this.clock = engine.clock();
    this.records = new EntryRecords<>(engine, space, format);
    this.format = format;
    this.writing = new EntryEncoder<>(format, counters, shared.space.name(), options);
    this.hot = hotTier(options, heap);
    this.onUndecodable = options.onUndecodable();
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
    return amount == 0
        ? null
        : new HotTier(size.isBytes() ? 0 : amount, size.isBytes() ? amount : 0, refreshes);
  }

  /** From now on {@link #ensureOpen} throws, with this message. */
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

  InstantSource clock() {
    return clock;
  }

  /** The payload that the hot tier has for the key by which it knows it, unless that is past. */
  @Nullable Object hotPayload(Object hotKey) {
    if (hot == null) {
      return null;
    }
    Object payload = hot.payload(hotKey, clock);
    return payload == null || inTransaction() ? null : payload;
  }

  /** What the hot tier has for a key, unless that is past, as reads have moved it. */
  @Nullable HotEntry hotIdle(EntryKey key) {
    HotEntry entry = hot == null ? null : hot.get(key.hot());
    return entry == null || isPast(key, entry) || inTransaction() ? null : entry;
  }

  /** As {@link #hotIdle(EntryKey)}, by a caller that knows the time. */
  @Nullable HotEntry hotIdle(EntryKey key, long nowMillis) {
    HotEntry entry = hot == null ? null : hot.get(key.hot());
    return entry == null
            || (deadline(key, entry) <= nowMillis && isPast(key, entry))
            || inTransaction()
        ? null
        : entry;
  }

  /** Whether this thread is in a transaction, which the hot tier takes no part in. */
  boolean inTransaction() {
    return engine.inTransaction();
  }

  /** The entries in memory; null if none are kept there. */
  @Nullable HotTier hotTier() {
    return hot;
  }

  long hotSize() {
    return hot == null ? 0 : hot.size();
  }

  HotMemory hotMemory() {
    return hot == null ? HotMemory.NONE : hot.memory();
  }

  /** Whether an entry is past its deadline, as reads have moved it. */
  boolean isPast(EntryKey key, HotEntry entry) {
    return Expiry.isPast(deadline(key, entry), clock)
        // Only a record that outlives its deadline can be moved.
        && (entry.deadlineMillis() >= entry.expiryMillis()
            || Expiry.isPast(shared.idleDeadlines.settled(key, entry), clock));
  }

  /** Whether the entry of a record is past its deadline, as reads have moved it. */
  boolean isPast(EntryKey key, RowRecord record) {
    byte[] bytes = record.value();
    return isPast(key, format.header(bytes, 0, bytes.length, record.expiryMillis()));
  }

  /** An entry's deadline, as reads have moved it. */
  long deadline(EntryKey key, HotEntry entry) {
    return shared.idleDeadlines.effective(key, entry);
  }

  /** An entry with its value. */
  record Found<V>(HotEntry entry, V value) {}

  /** Reads an entry from disk, and lets it into the hot tier if it is worth it. */
  @Nullable Found<V> read(EntryKey key) {
    try {
      if (hot == null || inTransaction() || !hot.wants(key.hot())) {
        HotEntry entry = space.get(key.bytes(), Space.NO_SORT_KEY, format.decoder);
        return entry == null || hasEnded(key, entry)
            ? null
            : new Found<>(entry, format.decodedValue(entry));
      }
      if (format.sharesChangeableValues()) {
        return readShared(key, hot);
      }
      HotTier tier = hot;
      HotTierStripe stripe = shared.stripe(key);
      long ticket = stripe.ticket();
      HotEntry entry = space.get(key.bytes(), Space.NO_SORT_KEY, format.hotReader);
      if (entry == null || hasEnded(key, entry)) {
        return null;
      }
      V value = format.value(entry);
      if (deadline(key, entry) >= entry.deadlineMillis()) { // else only a note in memory ends it
        stripe.admit(ticket, () -> tier.put(key.hot(), entry));
      }
      return new Found<>(entry, value);
    } catch (UndecodableValueException e) {
      return undecodable(key, e);
    }
  }

  /**
   * As {@link #read(EntryKey)}, where values can be changed: who reads an entry at the same time is
   * given the one instance that entered the hot tier, unless writes to its stripe never pause.
   */
  private @Nullable Found<V> readShared(EntryKey key, HotTier tier) {
    HotEntry[] kept = new HotEntry[1];
    for (int triesLeft = MOST_SHARED_READS; ; triesLeft--) {
      long ticket = ticket(key);
      HotEntry read = space.get(key.bytes(), Space.NO_SORT_KEY, format.hotReader);
      if (read == null || hasEnded(key, read)) {
        return null;
      }
      if (triesLeft == 0 || deadline(key, read) < read.deadlineMillis()) {
        return new Found<>(read, format.value(read));
      }
      admit(
          key,
          ticket,
          () -> {
            HotEntry there = tier.get(key.hot());
            if (there == null) {
              tier.put(key.hot(), read);
            }
            kept[0] = there == null ? read : there;
          });
      if (kept[0] != null) {
        return new Found<>(kept[0], format.value(kept[0]));
      }
      LockSupport.parkNanos(SHARED_READ_NANOS);
    }
  }

  /** Whether there is an entry, decodable or not. */
  boolean isPresent(EntryKey key) {
    return header(key) != null;
  }

  /** The entry on disk, decodable or not, without its value. */
  @Nullable HotEntry header(EntryKey key) {
    HotEntry entry = space.get(key.bytes(), Space.NO_SORT_KEY, format.header);
    return entry == null || hasEnded(key, entry) ? null : entry;
  }

  /** Whether an entry that was read is past its end, which is told then. */
  private boolean hasEnded(EntryKey key, HotEntry entry) {
    boolean past = isPast(key, entry);
    if (past && ended.isWatched()) {
      ended.tell(key, space.get(key.bytes(), Space.NO_SORT_KEY));
    }
    return past;
  }

  /** The entry of a record that was read by itself. */
  @Nullable Found<V> read(EntryKey key, RowRecord record) {
    byte[] bytes = record.value();
    try {
      HotEntry entry =
          Objects.requireNonNull(
              format.decoder.read(bytes, 0, bytes.length, record.expiryMillis()));
      return isPast(key, entry) ? null : new Found<>(entry, format.decodedValue(entry));
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
          e);
    }
    RowRecord record = space.get(key.bytes(), Space.NO_SORT_KEY);
    if (record != null && !isDecodable(record)) {
      commits.commit(new ConditionalWrites.Planned<>(key, record, Change.remove(), () -> true));
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

  /** Puts a value without looking; a {@linkplain Deadlines planned deadline} of 0 removes it. */
  void write(EntryKey key, V value, long plannedMillis) {
    if (plannedMillis == 0) {
      delete(key);
      return;
    }
    // Begun before the value is encoded: what that reads of the hot tier's memory comes meanwhile.
    long begun = writes.begin(key);
    HotEntry entry = null;
    try {
      CacheEntryFormat.Written written = format.write(key, value, plannedMillis);
      OwnWrites.permit(shared, key);
      shared.loads.supersede(key);
      records.put(key, written);
      entry = written.entry();
    } catch (UnencodableValueException e) { // here, so that "written" need not be allocated
      writing.skip(value, e);
    } finally {
      writes.end(key, begun, entry);
    }
    if (entry == null) {
      delete(key);
    } else {
      counters.puts.increment();
    }
  }

  /** Removes an entry without looking. */
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

  /** Puts many values without looking. */
  void writeAll(List<CacheEntryFormat.Written> all, List<EntryKey> keys) {
    keys.forEach(key -> OwnWrites.permit(shared, key));
    keys.forEach(shared.loads::supersede);
    boolean done = false;
    long[] begun = writes.beginAll(keys);
    try {
      records.putAll(keys, all);
      done = true;
    } finally {
      boolean written = done;
      writes.endAll(keys, begun, i -> written ? all.get(i).entry() : null);
    }
    counters.puts.add(all.size());
  }

  /** Removes many entries without looking. */
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
   * Does to an entry what {@code decision} says of it; the decision is made again where another
   * write came in between. An entry that cannot be decoded is decided on as if there were none.
   *
   * @return the change that was made
   */
  Change<V> update(EntryKey key, Function<@Nullable Found<V>, Change<V>> decision) {
    return update(key, decision, () -> OwnWrites.permit(shared, key));
  }

  /**
   * As above, with a condition that is asked at the very moment of writing; where it does not hold,
   * nothing is done.
   */
  Change<V> update(
      EntryKey key, Function<@Nullable Found<V>, Change<V>> decision, BooleanSupplier condition) {
    for (boolean again = false; ; again = true) {
      boolean loading = shared.loads.isLoading(key);
      long ticket = ticket(key);
      RowRecord record = space.get(key.bytes(), Space.NO_SORT_KEY);
      Found<V> found = record == null ? null : sameAsHot(key, ticket, read(key, record));
      RowRecord over = ended.endedBefore(key, record, found);
      Change<V> change = OwnWrites.decide(again, shared, List.of(key), () -> decision.apply(found));
      boolean confirmed =
          change.kind() == Change.Kind.REMOVE && (shared.loads.supersede(key) || loading);
      if (!(confirmed || change.changes(found))
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
   * Whether a change is not made because its load is superseded. If the record is another one by
   * now, the commit refuses the change, and it is decided again.
   */
  boolean isDropped(EntryKey key, @Nullable RowRecord record, Change<V> change) {
    return change.isSuperseded()
        && RowRecord.isSame(space.get(key.bytes(), Space.NO_SORT_KEY), record);
  }

  /** What is taken before a record is read, for {@link #sameAsHot}. */
  long ticket(EntryKey key) {
    return shared.stripe(key).ticket();
  }

  /** Runs {@code admission}, which puts what was read of a key, if no write came in between. */
  void admit(EntryKey key, long ticket, Runnable admission) {
    shared.stripe(key).admit(ticket, admission);
  }

  /**
   * What was read from disk after the ticket was taken, with the very value that the hot tier gives
   * to readers: only where values are shared although they can be changed does that make a
   * difference.
   */
  @Nullable Found<V> sameAsHot(EntryKey key, long ticket, @Nullable Found<V> found) {
    HotTier tier = hot;
    if (tier == null || found == null || !format.sharesChangeableValues() || inTransaction()) {
      return found;
    }
    HotEntry[] same = new HotEntry[1];
    shared.stripe(key).admit(ticket, () -> same[0] = tier.get(key.hot()));
    return same[0] == null ? found : new Found<>(found.entry(), format.value(same[0]));
  }

  /** The value of an entry that a scan has found, or what the hot tier has in its place. */
  V scanned(EntryKey key, Found<V> found) {
    HotEntry same = format.sharesChangeableValues() ? hotIdle(key) : null;
    return same == null ? found.value() : format.value(same);
  }

  /** Writes back every deadline that reads have moved. */
  void writeBackDeadlines() {
    idle.writeBackAll();
  }

  void clear() {
    shared.clear(space);
    shared.caches.forEach(cache -> cache.format.cleared());
  }

  /** Ends this cache's part in its space: others need not tell it of their writes any more. */
  void detach() {
    shared.detach(this);
    loads.close();
    closeHot();
  }

  /** Forgets what is in memory, and keeps nothing there any more. */
  void closeHot() {
    if (hot != null) {
      hot.close();
    }
  }

  void forgetHot() {
    if (hot != null) {
      hot.clear();
    }
  }

  /** Whether an entry is in memory; of a key that is none of this cache's it is not. */
  boolean isHot(byte[] key) {
    HotTier tier = hot;
    EntryKey known = tier == null || tier.isEmpty() ? null : format.knownKey(key);
    return tier != null && known != null && tier.holds(known.hot());
  }

  /**
   * Drops an entry from memory before another cache of the space, or an eviction, changes it in the
   * store; the caller has begun a write of its stripe. Never throws: where the key's codec fails,
   * everything is dropped, and the failure is counted.
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
