package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.engine.LatestReads;
import io.rockpool.internal.logging.ShownKey;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads single entries of a cache, and decides whether they live. Reads of users go through {@link
 * CacheReads}, which counts them. A cold read is one native call in an embedded store.
 *
 * <p>In a transaction over many rows, every read goes to the transaction: nothing is read from the
 * hot tier or put into it.
 */
final class EntryReader<K, V> {
  /** What a cache does with a record that a read has found, and no read returns. */
  interface UnreadableRecords {
    /** The entry of a key has expired. */
    void expired(EntryKey key);

    /** The value of a record cannot be decoded, and no other process may have its class. */
    void undecodable(EntryKey key, RowRecord record);
  }

  private final SharedSpace shared;
  private final Engine engine;
  private final Space space;

  /** For reads that decide nothing and put nothing into memory. */
  private final Space plain;

  private final CacheEntryFormat<K, V> format;
  private final CacheCounters counters;
  private final InstantSource clock;
  private final Outages outages;
  private final StripedWrites writes;
  private final @Nullable HotTier hot;
  private final @Nullable SharedInstances instances;
  private final CacheOptions.OnUndecodable onUndecodable;
  private final UnreadableRecords unreadable;

  EntryReader(
      SharedSpace shared,
      Engine engine,
      Space space,
      CacheEntryFormat<K, V> format,
      CacheOptions.OnUndecodable onUndecodable,
      CacheCounters counters,
      Outages outages,
      StripedWrites writes,
      @Nullable HotTier hot,
      UnreadableRecords unreadable) {
    this.shared = shared;
    this.engine = engine;
    this.space = space;
    this.plain = hot == null ? space.withReadsFromReplicas() : space;
    this.format = format;
    this.onUndecodable = onUndecodable;
    this.counters = counters;
    this.clock = engine.clock();
    this.outages = outages;
    this.writes = writes;
    this.hot = hot;
    this.instances =
        hot == null ? null : new SharedInstances(hot, shared::stripe, shared.idleDeadlines);
    this.unreadable = unreadable;
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
    return engine.inTransaction() || readsLatest();
  }

  /** Whether the reads of this thread must see what other handles have written, reported or not. */
  private boolean readsLatest() {
    return shared.changesElsewhere && LatestReads.isOn(engine);
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
      if (hot == null || instances == null || engine.inTransaction() || !hot.wants(key.hot())) {
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
        || engine.inTransaction()
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

  /** Whether one of an entry's tags was invalidated; see {@link TagMarks#hasEnded}. */
  boolean isInvalidated(HotEntry entry, boolean exactly) {
    EntryTags tags = entry.tags();
    return tags != null && shared.tags.hasEnded(tags, exactly);
  }

  private boolean hasEnded(EntryKey key, HotEntry entry) {
    boolean past = isPast(key, entry);
    if (past) {
      unreadable.expired(key);
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

  /** Whether a value that cannot be decoded is a miss, and no error. */
  boolean missesUndecodable() {
    return onUndecodable != CacheOptions.OnUndecodable.FAIL;
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
      unreadable.undecodable(key, record);
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
        || engine.inTransaction()
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
}
