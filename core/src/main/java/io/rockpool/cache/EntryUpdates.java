package io.rockpool.cache;

import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.UnencodableValueException;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes entries: without a read, by a decision on what was read, or by the engine's decision.
 *
 * <p>No user code runs under a lock or inside a row transaction. Operations that depend on the
 * current entry (compute, replace, a creation expiry) read, decide, and write if the record has not
 * changed since; otherwise they repeat. On an engine whose data is shared, the engine decides on
 * what needs no user code ({@link #isDecidedByEngine}).
 */
final class EntryUpdates<K, V> {
  private final CacheEntries<K, V> entries;
  private final SharedSpace shared;
  private final StripedWrites writes;

  /** Of entries whose keys have records of their own; null if no key can have one. */
  private final @Nullable EntryRecords<K> records;

  private final Space space;

  EntryUpdates(CacheEntries<K, V> entries, Space space) {
    this.entries = entries;
    this.shared = entries.shared;
    this.writes = entries.writes;
    this.records = entries.records;
    this.space = space;
  }

  /**
   * Puts a value without looking; a {@linkplain Deadlines planned deadline} of 0 removes it.
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
      EncodedEntry written = entries.format.write(key, value, plannedMillis, tags);
      writes.permit(key);
      shared.loads.supersede(key);
      if (records == null) {
        space.put(key.bytes(), Space.NO_SORT_KEY, written.value(), written.expiryMillis());
      } else {
        records.put(key, written);
      }
      entry = written.entry();
    } catch (UnencodableValueException e) { // here, so that "written" need not be allocated
      entries.writing.skip(value, e);
    } catch (ServerUnavailableException | OutcomeUnknownException e) {
      entries.outages.drop(List.of(key), e);
      return;
    } finally {
      writes.end(key, begun, entry);
    }
    if (entry == null) {
      delete(key);
      return;
    }
    // Another put may have come between an invalidation of a tag and this one, which replaced it.
    EntryTags renewed = tags == null ? null : tags.renewed();
    if (renewed != null) {
      write(key, value, plannedMillis, renewed);
    } else {
      entries.counters.puts.increment();
    }
  }

  /** Removes an entry without a read. */
  void delete(EntryKey key) {
    writes.permit(key);
    shared.loads.supersede(key);
    long begun = writes.begin(key);
    try {
      if (records == null) {
        space.delete(key.bytes(), Space.NO_SORT_KEY);
      } else {
        records.delete(key);
      }
    } finally {
      writes.end(key, begun, null);
    }
  }

  /** Puts many values without a read. */
  void writeAll(List<EncodedEntry> all, List<EntryKey> keys) {
    if (!entries.outages.misses) {
      writeTogether(all, keys);
      return;
    }
    for (List<Integer> part : entries.outages.parts(keys, EntryKey::bytes)) {
      writeTogether(part.stream().map(all::get).toList(), part.stream().map(keys::get).toList());
    }
  }

  private void writeTogether(List<EncodedEntry> all, List<EntryKey> keys) {
    keys.forEach(writes::permit);
    keys.forEach(shared.loads::supersede);
    boolean done = false;
    long[] begun = writes.beginAll(keys);
    try {
      if (records == null) {
        space.putAll(EncodedEntry.records(keys, all));
      } else {
        records.putAll(keys, all);
      }
      done = true;
    } catch (ServerUnavailableException | OutcomeUnknownException e) {
      entries.outages.drop(keys, e);
      return;
    } finally {
      boolean written = done;
      writes.endAll(keys, begun, i -> written ? all.get(i).entry() : null);
    }
    entries.counters.puts.add(all.size());
  }

  /** Removes many entries without a read. */
  void deleteAll(List<EntryKey> keys) {
    keys.forEach(writes::permit);
    keys.forEach(shared.loads::supersede);
    long[] begun = writes.beginAll(keys);
    try {
      if (records == null) {
        space.deleteAll(EntryKey.recordKeys(keys));
      } else {
        records.deleteAll(keys);
      }
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
    return update(key, null, decision);
  }

  /**
   * Like {@link #update(EntryKey, Function)}, for values of the caller with tags.
   *
   * @param tagging gives them, and is renewed before each further attempt; null for no tags
   */
  Change<V> update(
      EntryKey key,
      @Nullable Tagging<?, ?> tagging,
      Function<@Nullable Found<V>, Change<V>> decision) {
    return update(key, tagging, decision, () -> writes.permit(key), null);
  }

  /**
   * Like the other {@code update}, with a condition that is tested at the moment of the write. If
   * it is false, nothing is changed.
   */
  Change<V> update(
      EntryKey key, Function<@Nullable Found<V>, Change<V>> decision, BooleanSupplier condition) {
    return update(key, null, decision, condition, null);
  }

  /**
   * Like {@link #update(EntryKey, Function)}. If the engine can decide on the change, it is first
   * tried on what the entry is assumed to be, without a read. A wrong assumption costs nothing: the
   * engine answers with the record that is there. If the decision throws, or the value cannot be
   * encoded, the decision is made on what is there.
   *
   * @param tagging gives tags to values of the caller, and is renewed before each further attempt;
   *     null for no tags
   * @param decision library code, which may run on an entry that is not there
   * @param assumed what the entry may be; null if nothing is known
   */
  Change<V> updateAssumed(
      EntryKey key,
      @Nullable Tagging<?, ?> tagging,
      Function<@Nullable Found<V>, Change<V>> decision,
      @Nullable Assumed<V> assumed) {
    BooleanSupplier condition = () -> writes.permit(key);
    Attempt<V> attempt =
        assumed == null || !isDecidedByEngine(key)
            ? null
            : attempt(key, assumed, decision, condition);
    return attempt != null && attempt.made != null
        ? attempt.made
        : update(key, tagging, decision, condition, attempt);
  }

  private Change<V> update(
      EntryKey key,
      @Nullable Tagging<?, ?> tagging,
      Function<@Nullable Found<V>, Change<V>> decision,
      BooleanSupplier condition,
      @Nullable Attempt<V> before) {
    Attempt<V> attempt = before;
    for (boolean again = false; ; again = true) {
      if ((again || attempt != null) && tagging != null && tagging.renew()) {
        attempt = null; // what it found may be of before the invalidation
      }
      boolean loading = attempt == null ? shared.loads.isLoading(key) : attempt.loading;
      long ticket = writes.ticket(key);
      RowRecord record =
          attempt == null ? space.get(key.bytes(), Space.NO_SORT_KEY) : attempt.found;
      attempt = null;
      Found<V> found =
          record == null
              ? null
              : entries.reader.sameAsHot(key, ticket, entries.reader.readExactly(key, record));
      writes.passed(key);
      RowRecord over = entries.isWatched() ? entries.ended.endedBefore(key, record, found) : null;
      Change<V> change = writes.decide(again, List.of(key), () -> decision.apply(found));
      boolean confirmed =
          change.kind() == Change.Kind.REMOVE && (shared.loads.supersede(key) || loading);
      if (!(confirmed || change.changes(found) || entries.isWrittenBehind(key, change))
          || isDropped(key, record, change)
          || !condition.getAsBoolean()) {
        entries.ended.tell(key, record);
        return Change.keep();
      }
      Change<V> made =
          entries.commits.commit(new PlannedWrite<>(key, record, found != null, change, condition));
      if (made != null) {
        if (over != null) {
          entries.ended.tellBefore(key, over);
        }
        return made.changes(found) ? made : Change.keep();
      }
      if (isDropped(key, record, change)) {
        entries.ended.tell(key, record);
        return Change.keep();
      }
    }
  }

  /**
   * Removes an entry that a scan has read, unless its value has changed since: if its record is no
   * longer the same, the values are compared.
   */
  Change<V> removeRead(CacheIterator.Read<?, V> read) {
    EntryKey key = read.key();
    HotEntry hot = read.hot();
    RowRecord record =
        hot != null && shared.changesElsewhere // then the hot entry may be older than the record
            ? entries.format.recordOf(key, hot)
            : read.record();
    boolean[] again = new boolean[1];
    return update(
        key,
        null,
        found -> {
          boolean same =
              found != null
                  && (!again[0] || Objects.deepEquals(found.value(), read.entry().getValue()));
          again[0] = true;
          return same ? Change.remove() : Change.keep();
        },
        () -> writes.permit(key),
        new Attempt<>(null, record, shared.loads.isLoading(key)));
  }

  /**
   * Whether a change is not made because its load is superseded. If the record has changed, the
   * commit rejects the change and it is decided again.
   *
   * @param record what the change was decided on
   */
  boolean isDropped(EntryKey key, @Nullable RowRecord record, Change<V> change) {
    Loads.Load load = change.load();
    if (load != null) {
      load.supersedeUnlessSame(record);
    }
    return change.isSuperseded(change.leaseOfLoad() != null && !entries.inTransaction())
        && RowRecord.isSame(space.get(key.bytes(), Space.NO_SORT_KEY), record);
  }

  /** What an entry may be: its record, and what a decision reads in it; nulls for no entry. */
  record Assumed<V>(@Nullable RowRecord record, @Nullable Found<V> found) {
    /** There is no entry. */
    static <V> Assumed<V> absent() {
      return new Assumed<>(null, null);
    }
  }

  /**
   * What the entry of a key may be, so that a change of it need not read; null if nothing is known.
   *
   * @param value a value that the entry may have; null for none
   */
  @Nullable Assumed<V> assumed(EntryKey key, @Nullable V value) {
    if (!isDecidedByEngine(key) || entries.format.sharesChangeableValues()) {
      return null;
    }
    HotEntry entry = entries.reader.hotIdle(key);
    RowRecord record =
        entry != null
            ? entries.format.recordOf(key, entry)
            : value == null ? null : entries.format.lastingRecord(key, value);
    if (record == null || (entry != null && entry.tags() != null)) {
      return null; // tags may have been invalidated elsewhere
    }
    Found<V> found = entries.reader.read(key, record);
    return found == null ? null : new Assumed<>(record, found); // it may have expired since
  }

  /**
   * An attempt to change an entry without a read.
   *
   * @param made the change; null if it was not made
   * @param found the record that was there instead
   * @param loading whether a load of the key ran before
   */
  private record Attempt<V>(@Nullable Change<V> made, @Nullable RowRecord found, boolean loading) {}

  /** Makes a change if the entry is the assumed one; null if there is none that can be tried. */
  private @Nullable Attempt<V> attempt(
      EntryKey key,
      Assumed<V> assumed,
      Function<@Nullable Found<V>, Change<V>> decision,
      BooleanSupplier condition) {
    Change<V> change;
    EncodedEntry written;
    try {
      change = decision.apply(assumed.found);
      V value = change.value();
      boolean puts = change.kind() == Change.Kind.WRITE && value != null;
      if (!puts && (change.kind() != Change.Kind.REMOVE || assumed.record == null)) {
        return null;
      }
      written =
          puts && value != null
              ? entries.format.write(key, value, change.deadlineMillis(), change.tags())
              : null;
    } catch (RuntimeException | Error e) {
      return null; // what is there decides whether this matters
    }
    boolean unused = condition.getAsBoolean();
    boolean loading = shared.loads.isLoading(key);
    RecordWrite write = EncodedEntry.write(written).ifSame(assumed.record);
    boolean made = false;
    long begun = writes.begin(key);
    try {
      RowRecord found = space.transact(key.bytes(), write);
      made = write.isMadeOver(found);
      if (made) { // The engine ends the leases of loads, so none of them stores its value.
        shared.loads.supersede(key);
      }
      return new Attempt<>(made ? change : null, found, loading);
    } finally {
      writes.end(key, begun, made && written != null ? written.entry() : null);
      if (made && written != null) {
        entries.counters.puts.increment();
      }
    }
  }

  /**
   * Whether the engine can decide on a change of an entry by itself, in one round trip. Otherwise
   * the old entry is read first: in a transaction, for listeners of expired entries, for a writer,
   * and if an undecodable value is to be an error, which leaves the entry unchanged.
   */
  boolean isDecidedByEngine(EntryKey key) {
    return shared.changesElsewhere
        && !entries.inTransaction()
        && !entries.isWatched()
        && !entries.writesBehind()
        && entries.reader.missesUndecodable()
        && entries.format.directoryOf(key) == null;
  }

  /**
   * Puts a value, whatever there is, and returns the old entry; a {@linkplain Deadlines planned
   * deadline} of 0 removes it. One round trip. Only if {@link #isDecidedByEngine}.
   */
  @Nullable Found<V> exchange(EntryKey key, V value, long plannedMillis, @Nullable EntryTags tags) {
    EncodedEntry written =
        plannedMillis == 0 ? null : entries.writing.write(key, value, plannedMillis, tags);
    Found<V> before = exchange(key, written);
    if (written != null) {
      entries.counters.puts.increment();
      EntryTags renewed = tags == null ? null : tags.renewed();
      if (renewed != null) {
        write(key, value, plannedMillis, renewed);
      }
    }
    return before;
  }

  /** Removes and returns an entry. One round trip. Only if {@link #isDecidedByEngine}. */
  @Nullable Found<V> take(EntryKey key) {
    return exchange(key, null);
  }

  private @Nullable Found<V> exchange(EntryKey key, @Nullable EncodedEntry written) {
    boolean unused = writes.permit(key);
    shared.loads.supersede(key);
    boolean made = false;
    long begun = writes.begin(key);
    try {
      RowRecord before = space.transact(key.bytes(), EncodedEntry.write(written));
      made = true;
      return before == null ? null : entries.reader.readExactly(key, before);
    } catch (ServerUnavailableException e) {
      if (!made) {
        throw e;
      }
      throw new OutcomeUnknownException(
          "An entry of the cache \""
              + space.name()
              + "\" was written. The server then failed to tell whether the tags of the old entry"
              + " were invalidated. Read the entry before you write again.",
          e);
    } finally {
      writes.end(key, begun, made && written != null ? written.entry() : null);
    }
  }
}
