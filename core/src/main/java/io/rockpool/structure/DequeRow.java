package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceView;
import io.rockpool.error.LimitExceededException;
import io.rockpool.internal.format.DequeEnds;
import io.rockpool.internal.format.PositionFormat;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row of a deque inside one transaction: its elements by position, and their {@link DequeEnds}.
 * Changes are complete only after {@link #save}.
 */
final class DequeRow {
  /** The sort key of the ends. It sorts before all elements, whose sort keys have eight bytes. */
  static final byte[] ENDS_KEY = {};

  /** Records in a page of a scan inside the row, fewer if they are large. It bounds its memory. */
  private static final int PAGE_RECORDS = 256;

  /** The same for a read whose caller keeps all records. */
  private static final int RANGE_RECORDS = 16_384;

  private final Row row;
  private final DequeEnds before;
  private DequeEnds ends;
  private final List<Change> changes = new ArrayList<>();

  /** An element that was added or removed. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Change(byte[] value, boolean added) {}

  DequeRow(Row row) {
    this.row = row;
    RowRecord record = row.get(ENDS_KEY);
    this.before = record == null ? DequeEnds.NEW : DequeEnds.decode(record.value());
    this.ends = before;
  }

  /** Reads the record of the ends from a view of a deque's space. */
  static DequeEnds ends(SpaceView view, byte[] hashKey) {
    RowRecord record = view.get(hashKey, ENDS_KEY);
    return record == null ? DequeEnds.NEW : DequeEnds.decode(record.value());
  }

  /** Writes the ends if they have changed. */
  void save() {
    if (!ends.equals(before)) {
      row.put(ENDS_KEY, ends.encode(), Expiry.NEVER);
    }
  }

  /** The elements added and removed so far, in order. */
  List<Change> changes() {
    return changes;
  }

  /** Whether an element may expire before the time that was known before this transaction. */
  boolean expiresEarlier() {
    return ends.nextExpiryMillis() < before.nextExpiryMillis();
  }

  DequeEnds ends() {
    return ends;
  }

  static long position(RowRecord element) {
    return PositionFormat.decode(element.sortKey());
  }

  /** All positions that may have an element. */
  static SortRange range(DequeEnds ends) {
    return range(ends.from(), ends.to());
  }

  /** The positions from {@code from}, inclusive, to {@code to}, exclusive. */
  static SortRange range(long from, long to) {
    return SortRange.all()
        .from(PositionFormat.encode(from), true)
        .to(PositionFormat.encode(to), false);
  }

  /** The part of a range after {@code element}, in a scan that starts at {@code end}. */
  static SortRange behind(SortRange range, RowRecord element, DequeEnd end) {
    return end == FIRST ? range.from(element.sortKey(), false) : range.to(element.sortKey(), false);
  }

  /** The part of a range after a page, in a scan that starts at {@code end}. */
  static SortRange behind(SortRange range, Row.Page page, DequeEnd end) {
    List<RowRecord> records = page.records();
    return records.isEmpty() ? range : behind(range, records.get(records.size() - 1), end);
  }

  /** The element at a sort key, or null. */
  @Nullable RowRecord get(byte[] sortKey) {
    return row.get(sortKey);
  }

  /**
   * The element at an end, or null. One read, unless elements at this end have expired or moved.
   */
  @Nullable RowRecord edge(DequeEnd end) {
    if (ends.isEmpty()) {
      return null;
    }
    long guess = end == FIRST ? ends.firstGuess() : ends.lastGuess();
    RowRecord there = row.get(PositionFormat.encode(guess));
    return there == null ? soughtEdge(end) : there;
  }

  private @Nullable RowRecord soughtEdge(DequeEnd end) {
    List<RowRecord> found = row.scan(range(ends), end.inward(), 1);
    if (found.isEmpty()) {
      noteEmpty();
      return null;
    }
    noteEdge(end, found.get(0));
    return found.get(0);
  }

  private void noteEdge(DequeEnd end, RowRecord element) {
    long position = position(element);
    ends = end == FIRST ? ends.startingAt(position) : ends.endingAt(position);
  }

  private void noteEmpty() {
    ends = ends.emptied();
    if (ends.nextExpiryMillis() != Expiry.NEVER && row.count() == 0) {
      ends = ends.expiringFrom(Expiry.NEVER);
    }
  }

  /** The element after {@code element} in a scan that starts at {@code end}, or null. */
  @Nullable RowRecord next(RowRecord element, DequeEnd end) {
    List<RowRecord> found = row.scan(behind(range(ends), element, end), end.inward(), 1);
    return found.isEmpty() ? null : found.get(0);
  }

  /** The first {@code limit} elements of a range, in a scan that starts at {@code end}. */
  List<RowRecord> scan(SortRange range, DequeEnd end, int limit) {
    return row.scan(range, end.inward(), limit);
  }

  /** Like {@link #scan}, but fewer if they are large. */
  Row.Page page(SortRange range, DequeEnd end, int limit) {
    return row.page(range, end.inward(), limit, Limits.MAX_BATCH_BYTES);
  }

  /** All elements of a range. */
  List<RowRecord> all(SortRange range) {
    List<RowRecord> found = new ArrayList<>();
    SortRange left = range;
    Row.Page page;
    do {
      page = page(left, FIRST, RANGE_RECORDS);
      found.addAll(page.records());
      left = behind(left, page, FIRST);
    } while (!page.isLast());
    return found;
  }

  /** Adds an element at an end. */
  void add(DequeEnd end, byte[] value, long expiryMillis) {
    if (ends.isEmpty()) {
      noteEmpty();
    }
    put(end == FIRST ? ends.beforeFirst() : ends.behindLast(), value, expiryMillis);
  }

  /** Puts a new element at a free position. */
  void put(long position, byte[] value, long expiryMillis) {
    place(position, value, expiryMillis);
    changes.add(new Change(value, true));
  }

  /** Puts a new or lifted element at a free position, without recording a change. */
  void place(long position, byte[] value, long expiryMillis) {
    if (Math.abs(position) > PositionFormat.MAX_POSITION) {
      throw new LimitExceededException(
          "A deque has no position left at this end, after some "
              + PositionFormat.MAX_POSITION / PositionFormat.SPACING
              + " elements that were added there; move its elements into a new one.",
          "position",
          PositionFormat.MAX_POSITION,
          Math.abs(position),
          null);
    }
    row.putCounted(PositionFormat.encode(position), value, expiryMillis);
    ends = ends.with(position, expiryMillis);
  }

  /** Replaces the value and expiry of an element. */
  void replace(RowRecord element, byte[] value, long expiryMillis) {
    row.putCounted(element.sortKey(), value, expiryMillis);
    ends = ends.expiringFrom(Math.min(ends.nextExpiryMillis(), expiryMillis));
    changes.add(new Change(element.value(), false));
    changes.add(new Change(value, true));
  }

  /** Removes the element at an end. */
  void removeEdge(DequeEnd end, RowRecord element) {
    noteEdge(end, element);
    remove(element);
  }

  void remove(RowRecord element) {
    lift(element);
    changes.add(new Change(element.value(), false));
  }

  /** Removes an element from its position, to place it at another one. Records no change. */
  void lift(RowRecord element) {
    row.delete(element.sortKey());
    ends = ends.without(position(element));
  }

  /**
   * How many more elements fit; exact if fewer than {@code wanted}. One read, unless fewer fit and
   * some elements may have expired. Then it scans the live elements and sweeps the expired ones.
   */
  long room(long capacity, long wanted) {
    long count = row.count();
    boolean mayBeMore = capacity - count < wanted && mayHaveExpired();
    return Math.max(0, capacity - (mayBeMore ? countLive(count) : count));
  }

  /** Whether one of the elements may have expired. Looks at the clock only if one may expire. */
  private boolean mayHaveExpired() {
    return ends.nextExpiryMillis() != Expiry.NEVER && ends.nextExpiryMillis() <= row.nowMillis();
  }

  private long countLive(long count) {
    BitSet points = new BitSet();
    long live = 0;
    long nextExpiryMillis = Expiry.NEVER;
    boolean full = ends.offGrid() == 0 && ends.gridPoints() == count;
    SortRange range = range(ends);
    Row.Page page;
    do {
      page = page(range, FIRST, PAGE_RECORDS);
      for (RowRecord element : page.records()) {
        nextExpiryMillis = Math.min(nextExpiryMillis, element.expiryMillis());
        if (full) {
          points.set((int) ((position(element) - ends.firstGuess()) / PositionFormat.SPACING));
        }
      }
      live += page.records().size();
      range = behind(range, page, FIRST);
    } while (!page.isLast());
    if (full) {
      sweep(points, (int) count);
    }
    // Expired elements may be outside the ends, as many as there are holes between them.
    if (row.count() == live) {
      ends = ends.expiringFrom(nextExpiryMillis);
    }
    return live;
  }

  /**
   * Deletes expired elements, so that the row no longer counts them. Only for a row with one
   * counted record at each grid point: otherwise an expired element looks the same as a hole.
   */
  private void sweep(BitSet live, int points) {
    long first = ends.firstGuess();
    for (int i = live.nextClearBit(0); i < points; i = live.nextClearBit(i + 1)) {
      row.delete(PositionFormat.encode(first + i * PositionFormat.SPACING));
    }
    if (live.isEmpty()) {
      noteEmpty();
    } else {
      long last = first + (live.length() - 1) * PositionFormat.SPACING;
      ends = ends.startingAt(first + live.nextSetBit(0) * PositionFormat.SPACING).endingAt(last);
    }
  }

  /**
   * The element at an index, or null. A negative index counts from the end. Two reads if there are
   * no holes and no element may have expired. Otherwise a scan: from the end that the index counts
   * from if some may have expired, else from the nearer end.
   */
  @Nullable RowRecord at(long index) {
    if (ends.isEmpty()) {
      return null;
    }
    if (mayHaveExpired()) {
      return index < 0 ? nth(LAST, -1 - index) : nth(FIRST, index);
    }
    long count = row.count();
    long place = index < 0 ? index + count : index;
    if (place < 0 || place >= count) {
      return null;
    }
    if (ends.offGrid() == 0 && ends.gridPoints() == count) {
      return row.get(PositionFormat.encode(ends.firstGuess() + place * PositionFormat.SPACING));
    }
    return place < count / 2 ? nth(FIRST, place) : nth(LAST, count - 1 - place);
  }

  /**
   * The positions of the elements from index {@code from}, inclusive, to {@code to}, exclusive.
   * Negative indices count from the end. A range that reaches beyond the elements ends with them.
   */
  SortRange between(long from, long to) {
    SortRange all = range(ends);
    RowRecord first = from == 0 ? null : at(from);
    RowRecord behind = at(to);
    boolean isAfterLast = first == null && from > 0;
    boolean isBeforeFirst = behind == null && to < 0;
    if (isAfterLast || isBeforeFirst) {
      return all.to(all.from(), false);
    }
    SortRange rest = first == null ? all : all.from(first.sortKey(), true);
    return behind == null ? rest : rest.to(behind.sortKey(), false);
  }

  private @Nullable RowRecord nth(DequeEnd end, long index) {
    SortRange range = range(ends);
    long left = index;
    while (true) {
      Row.Page page = page(range, end, PAGE_RECORDS);
      int records = page.records().size();
      if (left < records) {
        return page.records().get((int) left);
      }
      if (page.isLast()) {
        return null;
      }
      left -= records;
      range = behind(range, page, end);
    }
  }
}
