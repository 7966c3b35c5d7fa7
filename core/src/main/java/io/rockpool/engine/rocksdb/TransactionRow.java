package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Durability;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.TransactionNotes;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.ExpiryIndexFormat;
import io.rockpool.internal.format.RowRecordFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One row inside a transaction: what is stored, with the transaction's own changes on top. Its lock
 * is held from before the first read until after its changes are written.
 *
 * <p>To keep the row's count true, a change must know whether the <i>stored</i> record is counted,
 * be it expired or not: an expired one that was not swept yet is still in the count. What a read or
 * a scan saw is remembered for that; otherwise a change costs one read of the record's beginning.
 * The record's place in the index of what expires goes with it.
 */
final class TransactionRow implements Row {
  private static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  /** Room for the frames and headers of one change and its index record. */
  private static final int CHANGE_BYTES = 64;

  private final Store store;
  private final SpaceState space;
  private final RecordLayout layout;
  private final byte[] hashKey;
  private final long generation;
  private final NavigableMap<byte[], Change> changes = new TreeMap<>(ORDER);
  private final NavigableMap<byte[], Stored> seen = new TreeMap<>(ORDER);
  private final @Nullable TransactionNotes notes;
  private long countDelta;
  private volatile boolean ended;

  /**
   * What lies at a sort key in the store.
   *
   * @param expiryMillis under which it is in the index; of an entry, which is in none, never
   */
  private record Stored(boolean exists, boolean counted, long expiryMillis) {
    static final Stored NOTHING = new Stored(false, false, Expiry.NEVER);
    static final Stored ENTRY = new Stored(true, false, Expiry.NEVER);
  }

  /** What shall lie at a sort key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Change(byte @Nullable [] value, long expiryMillis, boolean counted) {
    static final Change DELETE = new Change(null, Expiry.NEVER, false);
  }

  /** A row of its own, or with {@code notes} one of several in a transaction. */
  TransactionRow(
      Store store,
      SpaceState space,
      long generation,
      byte[] hashKey,
      @Nullable TransactionNotes notes) {
    this.store = store;
    this.space = space;
    this.layout = RecordLayout.of(space.layout());
    this.hashKey = hashKey;
    this.generation = generation;
    this.notes = notes;
  }

  @Override
  public @Nullable RowRecord get(byte[] sortKey) {
    check(sortKey);
    Change change = changes.get(sortKey);
    if (change != null) {
      return live(sortKey, change);
    }
    byte[] key = layout.key(generation, hashKey, sortKey);
    byte[] record = store.database().get(layout.family(), key);
    if (record == null) {
      seen.put(sortKey.clone(), Stored.NOTHING);
      return null;
    }
    return live(sortKey.clone(), key, record, record.length);
  }

  @Override
  public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(direction, "direction");
    Arguments.checkScanLimit(limit);
    checkRunning();
    List<RowRecord> found = new ArrayList<>();
    if (limit == 0 || range.isEmpty()) {
      return found;
    }
    boolean forward = direction == Direction.FORWARD;
    try (NativeScan stored =
        store
            .database()
            .scan(
                store.database().now(),
                layout.family(),
                layout.lowerBound(generation, hashKey, range),
                layout.upperBound(generation, hashKey, range),
                true,
                forward)) {
      new Merge(stored, changed(range, forward), forward).collect(found, limit);
    }
    return found;
  }

  private Iterator<byte[]> changed(SortRange range, boolean forward) {
    byte[] to = range.to();
    NavigableMap<byte[], Change> tail = changes.tailMap(range.from(), true);
    NavigableMap<byte[], Change> inRange = to == null ? tail : tail.headMap(to, false);
    return (forward ? inRange.navigableKeySet() : inRange.descendingKeySet()).iterator();
  }

  /**
   * Stored records and changes side by side, in the order of the scan; a change hides the record at
   * its sort key.
   */
  private final class Merge {
    private final NativeScan stored;
    private final Iterator<byte[]> changed;
    private final Comparator<byte[]> order;
    private byte @Nullable [] nextKey;
    private byte @Nullable [] nextStored;
    private byte @Nullable [] nextChanged;

    Merge(NativeScan stored, Iterator<byte[]> changed, boolean forward) {
      this.stored = stored;
      this.changed = changed;
      this.order = forward ? ORDER : ORDER.reversed();
      advanceStored();
      advanceChanged();
    }

    void collect(List<RowRecord> found, int limit) {
      while (found.size() < limit && (nextStored != null || nextChanged != null)) {
        RowRecord next = takeNext();
        if (next != null) {
          found.add(next);
        }
      }
    }

    private @Nullable RowRecord takeNext() {
      byte[] storedKey = nextStored;
      byte[] changedKey = nextChanged;
      if (changedKey == null || (storedKey != null && order.compare(storedKey, changedKey) < 0)) {
        int length = stored.readValue();
        RowRecord record =
            live(
                Objects.requireNonNull(storedKey),
                Objects.requireNonNull(nextKey),
                stored.value(),
                length);
        advanceStored();
        return record;
      }
      if (storedKey != null && order.compare(storedKey, changedKey) == 0) {
        advanceStored();
      }
      advanceChanged();
      return live(changedKey, Objects.requireNonNull(changes.get(changedKey)));
    }

    private void advanceStored() {
      nextKey = stored.next() ? stored.key() : null;
      nextStored = nextKey == null ? null : layout.sortKey(nextKey);
    }

    private void advanceChanged() {
      nextChanged = changed.hasNext() ? changed.next() : null;
    }
  }

  @Override
  public long count() {
    checkRunning();
    return RocksDbView.storedCount(store, space, store.database().now(), generation, hashKey)
        + countDelta;
  }

  @Override
  public void put(byte[] sortKey, byte[] value, long expiryMillis) {
    change(sortKey, value, expiryMillis, false);
  }

  @Override
  public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
    if (!layout.hasRows()) {
      throw new UnsupportedOperationException(
          "The space \"" + space.name() + "\" keeps entries, which are not counted; use put.");
    }
    change(sortKey, value, expiryMillis, true);
  }

  private void change(byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    check(sortKey);
    Arguments.checkValue(value);
    change(sortKey, new Change(value.clone(), Expiry.normalize(expiryMillis), counted));
  }

  @Override
  public void delete(byte[] sortKey) {
    check(sortKey);
    if (!stored(sortKey).exists()) {
      noteUndo(sortKey);
      Change undone = changes.remove(sortKey);
      countDelta -= undone != null && undone.counted() ? 1 : 0;
    } else {
      change(sortKey, Change.DELETE);
    }
  }

  private void change(byte[] sortKey, Change change) {
    boolean storedIsCounted = layout.hasRows() && stored(sortKey).counted();
    noteUndo(sortKey);
    Change before = changes.put(sortKey.clone(), change);
    boolean wasCounted = before == null ? storedIsCounted : before.counted();
    countDelta += (change.counted() ? 1 : 0) - (wasCounted ? 1 : 0);
  }

  /** Before a change: notes what is to be done to take it back alone. */
  private void noteUndo(byte[] sortKey) {
    if (notes != null) {
      byte[] key = sortKey.clone();
      Change before = changes.get(key);
      long deltaBefore = countDelta;
      notes.changed(
          () -> {
            countDelta = deltaBefore;
            if (before == null) {
              changes.remove(key);
            } else {
              changes.put(key, before);
            }
          });
    }
  }

  private Stored stored(byte[] sortKey) {
    Stored known = seen.get(sortKey);
    if (known == null) {
      byte[] key = layout.key(generation, hashKey, sortKey);
      byte[] start = new byte[RowRecordFormat.MAX_HEADER_BYTES];
      int length = store.database().peek(store.database().now(), layout.family(), key, start);
      known = length == Database.NOT_FOUND ? Stored.NOTHING : stored(key, start, length);
      seen.put(sortKey.clone(), known);
    }
    return known;
  }

  private Stored stored(byte[] key, byte[] record, int length) {
    if (!layout.hasRows()) {
      return Stored.ENTRY;
    }
    try {
      return new Stored(
          true,
          RowRecordFormat.isCounted(record, length),
          RowRecordFormat.expiryMillis(record, length));
    } catch (CorruptStoreException e) {
      throw Failures.corrupt(space.name(), key, e);
    }
  }

  private @Nullable RowRecord live(byte[] sortKey, byte[] key, byte[] record, int length) {
    seen.put(sortKey, stored(key, record, length));
    try {
      long expiryMillis = layout.expiryMillis(record, length);
      if (Expiry.isPast(expiryMillis, store.clock())) {
        return null;
      }
      int from = layout.valueOffset(expiryMillis);
      byte[] value =
          Arrays.copyOfRange(record, from, from + layout.valueLength(record, length, expiryMillis));
      return new RowRecord(hashKey, sortKey, value, expiryMillis);
    } catch (CorruptStoreException e) {
      throw Failures.corrupt(space.name(), key, e);
    }
  }

  private @Nullable RowRecord live(byte[] sortKey, Change change) {
    byte[] value = change.value();
    return value == null || Expiry.isPast(change.expiryMillis(), store.clock())
        ? null
        : new RowRecord(hashKey, sortKey, value, change.expiryMillis());
  }

  /** Makes all changes, in one write; in none where there are none. */
  void commit(Durability durability) {
    if (changes.isEmpty()) {
      return;
    }
    int bytes = changes.size() * (CHANGE_BYTES + 2 * hashKey.length);
    Batch batch = new Batch(store.database().familyIds(), bytes);
    addTo(batch);
    store.door().write(batch, durability);
  }

  /** Adds all changes to a batch. */
  void addTo(Batch batch) {
    changes.forEach((sortKey, change) -> addTo(batch, sortKey, change));
    if (countDelta != 0) {
      batch.addToCount(EntryKeyFormat.encode(generation, hashKey), countDelta);
    }
  }

  private void addTo(Batch batch, byte[] sortKey, Change change) {
    byte[] key = layout.key(generation, hashKey, sortKey);
    byte[] value = change.value();
    long indexedMillis = seen.getOrDefault(sortKey, Stored.NOTHING).expiryMillis();
    if (indexedMillis != Expiry.NEVER
        && (value == null || change.expiryMillis() != indexedMillis)) {
      batch.delete(ColumnFamily.EXPIRIES, ExpiryIndexFormat.encode(indexedMillis, key));
    }
    if (value == null) {
      batch.delete(layout.family(), key);
    } else {
      batch.putRecord(layout, key, value, change.expiryMillis(), change.counted());
    }
  }

  /** Makes every later use an error. */
  void end() {
    ended = true;
  }

  private void check(byte[] sortKey) {
    checkRunning();
    layout.checkSortKey(sortKey);
  }

  private void checkRunning() {
    if (ended) {
      throw new IllegalStateException(
          "The row was used after its transaction; use it inside only.");
    }
  }
}
