package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.engine.SpaceView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Reads a table, or a snapshot of one. */
class TableReads<H, S, V> implements TableView<H, S, V> {
  private final TableCodec<H, S, V> codec;
  private final Supplier<? extends SpaceView> source;
  private final InstantSource clock;

  private TableReads(
      TableCodec<H, S, V> codec, Supplier<? extends SpaceView> source, InstantSource clock) {
    this.codec = codec;
    this.source = source;
    this.clock = clock;
  }

  /** Reads of the live table. */
  TableReads(TableCodec<H, S, V> codec) {
    this(codec, codec.space()::use, codec.space().clock());
  }

  /** Reads of a snapshot. */
  final TableView<H, S, V> of(SpaceSnapshot snapshot) {
    return new TableReads<>(codec, () -> snapshot, EntryReads.clockOf(snapshot));
  }

  /** Reads of one row. */
  final RangeReads<S, V> reads(H hashKey) {
    Buckets row = Buckets.ofRow(codec.hashKey(hashKey));
    return new RangeReads<>(codec.entries(), row, source, clock);
  }

  @Override
  public final @Nullable V get(H hashKey, S sortKey) {
    return reads(hashKey).get(sortKey);
  }

  @Override
  public final boolean contains(H hashKey, S sortKey) {
    return reads(hashKey).contains(sortKey);
  }

  @Override
  public final boolean containsRow(H hashKey) {
    return !reads(hashKey).isEmpty();
  }

  @Override
  public final Optional<Duration> ttl(H hashKey, S sortKey) {
    return reads(hashKey).ttl(sortKey);
  }

  @Override
  public final Map<S, V> getAll(H hashKey, Collection<? extends S> sortKeys) {
    return reads(hashKey).getAll(sortKeys);
  }

  @Override
  public final List<Map.Entry<S, V>> read(H hashKey, Range<S> range) {
    return reads(hashKey).entries(range);
  }

  @Override
  public final List<S> sortKeys(H hashKey, Range<S> range) {
    return reads(hashKey).keys(range);
  }

  @Override
  public final long count(H hashKey) {
    return reads(hashKey).count();
  }

  @Override
  public NavigableMap<S, V> row(H hashKey) {
    RangeWrites<S, V> unused =
        new RangeWrites<>(
            codec.entries(), new Records(codec.space(), Buckets.ofRow(codec.hashKey(hashKey))));
    return Collections.unmodifiableNavigableMap(
        new RangeMap<>(new EntryRange<>(reads(hashKey), unused)));
  }

  @Override
  public final Stream<TableRecord<H, S, V>> stream() {
    return stream(walk(null, null, true));
  }

  @Override
  public final Set<H> rowKeys() {
    return new RowKeys<>(this, this::firstOfEachRow);
  }

  private Iterator<H> firstOfEachRow() {
    return RowKeys.distinct(
        new Walk<>(
            (last, records) -> source.get().scanAll(last == null ? null : behindRow(last), null),
            /* withValues= */ false,
            clock,
            record -> record,
            record -> {}),
        codec::decodeHashKey);
  }

  /**
   * The last possible key of the row of {@code last}. If {@code last} has expired since its page
   * was read, the walk may have skipped it, and its row has to be looked at again.
   */
  private RecordKey behindRow(RowRecord last) {
    return Expiry.isPast(last.expiryMillis(), clock)
        ? place(last)
        : new RecordKey(last.hashKey(), RowKeys.LAST_SORT_KEY);
  }

  @Override
  public final List<Stream<TableRecord<H, S, V>>> streams(int streams) {
    if (streams <= 0) {
      throw new IllegalArgumentException("There are to be " + streams + " streams; ask for some.");
    }
    List<SharedWalk<RowRecord>> parts = parts(streams);
    return IntStream.range(0, streams)
        .mapToObj(first -> stream(SharedWalk.share(parts, first)))
        .toList();
  }

  /** Walks over at most {@code count} parts of the table; fewer if it is small. */
  private List<SharedWalk<RowRecord>> parts(int count) {
    List<SharedWalk<RowRecord>> parts = new ArrayList<>();
    RecordKey from = null;
    for (RecordKey split : source.get().splits(count)) {
      parts.add(new SharedWalk<>(walk(from, split, true)));
      from = split;
    }
    parts.add(new SharedWalk<>(walk(from, null, true)));
    return parts;
  }

  private Stream<TableRecord<H, S, V>> stream(Iterator<RowRecord> records) {
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(
                records, Spliterator.DISTINCT | Spliterator.NONNULL | Spliterator.CONCURRENT),
            /* parallel= */ false)
        .map(codec::decode);
  }

  @Override
  public final boolean isEmpty() {
    return !walk(null, null, false).hasNext();
  }

  private Iterator<RowRecord> walk(
      @Nullable RecordKey after, @Nullable RecordKey upTo, boolean withValues) {
    return new Walk<>(
        (last, records) -> source.get().scanAll(last == null ? after : place(last), upTo),
        withValues,
        clock,
        record -> record,
        record -> {});
  }

  private static RecordKey place(RowRecord record) {
    return new RecordKey(record.hashKey(), record.sortKey());
  }
}
