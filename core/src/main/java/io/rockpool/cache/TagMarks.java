package io.rockpool.cache;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.engine.OutsideTransaction;
import io.rockpool.internal.format.TagEpochFormat;
import io.rockpool.store.Durability;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * When the tags of one name were invalidated. A hidden space has the current <em>epoch</em>, which
 * each invalidation increases, and the <em>mark</em> of each tag: the epoch of its last
 * invalidation. An entry has the epoch from before its value was made. It has ended if that is less
 * than the mark of one of its tags.
 *
 * <p>The epoch in memory may be older than the stored one: then an entry may end too early, never
 * too late. Marks in memory are those in the store, except that other handles of the store may have
 * changed theirs and the report is on its way. While an invalidation runs, the {@link #version} is
 * null and its marks are not in memory, so every check of them reads the store. A mark that was
 * read enters memory only if the version is still that from before the read.
 *
 * <p>In a transaction, marks are read from the store, so that the transaction sees its own.
 */
final class TagMarks {
  /** The most marks in memory, some 100 bytes each. Beyond that, all are forgotten. */
  static final int MAX_KNOWN = 1 << 15;

  private static final byte[] EPOCH_ROW = {};

  private static final long NO_MARK = 0;
  private static final long UNKNOWN = 0;

  private final Engine engine;
  private final Catalog catalog;
  private final String cache;
  private final boolean shared;

  /** The marks in memory; {@link #NO_MARK} for a tag that was never invalidated. */
  private final ConcurrentHashMap<EntryKey, Long> known = new ConcurrentHashMap<>();

  /** The threads whose transactions have invalidated tags. */
  private final Set<Thread> invalidating = ConcurrentHashMap.newKeySet();

  private volatile @Nullable Stored stored;

  /** An epoch that is or was current; {@link #UNKNOWN} if it is to be read. */
  private volatile long epoch = UNKNOWN;

  /** Replaced after every change of a mark; null while one is being changed. */
  private volatile @Nullable Object version = new Object();

  /** The number of running changes of marks. */
  private int changing;

  /** Whether one of the running changes has ended and may have increased the stored epoch. */
  private boolean epochChanged;

  /** Whether other handles of the store may change marks without a report. */
  private volatile boolean suspended;

  /**
   * The space of the marks.
   *
   * @param first entries of earlier epochs belong to a space that was dropped, so they have ended
   */
  private record Stored(Space space, long first) {}

  TagMarks(Engine engine, Catalog catalog, String cache) {
    this.engine = engine;
    this.catalog = catalog;
    this.cache = cache;
    this.shared = engine.capabilities().contains(Capability.SHARED);
  }

  /** The name of the cache. */
  String cache() {
    return cache;
  }

  /** The longest tag, in bytes: a longer one could be stored with an entry, and never looked up. */
  int maxTagBytes() {
    return Math.min(Tagging.MAX_TAG_BYTES, engine.limits().maxHashKeyBytes());
  }

  /**
   * Refuses an engine that cannot keep marks.
   *
   * @throws UnsupportedOperationException if this is one
   */
  static void refuseUnsupported(Engine engine, String cache) {
    try {
      engine.require(Capability.COLLECTIONS);
      engine.require(Capability.MULTI_ROW_TRANSACTIONS);
    } catch (UnsupportedOperationException e) {
      throw new UnsupportedOperationException(
          "The entries of the cache \"" + cache + "\" cannot have tags. " + e.getMessage(), e);
    }
  }

  private Stored storedOrCreated() {
    Stored there = stored;
    if (there != null) {
      return there;
    }
    refuseUnsupported(engine, cache);
    there = OutsideTransaction.run(engine, () -> Optional.ofNullable(open(true))).orElse(null);
    if (there == null) {
      throw new IllegalArgumentException(
          "The entries of the cache \""
              + cache
              + "\" cannot have tags: its name is too long for their space, or the cache was"
              + " dropped. Use a shorter name.");
    }
    return there;
  }

  /** The space of the marks; null if there is none, so that no tagged entry can be read. */
  private @Nullable Stored storedOrNull() {
    Stored there = stored;
    return there != null
        ? there
        : OutsideTransaction.run(engine, () -> Optional.ofNullable(open(false))).orElse(null);
  }

  private @Nullable Stored open(boolean create) {
    boolean creates = create && !catalog.isReadOnly();
    Space space = catalog.tags(cache, creates);
    if (space == null) {
      return null;
    }
    RowRecord there = space.get(EPOCH_ROW, Space.NO_SORT_KEY);
    if (there == null) {
      if (!creates) {
        return null;
      }
      long first = TagEpochFormat.ofMillis(engine.clock().millis());
      space.transact(
          EPOCH_ROW,
          row -> {
            boolean isNew = row.get(Space.NO_SORT_KEY) == null;
            if (isNew) {
              byte[] value = TagEpochFormat.encode(first, first);
              row.put(Space.NO_SORT_KEY, value, Expiry.NEVER);
            }
            return isNew;
          });
      there = space.get(EPOCH_ROW, Space.NO_SORT_KEY);
      if (there == null) {
        return null; // dropped since
      }
    }
    Stored opened = new Stored(space, TagEpochFormat.first(there.value()));
    stored = opened;
    return opened;
  }

  /** The current epoch, or an earlier one. One read at most, usually none. */
  long epoch() {
    Stored there = storedOrCreated();
    if (invalidating.contains(Thread.currentThread()) && engine.inTransaction()) {
      return readEpoch(there);
    }
    long now = epoch;
    if (now != UNKNOWN && !suspended) {
      return now;
    }
    // Not in the transaction, which would then wait for invalidations of any tag.
    return OutsideTransaction.run(engine, () -> refreshedEpoch(there));
  }

  /** Whether an epoch is the one in memory. */
  boolean isCurrent(long then) {
    return then == epoch && !suspended;
  }

  /** Whether the calling thread is in a transaction. */
  boolean inTransaction() {
    return engine.inTransaction();
  }

  private long refreshedEpoch(Stored there) {
    Object before = version;
    long read = readEpoch(there);
    synchronized (this) {
      if (before != null && before == version && !suspended) {
        epoch = Math.max(epoch, read);
      }
    }
    return read;
  }

  private static long readEpoch(Stored there) {
    RowRecord record = there.space.get(EPOCH_ROW, Space.NO_SORT_KEY);
    return record == null ? UNKNOWN : TagEpochFormat.epoch(record.value());
  }

  /**
   * Whether an entry in memory has ended. One read at most, and none if its tags are in memory. In
   * a transaction, which does not use such entries, every entry has.
   */
  boolean hasEndedInMemory(EntryTags tags) {
    Object now = version;
    return !tags.isCheckedIn(now)
        && (engine.inTransaction() || newestMark(tags, now, false) > tags.epoch());
  }

  /**
   * Whether an entry that was read has ended. One read at most.
   *
   * @param exactly whether changes of other handles count that are not reported yet
   */
  boolean hasEnded(EntryTags tags, boolean exactly) {
    return newestMark(tags, version, exactly && shared) > tags.epoch();
  }

  /**
   * Whether an entry may have ended in an epoch. A mark has only the last invalidation of its tag,
   * and there may have been one before.
   */
  boolean hadEnded(EntryTags tags, long then) {
    return then > tags.epoch() && hasEnded(tags, false);
  }

  /** The newest mark of an entry's tags, {@link Long#MAX_VALUE} for an entry of another space. */
  private long newestMark(EntryTags tags, @Nullable Object before, boolean exactly) {
    Stored there = storedOrNull();
    if (there == null || tags.epoch() < there.first) {
      return Long.MAX_VALUE;
    }
    List<EntryKey> names = tags.names();
    if (engine.inTransaction()) {
      return newest(read(there, names));
    }
    long newest = NO_MARK;
    List<EntryKey> unknown = new ArrayList<>(names.size());
    for (EntryKey name : names) {
      Long mark = exactly || suspended ? null : known.get(name);
      if (mark == null) {
        unknown.add(name);
      } else {
        newest = Math.max(newest, mark);
      }
    }
    if (newest > tags.epoch()) {
      return newest;
    }
    // In the current epoch, no tag was invalidated since.
    long now = exactly || suspended || before == null ? UNKNOWN : epoch;
    boolean isNew = now != UNKNOWN && tags.epoch() >= now;
    Map<EntryKey, Long> read = isNew || unknown.isEmpty() ? Map.of() : read(there, unknown);
    return Math.max(newest, settle(tags, names, read, before));
  }

  /**
   * Keeps marks that were read, and returns the newest one of an entry. Of two threads that read,
   * the second may have the older marks, so the greater ones count.
   */
  private synchronized long settle(
      EntryTags tags, List<EntryKey> names, Map<EntryKey, Long> read, @Nullable Object before) {
    boolean isCurrent = before != null && before == version && !suspended;
    if (isCurrent && known.size() + read.size() > MAX_KNOWN) {
      known.clear();
      version = new Object();
      isCurrent = false;
    }
    if (isCurrent) {
      isCurrent = keep(read);
    }
    long newest = newest(read);
    for (EntryKey name : names) {
      newest = Math.max(newest, known.getOrDefault(name, NO_MARK));
    }
    if (isCurrent && newest <= tags.epoch()) {
      tags.checkedIn(before);
    }
    return newest;
  }

  /** Keeps marks that were read; returns whether none of them is newer than the one in memory. */
  private boolean keep(Map<EntryKey, Long> read) {
    boolean isSame = true;
    for (Map.Entry<EntryKey, Long> each : read.entrySet()) {
      Long mine = known.get(each.getKey());
      if (mine == null || mine < each.getValue()) {
        known.put(each.getKey(), each.getValue());
        isSame &= mine == null;
      }
    }
    if (epoch != UNKNOWN) {
      epoch = Math.max(epoch, newest(read));
    }
    if (!isSame) {
      changed();
    }
    return isSame;
  }

  private static long newest(Map<EntryKey, Long> marks) {
    return marks.values().stream().mapToLong(mark -> mark).max().orElse(NO_MARK);
  }

  private static Map<EntryKey, Long> read(Stored there, List<EntryKey> names) {
    List<@Nullable RowRecord> records =
        there.space.getAll(
            names.stream().map(name -> new RecordKey(name.bytes(), Space.NO_SORT_KEY)).toList());
    Map<EntryKey, Long> marks = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      RowRecord record = records.get(i);
      marks.put(names.get(i), record == null ? NO_MARK : TagEpochFormat.mark(record.value()));
    }
    return marks;
  }

  /**
   * Ends all entries with one of these tags, in one transaction. O(1), whatever the number of
   * entries.
   */
  void invalidate(Collection<String> tags, Optional<Durability> durability) {
    List<byte[]> names = Tagging.bytes(tags, this);
    refuseUnsupported(engine, cache);
    Stored there = names.isEmpty() ? null : storedOrNull();
    if (there == null) {
      return; // nothing has tags
    }
    Space space = durability.map(there.space::withDurability).orElse(there.space);
    boolean endsLater = engine.inTransaction();
    begin(names);
    if (endsLater) {
      Thread mine = Thread.currentThread();
      invalidating.add(mine);
      engine.afterTransaction(
          () -> {
            invalidating.remove(mine);
            end(null);
          });
    }
    Long next = null;
    try {
      long least = TagEpochFormat.ofMillis(engine.clock().millis());
      next = engine.atomically(() -> write(space, names, least));
    } finally {
      if (!endsLater) {
        end(next);
      }
    }
  }

  private static long write(Space space, List<byte[]> names, long least) {
    long next =
        space.transact(
            EPOCH_ROW,
            row -> {
              RowRecord there = row.get(Space.NO_SORT_KEY);
              long now = there == null ? UNKNOWN : TagEpochFormat.epoch(there.value());
              long first = there == null ? least : TagEpochFormat.first(there.value());
              long then = Math.max(now + 1, least);
              row.put(Space.NO_SORT_KEY, TagEpochFormat.encode(then, first), Expiry.NEVER);
              return then;
            });
    byte[] mark = TagEpochFormat.encodeMark(next);
    names.forEach(name -> space.put(name, Space.NO_SORT_KEY, mark, Expiry.NEVER));
    return next;
  }

  private synchronized void begin(List<byte[]> names) {
    changing++;
    version = null;
    names.forEach(name -> known.remove(new EntryKey(name)));
  }

  /**
   * Ends a change. Marks may be in memory again after the last one. The epoch must be the stored
   * one then, because an entry of that epoch has not ended.
   *
   * @param next the epoch since the change; null if it is not known
   */
  private synchronized void end(@Nullable Long next) {
    if (next == null) {
      epochChanged = true;
    } else if (!suspended) {
      epoch = Math.max(epoch, next);
    }
    changing--;
    if (changing == 0) {
      if (epochChanged) {
        epoch = UNKNOWN;
        epochChanged = false;
      }
      version = new Object();
    }
  }

  /** Another handle of the store has written the record of a tag, or the epoch. */
  synchronized void rowChanged(byte[] hashKey) {
    if (hashKey.length == 0) {
      epoch = UNKNOWN;
    } else {
      known.remove(new EntryKey(hashKey));
    }
    changed();
  }

  /** Another handle of the store has changed any records. */
  synchronized void spaceChanged() {
    epoch = UNKNOWN;
    known.clear();
    changed();
  }

  /** What other handles of the store change may go unreported: nothing is kept in memory. */
  synchronized void suspend() {
    suspended = true;
    spaceChanged();
  }

  synchronized void resume() {
    suspended = false;
    spaceChanged();
  }

  private void changed() {
    if (version != null) {
      version = new Object();
    }
  }
}
