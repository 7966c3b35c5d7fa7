package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.engine.SpaceView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the entries of a map or the elements of a set. */
class EntryReads<K, V> {
  private final EntryCodec<K, V> codec;
  final Buckets buckets;
  final Supplier<? extends SpaceView> source;
  final InstantSource clock;

  EntryReads(
      EntryCodec<K, V> codec,
      Buckets buckets,
      Supplier<? extends SpaceView> source,
      InstantSource clock) {
    this.codec = codec;
    this.buckets = buckets;
    this.source = source;
    this.clock = clock;
  }

  /** Reads of the live structure. */
  static <K, V> EntryReads<K, V> live(EntryCodec<K, V> codec, Buckets buckets) {
    StructureSpace space = codec.space();
    return new EntryReads<>(codec, buckets, space::use, space.clock());
  }

  /** Reads of a snapshot. */
  EntryReads<K, V> of(SpaceSnapshot snapshot) {
    return new EntryReads<>(codec, buckets, () -> snapshot, clockOf(snapshot));
  }

  /** The fixed clock of a snapshot. */
  static InstantSource clockOf(SpaceSnapshot snapshot) {
    return InstantSource.fixed(Instant.ofEpochMilli(snapshot.takenMillis()));
  }

  EntryCodec<K, V> codec() {
    return codec;
  }

  /** The view to read: the open space or a snapshot. */
  final SpaceView source() {
    return source.get();
  }

  /** The value of a key, or null. */
  @Nullable V get(Object key) {
    byte[] bytes = codec.keyOrNull(key);
    return bytes == null
        ? null
        : source()
            .get(
                buckets.rowOf(bytes),
                bytes,
                (value, offset, length, expiryMillis) ->
                    codec.decodeValue(bytes, value, offset, length));
  }

  boolean contains(Object key) {
    return expiryMillis(codec.keyOrNull(key)) != null;
  }

  /** Whether all keys have an entry. One read for each 1,024 keys. */
  boolean containsAll(Collection<?> keys) {
    List<Object> page = new ArrayList<>();
    for (Object key : keys) {
      page.add(key);
      if (page.size() == Limits.MAX_PAGE_RECORDS) {
        if (present(page).cardinality() < page.size()) {
          return false;
        }
        page.clear();
      }
    }
    return present(page).cardinality() == page.size();
  }

  /** Which of the {@code keys} have an entry. One read. */
  BitSet present(List<?> keys) {
    List<RecordKey> places = new ArrayList<>(keys.size());
    BitSet present = new BitSet();
    for (int i = 0; i < keys.size(); i++) {
      byte[] bytes = codec.keyOrNull(keys.get(i));
      if (bytes != null) {
        places.add(new RecordKey(buckets.rowOf(bytes), bytes));
        present.set(i);
      }
    }
    if (places.isEmpty()) {
      return present;
    }
    Iterator<@Nullable RowRecord> records = source().getAll(places).iterator();
    for (int i = present.nextSetBit(0); i >= 0; i = present.nextSetBit(i + 1)) {
      present.set(i, records.next() != null);
    }
    return present;
  }

  /** Whether a key has an entry with this value. */
  boolean contains(Object key, Object value) {
    byte[] bytes = codec.keyOrNull(key);
    RowRecord record = bytes == null ? null : source().get(buckets.rowOf(bytes), bytes);
    return record != null && codec.hasValue(record, value);
  }

  /** The remaining time to live of an entry, or empty if there is none. */
  Optional<Duration> ttl(K key) {
    Long expiryMillis = expiryMillis(codec.key(key));
    return expiryMillis == null ? Optional.empty() : StructureSpace.ttl(expiryMillis, clock);
  }

  private @Nullable Long expiryMillis(byte @Nullable [] key) {
    return key == null
        ? null
        : source()
            .get(buckets.rowOf(key), key, (value, offset, length, expiryMillis) -> expiryMillis);
  }

  /** The entries of those {@code keys} that have one, in the order of {@code keys}. */
  Map<K, V> getAll(Collection<? extends K> keys) {
    Map<K, V> found = new LinkedHashMap<>();
    forEachPage(keys, "key", page -> read(page, found));
    return found;
  }

  /**
   * Calls {@code reader} with up to 1,024 elements at a time; the list is valid during the call.
   *
   * @param name the name of an element, for the message if it is null
   */
  static <T> void forEachPage(
      Collection<? extends T> elements, String name, Consumer<List<T>> reader) {
    List<T> page = new ArrayList<>();
    for (T element : elements) {
      page.add(Objects.requireNonNull(element, name));
      if (page.size() == Limits.MAX_PAGE_RECORDS) {
        reader.accept(page);
        page.clear();
      }
    }
    reader.accept(page);
  }

  private void read(List<? extends K> keys, Map<K, V> found) {
    List<RecordKey> places = new ArrayList<>(keys.size());
    for (K key : keys) {
      byte[] bytes = codec.key(key);
      places.add(new RecordKey(buckets.rowOf(bytes), bytes));
    }
    List<@Nullable RowRecord> records = source().getAll(places);
    for (int i = 0; i < keys.size(); i++) {
      RowRecord record = records.get(i);
      if (record != null) {
        found.put(keys.get(i), codec.decodeValue(record));
      }
    }
  }

  /** The number of entries. May include expired ones. One read per row. */
  long count() {
    return buckets.count(source());
  }

  /** Whether there is no live entry. Expired entries do not count. */
  boolean isEmpty() {
    return count() == 0 || !walk(false, record -> record, record -> {}).hasNext();
  }

  /** The spliterator characteristics of the entries' order. */
  int orderCharacteristics() {
    return 0;
  }

  /** The bytes of a random key, see {@link Sampler}; null if there is none. */
  byte @Nullable [] randomKey() {
    RowRecord picked = new Sampler(source(), buckets.rows(), ThreadLocalRandom.current()).pick();
    return picked == null ? null : picked.sortKey();
  }

  /** Iterates over all entries; see {@link Walk}. */
  final <T> Iterator<T> walk(
      boolean withValues, Function<RowRecord, T> reader, Consumer<RowRecord> remover) {
    return new Walk<>(this::behind, withValues, clock, reader, remover);
  }

  /**
   * Iterators for several threads, which together return every record; see {@link SharedWalk}. One
   * iterates like {@link #walk} and joins a transaction.
   */
  final List<Iterator<RowRecord>> shares(int threads, boolean withValues) {
    if (threads == 1) {
      return List.of(walk(withValues, record -> record, record -> {}));
    }
    List<SharedWalk<RowRecord>> parts =
        SharedWalk.overParts(
            source().splits(threads),
            (after, upTo) ->
                new Walk<>(
                    (last, records) -> source().scanAll(last == null ? after : place(last), upTo),
                    withValues,
                    clock,
                    record -> record,
                    record -> {}));
    return IntStream.range(0, threads).mapToObj(i -> SharedWalk.share(parts, i)).toList();
  }

  private static RecordKey place(RowRecord record) {
    return new RecordKey(record.hashKey(), record.sortKey());
  }

  /** A spliterator over the keys, values or entries. */
  final <T> Spliterator<T> spliterator(Iterator<T> elements, int characteristics) {
    return new CountedSpliterator<>(
        elements, this::quickCount, characteristics | orderCharacteristics(), null);
  }

  /** The number of entries if it is O(1), else {@code Long.MAX_VALUE}. */
  long quickCount() {
    return count();
  }

  /** The cursor after the last record of a walk; over all records if {@code last} is null. */
  Cursor behind(@Nullable RowRecord last, int records) {
    SpaceView space = source();
    if (codec.space().inTransaction()) {
      return new RowsCursor(space, buckets.rows().iterator(), last);
    }
    if (last == null && space.searchesLong()) {
      Iterator<byte[]> filled =
          buckets.rows().stream().filter(row -> space.count(row) > 0).iterator();
      return filled.hasNext()
          ? new RowsCursor(space, filled, null)
          : space.scan(buckets.rows().get(0), SortRange.all(), Direction.FORWARD, 0);
    }
    return space.scanAll(last == null ? null : place(last));
  }
}
