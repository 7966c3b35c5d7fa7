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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
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
    return range.isBackwards(codec.entries()) ? new ArrayList<>() : reads(hashKey).entries(range);
  }

  @Override
  public final List<S> sortKeys(H hashKey, Range<S> range) {
    return range.isBackwards(codec.entries()) ? new ArrayList<>() : reads(hashKey).keys(range);
  }

  @Override
  public final Fetched<S, V> fetch(H hashKey, Range<S> range, long maxBytes) {
    if (range.isBackwards(codec.entries())) {
      return new Fetched<>(new ArrayList<>(), true);
    }
    RangeReads<S, V> reads = reads(hashKey);
    return fetched(
        reads, steadily(codec.hashKey(hashKey), row -> reads.fetch(row, range, maxBytes)));
  }

  @Override
  public final Fetched<S, V> fetch(H hashKey, Collection<? extends S> sortKeys, long maxBytes) {
    List<byte[]> keys = new ArrayList<>(sortKeys.size());
    sortKeys.forEach(sortKey -> keys.add(codec.entries().key(sortKey)));
    return fetched(
        reads(hashKey), steadily(codec.hashKey(hashKey), row -> RowFetch.of(row, keys, maxBytes)));
  }

  /** Calls a reader with a row that does not change meanwhile. */
  <R> R steadily(byte[] row, Function<RowFetch.SteadyRow, R> reader) {
    return reader.apply(new SnapshotRow(source.get(), row));
  }

  /** Decodes what was read, outside of the row transaction. */
  private static <S, V> Fetched<S, V> fetched(RangeReads<S, V> reads, RowFetch.Result result) {
    List<Map.Entry<S, V>> entries = new ArrayList<>(result.records().size());
    result.records().forEach(record -> entries.add(reads.entry(record)));
    return new Fetched<>(entries, result.complete());
  }

  @Override
  public final Map<TableKey<H, S>, V> getAll(Collection<TableKey<H, S>> keys) {
    Map<TableKey<H, S>, V> found = new LinkedHashMap<>();
    EntryReads.<TableKey<H, S>>forEachPage(
        keys,
        "key",
        page -> {
          List<@Nullable RowRecord> records =
              source.get().getAll(page.stream().map(codec::place).toList());
          for (int i = 0; i < page.size(); i++) {
            RowRecord record = records.get(i);
            if (record != null) {
              found.put(page.get(i), codec.entries().decodeValue(record));
            }
          }
        });
    return found;
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
    return stream(TableFilter.all());
  }

  @Override
  public final Stream<TableRecord<H, S, V>> stream(TableFilter<H, S> filter) {
    return records(walk(null, null, true), filter).map(codec::decode);
  }

  @Override
  public final Stream<TableKey<H, S>> keys(TableFilter<H, S> filter) {
    return records(walk(null, null, false), filter).map(codec::decodeKey);
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
    return streams(streams, TableFilter.all());
  }

  @Override
  public final List<Stream<TableRecord<H, S, V>>> streams(int streams, TableFilter<H, S> filter) {
    if (streams <= 0) {
      throw new IllegalArgumentException("There are to be " + streams + " streams; ask for some.");
    }
    List<SharedWalk<RowRecord>> parts =
        SharedWalk.overParts(
            source.get().splits(streams), (after, upTo) -> walk(after, upTo, true));
    return IntStream.range(0, streams)
        .mapToObj(first -> records(SharedWalk.share(parts, first), filter).map(codec::decode))
        .toList();
  }

  private Stream<RowRecord> records(Iterator<RowRecord> records, TableFilter<H, S> filter) {
    KeyFilter hashKeys = filter.hashKeys(codec);
    KeyFilter sortKeys = filter.sortKeys(codec);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(
                records, Spliterator.DISTINCT | Spliterator.NONNULL | Spliterator.CONCURRENT),
            /* parallel= */ false)
        .filter(record -> hashKeys.passes(record.hashKey()) && sortKeys.passes(record.sortKey()));
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
