package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Direction;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.TransactionNotes;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.ExpiryIndexFormat;
import io.rockpool.internal.format.RowRecordFormat;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import io.rockpool.internal.rocksdb.rows.RowChanges.Cell;
import io.rockpool.internal.rocksdb.rows.RowChanges.Change;
import io.rockpool.internal.rocksdb.rows.RowChanges.Stored;
import io.rockpool.store.Durability;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One row inside a transaction: the stored records with the transaction's own changes on top. Its
 * lock is held from before the first read until after its changes are written.
 *
 * <p>Records that were put without a read are read when the count is needed. This takes one read of
 * the beginning of each; or, from many on, one seek if nothing is stored in their range, or if the
 * filter of the row shows that all are absent.
 */
final class TransactionRow implements Row {
  /** From this many keys on, one seek checks whether their whole range is empty. */
  private static final int MIN_TO_SEEK = 64;

  /**
   * For new values up to this size, the old records are read whole, many in one call: they are
   * probably as small.
   */
  private static final int SMALL_BYTES = 1 << 10;

  /** Few enough to fit in the heap even if the old records are large. */
  private static final int SMALL_AT_ONCE = 64;

  /** Room for the frames and headers of one change and its index record. */
  private static final int CHANGE_BYTES = 64;

  /** Before the clock was read. */
  private static final long UNKNOWN = Long.MIN_VALUE;

  private final StoreParts store;
  private final SpaceState space;
  private final RecordLayout layout;
  private final byte[] hashKey;
  private final long generation;
  private final InstantSource clock;
  private final RowChanges changes = new RowChanges();
  private final @Nullable RowHints hints;
  private final @Nullable TransactionNotes notes;
  private final @Nullable RowMemory memory;

  /** The index of the row's lock. */
  private final int lock;

  /** From before the changes are written until the end. */
  private RowMemory.@Nullable Change written;

  private long nowMillis = UNKNOWN;
  private volatile boolean ended;

  /**
   * A single row, or with {@code notes} one of several in a transaction.
   *
   * @param lock the index of the row's lock
   * @param clock read at most once, and after the row's lock is held
   */
  TransactionRow(
      StoreParts store,
      SpaceState space,
      int lock,
      long generation,
      byte[] hashKey,
      InstantSource clock,
      @Nullable TransactionNotes notes) {
    this.store = store;
    this.space = space;
    this.layout = space.recordLayout();
    this.hashKey = hashKey;
    this.generation = generation;
    this.clock = clock;
    this.notes = notes;
    this.hints = layout.hasRows() ? new RowHints(store, generation, hashKey) : null;
    this.memory = store.memory(layout);
    this.lock = lock;
  }

  @Override
  public long nowMillis() {
    checkRunning();
    return now();
  }

  /** The time of the transaction: that of its first look at the clock. */
  private long now() {
    if (nowMillis == UNKNOWN) {
      nowMillis = clock.millis();
    }
    return nowMillis;
  }

  private boolean isPast(long expiryMillis) {
    return expiryMillis != Expiry.NEVER && expiryMillis <= now();
  }

  @Override
  public @Nullable RowRecord get(byte[] sortKey) {
    check(sortKey);
    Cell cell = changes.at(sortKey);
    return isKnown(cell) ? known(cell) : read(cell);
  }

  private @Nullable RowRecord read(Cell cell) {
    byte[] key = key(cell);
    byte[] kept = memory == null ? null : memory.get(key);
    if (kept != null) {
      return found(cell, kept);
    }
    long ticket = memory == null ? WriterStripe.BUSY : memory.ticket(lock);
    byte[] record = store.database().get(layout.family(), key);
    RowRecord found = found(cell, record);
    if (memory != null && record != null) {
      memory.admit(lock, ticket, key, record, record.length);
    }
    return found;
  }

  /**
   * One seek if there are many keys and nothing is stored in their range, or the filter of the row
   * shows that all are absent; none for what is in memory; else one native call for each {@link
   * Limits#MAX_PAGE_RECORDS} keys.
   */
  @Override
  public List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
    List<Cell> cells = new ArrayList<>(sortKeys.size());
    for (byte[] sortKey : sortKeys) {
      check(sortKey);
      cells.add(changes.at(sortKey));
    }
    seeWhatIsAbsent(cells.stream().filter(cell -> !isKnown(cell)).toList());
    @Nullable RowRecord[] found = new RowRecord[cells.size()];
    int[] places = new int[found.length];
    List<Cell> unknown = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      Cell cell = cells.get(i);
      if (isKnown(cell)) {
        found[i] = known(cell);
      } else {
        places[unknown.size()] = i;
        unknown.add(cell);
      }
    }
    readAll(unknown, Limits.MAX_PAGE_RECORDS, (i, record) -> found[places[i]] = record);
    return Arrays.asList(found);
  }

  /** Receives a record, or null, and its position among the requested ones. */
  private interface Found {
    void accept(int place, @Nullable RowRecord record);
  }

  private void readAll(List<Cell> cells, int atOnce, Found found) {
    for (int from = 0; from < cells.size(); from += atOnce) {
      List<Cell> page = cells.subList(from, Math.min(cells.size(), from + atOnce));
      List<byte[]> keys = page.stream().map(this::key).toList();
      List<byte @Nullable []> records = readAll(keys);
      for (int i = 0; i < page.size(); i++) {
        found.accept(from + i, found(page.get(i), records.get(i)));
      }
    }
  }

  private List<byte @Nullable []> readAll(List<byte[]> keys) {
    if (memory == null) {
      return store.database().getAll(layout.family(), keys);
    }
    List<byte @Nullable []> records = new ArrayList<>(keys.size());
    List<byte[]> unknown = new ArrayList<>();
    for (byte[] key : keys) {
      byte[] kept = memory.get(key);
      records.add(kept);
      if (kept == null) {
        unknown.add(key);
      }
    }
    if (!unknown.isEmpty()) {
      Iterator<byte @Nullable []> stored =
          store.database().getAll(layout.family(), unknown).iterator();
      records.replaceAll(record -> record == null ? stored.next() : record);
    }
    return records;
  }

  /** Whether the result of a read is known without the store. */
  private static boolean isKnown(Cell cell) {
    Stored stored = cell.stored();
    return cell.change() != null || (stored != null && !stored.exists());
  }

  @Nullable RowRecord known(Cell cell) {
    Change change = cell.change();
    return change == null ? null : live(cell.sortKey(), change);
  }

  /** Records what a read found, and returns the visible record. */
  private @Nullable RowRecord found(Cell cell, byte @Nullable [] record) {
    if (record == null || record == RowMemory.ABSENT) {
      changes.see(cell, Stored.NOTHING);
      return null;
    }
    return live(cell, key(cell), record, record.length);
  }

  /**
   * Records which of many keys are absent, if this is known cheaply: by one seek over their range,
   * or else from the filter of a row being built. The seek comes first, because ascending batches
   * need nothing else.
   */
  private void seeWhatIsAbsent(List<Cell> cells) {
    if (hints == null || cells.size() < MIN_TO_SEEK) {
      return;
    }
    RowFilter built = hints.built();
    if (nothingLiesBetween(cells)) {
      cells.forEach(cell -> changes.see(cell, Stored.NOTHING));
      if (built == null && nothingLiesIn(SortRange.all())) {
        hints.isEmpty();
      }
    } else if (built != null) {
      cells.stream()
          .filter(cell -> !built.mayHave(cell.sortKey()))
          .forEach(cell -> changes.see(cell, Stored.NOTHING));
    }
  }

  private boolean nothingLiesBetween(List<Cell> cells) {
    Comparator<Cell> order = Comparator.comparing(Cell::sortKey, RowChanges.ORDER);
    byte[] first = Collections.min(cells, order).sortKey();
    byte[] last = Collections.max(cells, order).sortKey();
    return nothingLiesIn(SortRange.all().from(first, true).to(last, true));
  }

  private boolean nothingLiesIn(SortRange range) {
    try (NativeScan stored = scan(range, true)) {
      return !stored.next();
    }
  }

  @Override
  public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
    return page(range, direction, limit, Long.MAX_VALUE).records();
  }

  @Override
  public Page page(SortRange range, Direction direction, int limit, long maxBytes) {
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(direction, "direction");
    Arguments.checkScanLimit(limit);
    checkRunning();
    if (limit == 0 || range.isEmpty()) {
      return new Page(new ArrayList<>(), range.isEmpty());
    }
    boolean forward = direction == Direction.FORWARD;
    RowFiller filler = null;
    if (memory != null && limit + (long) changes.size() <= RowMemory.MAX_SLICE_RECORDS) {
      byte[] from = layout.lowerBound(generation, hashKey, range);
      byte[] to = layout.upperBound(generation, hashKey, range);
      // Each change may hide a record.
      RowSlice slice = memory.slice(lock, from, to, forward, limit + changes.size());
      if (slice != null) {
        return new RowMerge(this, slice, null, changes.within(range, forward), forward)
            .collect(limit, maxBytes);
      }
      filler = new RowFiller(memory, lock, from, to, forward);
    }
    SortRange wanted = hints == null ? range : hints.toScan(range, forward);
    try (NativeScan stored = wanted.isEmpty() ? null : scan(wanted, forward)) {
      RowMerge merge = new RowMerge(this, stored, filler, changes.within(range, forward), forward);
      Page page = merge.collect(limit, maxBytes);
      merge.fill();
      if (hints != null && !merge.passedHidden()) {
        List<RowRecord> found = page.records();
        byte[] first = found.isEmpty() ? null : found.get(0).sortKey();
        boolean worth =
            wanted != range || (stored != null && store.emptyStretches().tookLong(stored));
        hints.found(range, forward, first, worth, changes);
      }
      return page;
    }
  }

  /** No record is copied if all are in memory and the range has no changes. */
  @Override
  public int countIn(SortRange range, int limit) {
    Objects.requireNonNull(range, "range");
    Arguments.checkScanLimit(limit);
    checkRunning();
    if (memory != null
        && limit <= RowMemory.MAX_SLICE_RECORDS
        && !range.isEmpty()
        && !changes.within(range, true).hasNext()) {
      byte[] from = layout.lowerBound(generation, hashKey, range);
      byte[] to = layout.upperBound(generation, hashKey, range);
      RowSlice slice = memory.slice(lock, from, to, /* forward= */ true, limit);
      if (slice != null) {
        return slice.size();
      }
    }
    return scan(range, Direction.FORWARD, limit).size();
  }

  private NativeScan scan(SortRange range, boolean forward) {
    Database database = store.database();
    return layout.scan(database, database.now(), generation, hashKey, range, forward);
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
    Arguments.checkCounts(space.name(), space.layout());
    change(sortKey, value, expiryMillis, true);
  }

  private void change(byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    check(sortKey);
    EngineLimits.OF_CONTRACT.checkValue(value);
    change(changes.at(sortKey), new Change(value, Expiry.normalize(expiryMillis), counted));
  }

  @Override
  public void insert(byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    check(sortKey);
    Cell cell = changes.at(sortKey);
    if (cell.stored() == null) {
      changes.see(cell, Stored.NOTHING);
    }
    change(sortKey, value, expiryMillis, counted);
  }

  @Override
  public void delete(byte[] sortKey) {
    check(sortKey);
    Cell cell = changes.at(sortKey);
    change(cell, stored(cell).exists() ? Change.DELETE : null);
  }

  private void change(Cell cell, @Nullable Change change) {
    Change before = changes.change(cell, change);
    if (notes != null) {
      notes.changed(() -> changes.change(cell, before));
    }
  }

  /** The stored record, from its first bytes. */
  private Stored stored(Cell cell) {
    Stored known = cell.stored();
    if (known == null) {
      byte[] key = key(cell);
      byte[] kept = memory == null ? null : memory.get(key);
      byte[] start = kept == null ? new byte[RowRecordFormat.MAX_HEADER_BYTES] : kept;
      int length =
          kept == null
              ? store.database().peek(store.database().now(), layout.family(), key, start)
              : kept.length;
      known =
          length == Database.NOT_FOUND || kept == RowMemory.ABSENT
              ? Stored.NOTHING
              : stored(key, start, length);
      changes.see(cell, known);
    }
    return known;
  }

  private long countDelta() {
    List<Cell> unseen = layout.hasRows() ? changes.takeUnseen() : List.of();
    if (unseen.isEmpty()) {
      return changes.countDelta();
    }
    seeWhatIsAbsent(unseen);
    List<Cell> toRead = unseen.stream().filter(cell -> cell.stored() == null).toList();
    if (toRead.stream().allMatch(TransactionRow::isSmall)) {
      readAll(toRead, SMALL_AT_ONCE, (place, record) -> {});
    } else {
      toRead.forEach(this::stored);
    }
    return changes.countDelta();
  }

  private static boolean isSmall(Cell cell) {
    byte[] value = Objects.requireNonNull(cell.change()).value();
    return value == null || value.length <= SMALL_BYTES;
  }

  private Stored stored(byte[] key, byte[] record, int length) {
    if (!layout.hasRows()) {
      return new Stored(true, false, Expiry.NEVER, length);
    }
    try {
      return new Stored(
          true,
          RowRecordFormat.isCounted(record, length),
          RowRecordFormat.expiryMillis(record, length),
          length);
    } catch (CorruptStoreException e) {
      throw store.database().corrupt(space.name(), key, e);
    }
  }

  /** The record with these bytes, or null if it has expired; {@code filler} notes it. */
  @Nullable RowRecord live(
      byte[] sortKey, byte[] key, byte[] record, int length, @Nullable RowFiller filler) {
    Cell cell = changes.at(sortKey);
    RowRecord live = live(cell, key, record, length);
    if (filler != null) {
      filler.passed(key, record, length, Objects.requireNonNull(cell.stored()).expiryMillis());
    }
    return live;
  }

  private @Nullable RowRecord live(Cell cell, byte[] key, byte[] record, int length) {
    changes.see(cell, stored(key, record, length));
    try {
      long expiryMillis = layout.expiryMillis(record, length);
      if (isPast(expiryMillis)) {
        return null;
      }
      int from = layout.valueOffset(expiryMillis);
      byte[] value =
          Arrays.copyOfRange(record, from, from + layout.valueLength(record, length, expiryMillis));
      return new RowRecord(hashKey, cell.sortKey().clone(), value, expiryMillis);
    } catch (CorruptStoreException e) {
      throw store.database().corrupt(space.name(), key, e);
    }
  }

  private @Nullable RowRecord live(byte[] sortKey, Change change) {
    byte[] value = change.value();
    return value == null || isPast(change.expiryMillis())
        ? null
        : new RowRecord(hashKey, sortKey, value, change.expiryMillis());
  }

  /**
   * Writes all changes in one batch; without changes, writes nothing. Returns whether it adds
   * records.
   */
  boolean commit(Durability durability) {
    boolean adds = false;
    if (!changes.isEmpty()) {
      long bytes = changes.size() * (CHANGE_BYTES + 2L * hashKey.length);
      Batch batch = new Batch(store.database().familyIds(), bytes);
      addTo(batch);
      store.writePath().write(batch, durability);
      adds = batch.adds();
    }
    committed();
    return adds;
  }

  /** Updates the hints after all changes are written. */
  void committed() {
    if (hints != null) {
      hints.written(changes);
    }
    RowMemory.Change change = written;
    if (change != null && change.hasForgotten()) {
      changes.forEach(
          cell -> {
            Change to = Objects.requireNonNull(cell.change());
            change.wrote(to.value(), to.expiryMillis(), to.counted());
          });
    }
  }

  /** Adds all changes to a batch. */
  void addTo(Batch batch) {
    // First: this also reads the index keys of the stored records.
    long delta = countDelta();
    if (memory != null && !changes.isEmpty()) {
      written = memory.begin(lock);
    }
    changes.forEach(cell -> addTo(batch, cell));
    if (hints != null) {
      hints.writing(changes);
    }
    if (delta != 0) {
      batch.addToCount(EntryKeyFormat.encode(generation, hashKey), delta);
    }
  }

  private void addTo(Batch batch, Cell cell) {
    Change change = Objects.requireNonNull(cell.change());
    Stored stored = store.writePath().refusesInserts() ? stored(cell) : cell.stored();
    byte[] key = key(cell);
    if (written != null) {
      written.forget(key);
    }
    byte[] value = change.value();
    if (stored != null && stored.exists()) {
      batch.noteReplaced(layout.family(), key.length + stored.bytes());
    }
    long indexedMillis = stored == null ? Expiry.NEVER : stored.expiryMillis();
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
    if (written != null) {
      written.close();
      written = null;
    }
  }

  byte[] sortKey(byte[] key) {
    return layout.sortKey(key);
  }

  /** The native key, made once. */
  private byte[] key(Cell cell) {
    byte[] key = cell.key;
    if (key == null) {
      key = layout.key(generation, hashKey, cell.sortKey());
      cell.key = key;
    }
    return key;
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
