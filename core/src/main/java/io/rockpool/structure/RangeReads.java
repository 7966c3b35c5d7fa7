package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.engine.SpaceView;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads a range of sorted entries, which are all in one row. */
final class RangeReads<K, V> extends EntryReads<K, V> {
  private final SortedCodec<K, V> codec;
  private final KeyRange range;
  private final byte[] row;

  RangeReads(
      SortedCodec<K, V> codec,
      Buckets buckets,
      Supplier<? extends SpaceView> source,
      InstantSource clock) {
    super(codec, buckets, source, clock);
    this.codec = codec;
    this.range = codec.range();
    this.row = buckets.rows().get(0);
  }

  /** Reads of the live structure. */
  static <K, V> RangeReads<K, V> live(SortedCodec<K, V> codec, Buckets buckets) {
    StructureSpace space = codec.space();
    return new RangeReads<>(codec, buckets, space::use, space.clock());
  }

  @Override
  RangeReads<K, V> of(SpaceSnapshot snapshot) {
    return new RangeReads<>(codec, buckets, () -> snapshot, clockOf(snapshot));
  }

  /** Reads of another range of the same structure. */
  RangeReads<K, V> within(KeyRange other) {
    return new RangeReads<>(codec.within(other), buckets, source, clock);
  }

  @Override
  SortedCodec<K, V> codec() {
    return codec;
  }

  /** The number of entries: O(1) for the whole structure, else it reads the keys of the range. */
  @Override
  long count() {
    if (range.isAll() && !range.isDescending()) {
      return super.count();
    }
    long count = 0;
    for (Iterator<RowRecord> walk = keys(); walk.hasNext(); walk.next()) {
      count++;
    }
    return count;
  }

  @Override
  long quickCount() {
    return range.isAll() ? super.count() : Long.MAX_VALUE;
  }

  @Override
  boolean isEmpty() {
    return !keys().hasNext();
  }

  @Override
  int orderCharacteristics() {
    return Spliterator.ORDERED;
  }

  @Override
  Cursor behind(@Nullable RowRecord last, int records) {
    SortRange left =
        last == null ? range.sortRange() : range.behind(last.sortKey(), /* inclusive= */ false);
    return source().scan(row, left, range.direction(), records);
  }

  /** The records of the range without their values, read a page at a time. */
  Iterator<RowRecord> keys() {
    return walk(false, record -> record, record -> {});
  }

  /** The entries in {@code which}, in one scan. This must be the range of all keys. */
  List<Map.Entry<K, V>> entries(Range<K> which) {
    return list(which, this::entry);
  }

  /** The keys in {@code which}, in one scan. This must be the range of all keys. */
  List<K> keys(Range<K> which) {
    return list(which, this::key);
  }

  private <T> List<T> list(Range<K> which, Function<Cursor, T> reader) {
    KeyRange keys = which.keys(codec);
    KeyFilter filter = which.filter(codec);
    long wanted = Math.min(Integer.MAX_VALUE, which.offset()) + which.listLimit();
    int scanned = filter.isRange() ? (int) Math.min(Integer.MAX_VALUE, wanted) : Integer.MAX_VALUE;
    long toSkip = which.offset();
    List<T> found = new ArrayList<>();
    try (Cursor cursor =
        source().scan(row, filter.within(keys.sortRange()), keys.direction(), scanned)) {
      while (found.size() < which.limit() && cursor.next()) {
        if ((filter.isRange() || filter.passes(cursor.sortKey())) && toSkip-- <= 0) {
          found.add(reader.apply(cursor));
        }
      }
    }
    return found;
  }

  /** Reads the records in {@code which} up to a number of bytes. */
  RowFetch.Result fetch(RowFetch.SteadyRow from, Range<K> which, long maxBytes) {
    return RowFetch.of(
        from, which.keys(codec), which.filter(codec), which.offset(), which.limit(), maxBytes);
  }

  /** The entry of a record. */
  Map.Entry<K, V> entry(RowRecord record) {
    return Map.entry(codec.decodeKey(record.sortKey()), codec.decodeValue(record));
  }

  @Nullable K firstKey() {
    return one(range.sortRange(), range.direction(), this::key);
  }

  @Nullable K lastKey() {
    return one(range.sortRange(), range.backwards(), this::key);
  }

  Map.@Nullable Entry<K, V> firstEntry() {
    return one(range.sortRange(), range.direction(), this::entry);
  }

  Map.@Nullable Entry<K, V> lastEntry() {
    return one(range.sortRange(), range.backwards(), this::entry);
  }

  /**
   * The next key after {@code key} in the range's direction, or {@code key} itself if {@code
   * inclusive}.
   */
  @Nullable K keyBehind(K key, boolean inclusive) {
    return one(range.behind(codec.anyKey(key), inclusive), range.direction(), this::key);
  }

  /**
   * The last key before {@code key} in the range's direction, or {@code key} itself if {@code
   * inclusive}.
   */
  @Nullable K keyBefore(K key, boolean inclusive) {
    return one(range.before(codec.anyKey(key), inclusive), range.backwards(), this::key);
  }

  Map.@Nullable Entry<K, V> entryBehind(K key, boolean inclusive) {
    return one(range.behind(codec.anyKey(key), inclusive), range.direction(), this::entry);
  }

  Map.@Nullable Entry<K, V> entryBefore(K key, boolean inclusive) {
    return one(range.before(codec.anyKey(key), inclusive), range.backwards(), this::entry);
  }

  private <T> @Nullable T one(SortRange part, Direction direction, Function<Cursor, T> reader) {
    try (Cursor cursor = source().scan(row, part, direction, 1)) {
      return cursor.next() ? reader.apply(cursor) : null;
    }
  }

  private K key(Cursor cursor) {
    return codec.decodeKey(cursor.sortKey());
  }

  private Map.Entry<K, V> entry(Cursor cursor) {
    byte[] key = cursor.sortKey();
    byte[] value = cursor.value();
    return Map.entry(codec.decodeKey(key), codec.decodeValue(key, value, 0, value.length));
  }
}
