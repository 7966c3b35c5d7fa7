package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceView;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.internal.format.CountFormat;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.BufferPool.Buffers;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.EmptyStretches;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.ReadPoint;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import io.rockpool.internal.rocksdb.natives.SplitSearch;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The reads that a space and its snapshots share. */
abstract class RocksDbView implements SpaceView {
  final StoreParts store;
  final SpaceState state;
  final RecordLayout layout;
  private final ReadPoint point;
  private final InstantSource clock;

  /** Creates a view at {@code point}; {@code clock} decides what has expired. */
  RocksDbView(StoreParts store, SpaceState state, ReadPoint point, InstantSource clock) {
    this.store = store;
    this.state = state;
    this.layout = state.recordLayout();
    this.point = point;
    this.clock = clock;
  }

  /**
   * Prevents closing until {@link #leave}, which must follow on the same thread.
   *
   * @throws IllegalStateException if it is closed
   */
  abstract void enter();

  abstract void leave();

  /** Throws if the view is closed. */
  abstract void checkOpen();

  /** The visible generation. */
  abstract long generation();

  /**
   * The operations in the calling thread's transaction, or null if there is none or the view does
   * not join.
   */
  abstract @Nullable JoinedSpace joined();

  final InstantSource clock() {
    return clock;
  }

  @Override
  public String name() {
    return state.name();
  }

  @Override
  public <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    layout.checkKey(hashKey, sortKey);
    Objects.requireNonNull(reader, "reader");
    JoinedSpace joined = joined();
    if (joined != null) {
      return joined.get(hashKey, sortKey, reader);
    }
    enter();
    try {
      RowMemory memory = memory();
      if (memory != null) {
        return get(memory, hashKey, sortKey, reader);
      }
      Buffers buffers = store.buffers().take();
      try {
        int keyLength = layout.keyLength(hashKey, sortKey);
        byte[] key = buffers.key(keyLength);
        layout.writeKey(generation(), hashKey, sortKey, key);
        int length = store.database().read(point, layout.family(), key, keyLength, buffers);
        return length == Database.NOT_FOUND
            ? null
            : read(buffers.record(), length, reader, hashKey, sortKey);
      } finally {
        store.buffers().give(buffers);
      }
    } finally {
      leave();
    }
  }

  /** The memory of the latest rows; null if this view does not read them. */
  private @Nullable RowMemory memory() {
    return point == store.database().now() ? store.memory(layout) : null;
  }

  private <R> @Nullable R get(
      RowMemory memory, byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    byte[] key = layout.key(generation(), hashKey, sortKey);
    byte[] kept = memory.get(key);
    if (kept != null) {
      return kept == RowMemory.ABSENT ? null : read(kept, kept.length, reader, hashKey, sortKey);
    }
    int lock = RowLocks.indexOf(state, hashKey);
    long ticket = memory.ticket(lock);
    Buffers buffers = store.buffers().take();
    try {
      int length = store.database().read(point, layout.family(), key, key.length, buffers);
      if (length == Database.NOT_FOUND) {
        return null;
      }
      R result = read(buffers.record(), length, reader, hashKey, sortKey);
      memory.admit(lock, ticket, key, buffers.record(), length);
      return result;
    } finally {
      store.buffers().give(buffers);
    }
  }

  private <R> @Nullable R read(
      byte[] record, int length, RecordReader<R> reader, byte[] hashKey, byte[] sortKey) {
    long expiryMillis;
    int valueLength;
    try {
      expiryMillis = layout.expiryMillis(record, length);
      valueLength = layout.valueLength(record, length, expiryMillis);
    } catch (CorruptStoreException e) {
      throw store.database().corrupt(state.name(), layout.key(generation(), hashKey, sortKey), e);
    }
    return Expiry.isPast(expiryMillis, clock)
        ? null
        : reader.read(record, layout.valueOffset(expiryMillis), valueLength, expiryMillis);
  }

  /** One native call for each {@link Limits#MAX_PAGE_RECORDS} keys. */
  @Override
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    List<RecordKey> wanted = Arguments.copyOf(keys, "keys", "key");
    wanted.forEach(key -> layout.checkKey(key.hashKey(), key.sortKey()));
    JoinedSpace joined = joined();
    if (joined != null) {
      return joined.getAll(wanted);
    }
    enter();
    try {
      long generation = generation();
      List<@Nullable RowRecord> found = new ArrayList<>(wanted.size());
      for (int from = 0; from < wanted.size(); from += Limits.MAX_PAGE_RECORDS) {
        List<RecordKey> page =
            wanted.subList(from, Math.min(wanted.size(), from + Limits.MAX_PAGE_RECORDS));
        addPage(generation, page, found);
      }
      return found;
    } finally {
      leave();
    }
  }

  private void addPage(long generation, List<RecordKey> page, List<@Nullable RowRecord> found) {
    List<byte[]> keys = new ArrayList<>(page.size());
    page.forEach(key -> keys.add(layout.key(generation, key.hashKey(), key.sortKey())));
    List<byte @Nullable []> records = store.database().getAll(point, layout.family(), keys);
    for (int i = 0; i < page.size(); i++) {
      byte[] hashKey = page.get(i).hashKey();
      byte[] sortKey = page.get(i).sortKey();
      byte[] record = records.get(i);
      found.add(
          record == null
              ? null
              : read(record, record.length, RowRecord.copier(hashKey, sortKey), hashKey, sortKey));
    }
  }

  @Override
  public long count(byte[] hashKey) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    JoinedSpace joined = joined();
    if (joined != null) {
      return joined.count(hashKey);
    }
    enter();
    try {
      return storedCount(store, state, point, generation(), hashKey);
    } finally {
      leave();
    }
  }

  /** The stored count of a row. */
  static long storedCount(
      StoreParts store, SpaceState space, ReadPoint point, long generation, byte[] hashKey) {
    Arguments.checkCounts(space.name(), space.layout());
    byte[] key = EntryKeyFormat.encode(generation, hashKey);
    byte[] count = new byte[Long.BYTES];
    int length = store.database().peek(point, ColumnFamily.COUNTS, key, count);
    try {
      return length == Database.NOT_FOUND ? 0 : CountFormat.decode(count, length);
    } catch (CorruptStoreException e) {
      throw store.database().corrupt(space.name(), key, e);
    }
  }

  @Override
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(direction, "direction");
    Arguments.checkScanLimit(limit);
    JoinedSpace joined = joined();
    if (joined != null) {
      return joined.scan(hashKey, range, direction, limit);
    }
    enter();
    try {
      byte[] row = hashKey.clone();
      long generation = generation();
      if (limit == 0 || range.isEmpty()) {
        return new RocksDbCursor(this, row, null, 0, null, null);
      }
      boolean forward = direction == Direction.FORWARD;
      RowMemory memory = limit > RowMemory.MAX_SLICE_RECORDS ? null : memory();
      if (memory != null) {
        return scan(memory, generation, row, range, forward, limit);
      }
      return layout.hasRows() && point == store.database().now()
          ? cursorOfNow(generation, row, range, forward, limit, null)
          : new RocksDbCursor(
              this, row, nativeScan(generation, row, range, forward), limit, null, null);
    } finally {
      leave();
    }
  }

  private Cursor scan(
      RowMemory memory, long generation, byte[] row, SortRange range, boolean forward, int limit) {
    byte[] from = layout.lowerBound(generation, row, range);
    byte[] to = layout.upperBound(generation, row, range);
    int lock = RowLocks.indexOf(state, row);
    RowSlice slice = memory.slice(lock, from, to, forward, limit);
    if (slice != null) {
      return new SliceCursor(this, row, slice);
    }
    RowFiller filler = memory.isOpen() ? new RowFiller(memory, lock, from, to, forward) : null;
    return cursorOfNow(generation, row, range, forward, limit, filler);
  }

  private RocksDbCursor cursorOfNow(
      long generation,
      byte[] hashKey,
      SortRange range,
      boolean forward,
      int limit,
      @Nullable RowFiller filler) {
    FirstLook look = new FirstLook(this, generation, hashKey, range, forward);
    SortRange wanted = look.toScan();
    NativeScan scan = wanted.isEmpty() ? null : nativeScan(generation, hashKey, wanted, forward);
    if (look.holds()) {
      return new RocksDbCursor(this, hashKey, scan, limit, look, filler);
    }
    if (scan != null) {
      scan.close();
    }
    NativeScan all = nativeScan(generation, hashKey, range, forward);
    return new RocksDbCursor(this, hashKey, all, limit, null, filler);
  }

  /** Opens a scan over the stored records in a range of a row. */
  final NativeScan nativeScan(long generation, byte[] hashKey, SortRange range, boolean forward) {
    return layout.scan(store.database(), point, generation, hashKey, range, forward);
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo) {
    if (after != null) {
      layout.checkKey(after.hashKey(), after.sortKey());
    }
    if (upTo != null) {
      layout.checkKey(upTo.hashKey(), upTo.sortKey());
    }
    enter();
    try {
      long generation = generation();
      byte[] lower = after == null ? Generation.prefix(generation) : behind(generation, after);
      byte[] upper = upTo == null ? Generation.prefix(generation + 1) : behind(generation, upTo);
      if (Arrays.compareUnsigned(lower, upper) >= 0) {
        return new RocksDbCursor(this, null, null, 0, null, null);
      }
      NativeScan scan = store.database().scan(point, layout.family(), lower, upper, false, true);
      return new RocksDbCursor(
          this, null, scan, Integer.MAX_VALUE, after == null ? this::searched : null, null);
    } finally {
      leave();
    }
  }

  private void searched(NativeScan scan, boolean found) {
    EmptyStretches stretches = store.emptyStretches();
    if (stretches.tookLong(scan)) {
      scan.startAgain();
      if (stretches.tookLong(scan)) {
        state.longSearch().note();
      }
    }
  }

  @Override
  public boolean searchesLong() {
    return state.longSearch().isRecent();
  }

  /** The lowest key above that of a record. */
  private byte[] behind(long generation, RecordKey key) {
    return layout.successor(generation, key.hashKey(), key.sortKey());
  }

  @Override
  public List<RecordKey> splits(int parts) {
    Arguments.checkParts(parts);
    enter();
    try {
      return new SplitSearch(store.database(), point, layout.family(), generation())
          .splits(parts).stream()
              .map(key -> new RecordKey(layout.hashKey(key), layout.sortKey(key)))
              .toList();
    } finally {
      leave();
    }
  }
}
