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
import java.util.Collections;
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
 * a scan saw is remembered for that. Where records were put without a look, that is made up for
 * when the count is needed: one read of the beginning of each, or one seek if nothing lies where
 * they go. What is known of a record tells its place in the index of what expires too.
 */
final class TransactionRow implements Row {
  private static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  /** From so many on it is worth a seek to see whether anything lies between them. */
  private static final int MIN_TO_SEEK = 64;

  /** Room for the frames and headers of one change and its index record. */
  private static final int CHANGE_BYTES = 64;

  private final Store store;
  private final SpaceState space;
  private final RecordLayout layout;
  private final byte[] hashKey;
  private final long generation;
  private final NavigableMap<byte[], Change> changes = new TreeMap<>(ORDER);
  private final NavigableMap<byte[], Stored> seen = new TreeMap<>(ORDER);
  private final List<byte[]> unseen = new ArrayList<>();
  private final @Nullable TransactionNotes notes;

  /**
   * What the changes add to the count, as far as is known what is stored where they are: the count
   * of their records without that of those in {@link #seen}.
   */
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
      see(sortKey.clone(), Stored.NOTHING);
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
        + countDelta();
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
    change(sortKey, stored(sortKey).exists() ? Change.DELETE : null);
  }

  private void change(byte[] sortKey, @Nullable Change change) {
    byte[] key = sortKey.clone();
    Change before = replace(key, change);
    if (notes != null) {
      notes.changed(() -> replace(key, before));
    }
    if (layout.hasRows() && before == null && !seen.containsKey(key)) {
      unseen.add(key);
    }
  }

  /** Makes a change, or none, in the place of what it returns. */
  private @Nullable Change replace(byte[] key, @Nullable Change change) {
    Change before = change == null ? changes.remove(key) : changes.put(key, change);
    countDelta += effect(change, seen.get(key)) - effect(before, seen.get(key));
    return before;
  }

  /** What a change adds to the count. */
  private static int effect(@Nullable Change change, @Nullable Stored stored) {
    if (change == null) {
      return 0;
    }
    return (change.counted() ? 1 : 0) - (stored != null && stored.counted() ? 1 : 0);
  }

  /** Notes what is stored at a sort key. */
  private void see(byte[] key, Stored stored) {
    Change change = changes.get(key);
    countDelta += effect(change, stored) - effect(change, seen.put(key, stored));
  }

  private Stored stored(byte[] sortKey) {
    Stored known = seen.get(sortKey);
    if (known == null) {
      byte[] key = layout.key(generation, hashKey, sortKey);
      byte[] start = new byte[RowRecordFormat.MAX_HEADER_BYTES];
      int length = store.database().peek(store.database().now(), layout.family(), key, start);
      known = length == Database.NOT_FOUND ? Stored.NOTHING : stored(key, start, length);
      see(sortKey.clone(), known);
    }
    return known;
  }

  private long countDelta() {
    if (!unseen.isEmpty()) {
      unseen.removeIf(key -> seen.containsKey(key) || !changes.containsKey(key));
      if (unseen.size() >= MIN_TO_SEEK && nothingLiesBetweenUnseen()) {
        unseen.forEach(key -> see(key, Stored.NOTHING));
      } else {
        unseen.forEach(this::stored);
      }
      unseen.clear();
    }
    return countDelta;
  }

  private boolean nothingLiesBetweenUnseen() {
    byte[] first = Collections.min(unseen, ORDER);
    byte[] last = Collections.max(unseen, ORDER);
    SortRange between = SortRange.all().from(first, true).to(last, true);
    try (NativeScan stored =
        store
            .database()
            .scan(
                store.database().now(),
                layout.family(),
                layout.lowerBound(generation, hashKey, between),
                layout.upperBound(generation, hashKey, between),
                true,
                true)) {
      return !stored.next();
    }
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
    see(sortKey, stored(key, record, length));
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
    // First, for with the count it is also known what is in the index.
    long delta = countDelta();
    changes.forEach((sortKey, change) -> addTo(batch, sortKey, change));
    if (delta != 0) {
      batch.addToCount(EntryKeyFormat.encode(generation, hashKey), delta);
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
