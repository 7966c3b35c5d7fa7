package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceView;
import io.rockpool.internal.format.ScoredSetFormat;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads a scored set by element and by score, without a transaction. */
final class ScoredReads<E> {
  private final EntryCodec<E, Double> codec;
  private final byte[] row;
  private final Supplier<? extends SpaceView> source;
  private final InstantSource clock;

  /**
   * Creates reads on {@code source}, which each read calls.
   *
   * @param clock decides what has expired
   */
  ScoredReads(
      EntryCodec<E, Double> codec,
      byte[] row,
      Supplier<? extends SpaceView> source,
      InstantSource clock) {
    this.codec = codec;
    this.row = row;
    this.source = source;
    this.clock = clock;
  }

  EntryCodec<E, Double> codec() {
    return codec;
  }

  byte[] row() {
    return row;
  }

  /** The member of an element, or null if it is absent or of another type. */
  @Nullable Member member(Object element) {
    byte[] bytes = codec.keyOrNull(element);
    Member member =
        bytes == null
            ? null
            : source
                .get()
                .get(
                    row,
                    ScoredSetFormat.memberKey(bytes),
                    (value, offset, length, expiryMillis) -> Member.read(value, offset, length));
    return member == null || isPast(member) ? null : member;
  }

  private boolean isPast(Member member) {
    return Expiry.isPast(member.expiryMillis(), clock);
  }

  /** The scores of the {@code elements} that are present, in their order. */
  Map<E, Double> scores(Collection<? extends E> elements) {
    Map<E, Double> found = new LinkedHashMap<>();
    EntryReads.forEachPage(elements, "element", page -> read(page, found));
    return found;
  }

  private void read(List<? extends E> elements, Map<E, Double> found) {
    List<@Nullable Member> members = members(elements.stream().map(codec::key).toList());
    for (int i = 0; i < elements.size(); i++) {
      Member member = members.get(i);
      if (member != null) {
        found.put(elements.get(i), member.score());
      }
    }
  }

  /** The members of elements, null for each absent one. One read. */
  private List<@Nullable Member> members(List<byte[]> elements) {
    List<RecordKey> keys = new ArrayList<>(elements.size());
    elements.forEach(e -> keys.add(new RecordKey(row, ScoredSetFormat.memberKey(e))));
    List<@Nullable Member> members = new ArrayList<>(elements.size());
    for (RowRecord record : source.get().getAll(keys)) {
      Member member = record == null ? null : Member.read(record.value(), 0, record.value().length);
      members.add(member == null || isPast(member) ? null : member);
    }
    return members;
  }

  /** Whether all elements are present. One read for each 1,024 elements. */
  boolean containsAll(Collection<?> elements) {
    List<byte[]> page = new ArrayList<>();
    for (Object element : elements) {
      byte[] bytes = codec.keyOrNull(element);
      if (bytes == null) {
        return false;
      }
      page.add(bytes);
      if (page.size() == Limits.MAX_PAGE_RECORDS) {
        if (members(page).contains(null)) {
          return false;
        }
        page.clear();
      }
    }
    return page.isEmpty() || !members(page).contains(null);
  }

  /** The number of stored members, including expired ones. */
  long storedCount() {
    return source.get().count(row);
  }

  /** The element and score of a place. */
  ScoredElement<E> element(byte[] place) {
    return new ScoredElement<>(
        codec.decodeKey(ScoredSetFormat.element(place)), ScoredSetFormat.score(place));
  }

  List<ScoredElement<E>> elements(List<RowRecord> places) {
    List<ScoredElement<E>> elements = new ArrayList<>(places.size());
    places.forEach(place -> elements.add(element(place.sortKey())));
    return elements;
  }

  /** Iterates over a range of places; see {@link Walk}. */
  <T> Iterator<T> walk(
      SortRange places,
      Direction direction,
      Function<ScoredElement<E>, T> reader,
      Consumer<RowRecord> remover) {
    return new Walk<>(
        (last, records) -> scan(behind(places, direction, last), direction, records),
        true,
        clock,
        record -> reader.apply(element(record.sortKey())),
        remover);
  }

  private static SortRange behind(SortRange places, Direction direction, @Nullable RowRecord last) {
    if (last == null) {
      return places;
    }
    return direction == Direction.FORWARD
        ? places.from(last.sortKey(), false)
        : places.to(last.sortKey(), false);
  }

  private Cursor scan(SortRange places, Direction direction, int limit) {
    return new PlaceCursor(source.get().scan(row, places, direction, limit));
  }

  /** At most {@code limit} elements of a range after the first {@code offset}. */
  List<ScoredElement<E>> range(SortRange places, Direction direction, long offset, int limit) {
    long wanted = offset + limit;
    boolean few = wanted > 0 && wanted <= Limits.MAX_PAGE_RECORDS; // not overflown
    return range(places, direction, offset, limit, few ? (int) wanted : Integer.MAX_VALUE);
  }

  private List<ScoredElement<E>> range(
      SortRange places, Direction direction, long offset, int limit, int records) {
    List<ScoredElement<E>> found = new ArrayList<>();
    long left = records;
    try (Cursor cursor = scan(places, direction, records)) {
      for (long toSkip = offset; found.size() < limit && cursor.next(); left--) {
        if (!Expiry.isPast(cursor.expiryMillis(), clock) && --toSkip < 0) {
          found.add(element(cursor.sortKey()));
        }
      }
    }
    return found.size() == limit || left > 0
        ? found
        : range(places, direction, offset, limit, Integer.MAX_VALUE); // some had expired
  }

  /** The number of elements in a range. Scans all of them. */
  long count(SortRange places) {
    long count = 0;
    try (Cursor cursor = scan(places, Direction.FORWARD, Integer.MAX_VALUE)) {
      while (moveToLive(cursor)) {
        count++;
      }
    }
    return count;
  }

  private boolean moveToLive(Cursor cursor) {
    while (cursor.next()) {
      if (!Expiry.isPast(cursor.expiryMillis(), clock)) {
        return true;
      }
    }
    return false;
  }
}
