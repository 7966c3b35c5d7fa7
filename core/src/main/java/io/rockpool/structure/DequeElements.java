package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.engine.SpaceView;
import io.rockpool.internal.format.DequeEnds;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a deque one by one: walks over them, and what is done at a place in their midst.
 */
final class DequeElements<E> {
  /** How many elements a trim removes at once. */
  private static final int TRIM_RECORDS = 1_024;

  private final DequeStore<E> store;
  private final ElementCodec<E> codec;

  DequeElements(DequeStore<E> store) {
    this.store = store;
    this.codec = store.codec();
  }

  /** Walks over the elements, beginning at an end; see {@link Walk}. */
  Iterator<E> walk(DequeEnd from) {
    return walk(from, codec::decode);
  }

  /** Walks over the records that the elements are. */
  Iterator<RowRecord> records(DequeEnd from) {
    return walk(from, record -> record);
  }

  private <T> Iterator<T> walk(DequeEnd from, Function<RowRecord, T> reader) {
    StructureSpace space = store.space();
    return walk(space::use, store.hashKey(), from, space.clock(), reader, this::removeSame);
  }

  /** Walks over the elements of a view of a deque's space. */
  static <T> Iterator<T> walk(
      Supplier<? extends SpaceView> source,
      byte[] hashKey,
      DequeEnd from,
      InstantSource clock,
      Function<RowRecord, T> reader,
      Consumer<RowRecord> remover) {
    return new Walk<>(
        last -> cursor(source.get(), hashKey, from, last), true, clock, reader, remover);
  }

  /** The ends as a view of a deque's space has them. */
  static DequeEnds ends(SpaceView view, byte[] hashKey) {
    RowRecord record = view.get(hashKey, DequeRow.ENDS_KEY);
    return record == null ? DequeEnds.NEW : DequeEnds.decode(record.value());
  }

  /** Reads the elements from an end on, or behind one. */
  static Cursor cursor(SpaceView view, byte[] hashKey, DequeEnd from, @Nullable RowRecord last) {
    SortRange all = DequeRow.range(ends(view, hashKey));
    SortRange range = last == null ? all : DequeRow.behind(all, last, from);
    return view.scan(hashKey, range, from.inward(), Integer.MAX_VALUE);
  }

  boolean contains(@Nullable Object element) {
    byte[] value = codec.encodeOrNull(element);
    Search search = new Search(record -> Arrays.equals(record.value(), value), record -> true);
    return value != null && (search.first(records(FIRST)) || again(FIRST, search));
  }

  /** Looks for elements, and does something to them that fails where one is not there any more. */
  private static final class Search {
    private final Predicate<RowRecord> wanted;
    private final Predicate<RowRecord> action;
    private boolean failed;

    Search(Predicate<RowRecord> wanted, Predicate<RowRecord> action) {
      this.wanted = wanted;
      this.action = action;
    }

    /** Acts on the first element; returns whether there was one. */
    boolean first(Iterator<RowRecord> walk) {
      return act(walk, 1) > 0;
    }

    /** Acts on so many elements at most; returns how many there were. */
    int act(Iterator<RowRecord> walk, int limit) {
      failed = false;
      int done = 0;
      while (done < limit && walk.hasNext()) {
        RowRecord record = walk.next();
        if (wanted.test(record)) {
          boolean acted = action.test(record);
          done += acted ? 1 : 0;
          failed |= !acted;
        }
      }
      return done;
    }
  }

  /** Looks once more where the first walk may have missed an element. */
  private boolean again(DequeEnd from, Search search) {
    return !store.space().inTransaction() && atInstant(from, search::first);
  }

  /**
   * Looks at the elements as they are at one instant: a walk over the live ones misses those that
   * an insertion moves past it. Inside a transaction that cannot happen.
   */
  private <R> R atInstant(DequeEnd from, Function<Iterator<RowRecord>, R> look) {
    StructureSpace space = store.space();
    if (space.inTransaction()) {
      return look.apply(records(from));
    }
    if (!space.has(Capability.SNAPSHOTS)) {
      return space.atomically(() -> look.apply(records(from)));
    }
    try (SpaceSnapshot instant = space.use().snapshot()) {
      return look.apply(
          walk(() -> instant, store.hashKey(), from, space.clock(), r -> r, this::removeSame));
    }
  }

  /** Removes the elements that {@code filter} accepts; each that is there throughout is tested. */
  boolean removeIf(Predicate<? super E> filter) {
    Search search =
        new Search(
            record -> filter.test(codec.decode(record)),
            record -> atSame(record, DequeElements::remove));
    boolean any = false;
    do {
      any |= atInstant(FIRST, walk -> search.act(walk, Integer.MAX_VALUE)) > 0;
    } while (search.failed);
    return any;
  }

  private static boolean remove(DequeRow row, RowRecord record) {
    row.remove(record);
    return true;
  }

  /** Removes the first occurrence on the way from an end, and says whether there was one. */
  boolean removeOccurrence(DequeEnd from, @Nullable Object element) {
    byte[] value = codec.encodeOrNull(element);
    return value != null && atOccurrence(from, value, DequeElements::remove);
  }

  /** Puts an element next to the first occurrence of another, and says whether there was one. */
  boolean insertBeside(@Nullable Object pivot, DequeEnd side, byte[] value, long expiryMillis) {
    byte[] pivotValue = codec.encodeOrNull(pivot);
    long nowMillis = store.nowMillis();
    return pivotValue != null
        && atOccurrence(
            FIRST,
            pivotValue,
            (row, record) -> {
              checkRoom(row, nowMillis);
              if (side == FIRST) {
                insert(row, row.next(record, LAST), record, value, expiryMillis);
              } else {
                insert(row, record, row.next(record, FIRST), value, expiryMillis);
              }
              return true;
            });
  }

  /**
   * Looks for an element outside of any transaction, and does something to it inside one, provided
   * that it is still there; else looks on, and again where it may only have been moved.
   */
  private boolean atOccurrence(
      DequeEnd from, byte[] value, BiFunction<DequeRow, RowRecord, Boolean> action) {
    Search search =
        new Search(
            record -> Arrays.equals(record.value(), value), record -> atSame(record, action));
    boolean done = search.first(records(from)) || again(from, search);
    while (!done && search.failed) {
      done = again(from, search);
    }
    return done;
  }

  private boolean atSame(RowRecord record, BiFunction<DequeRow, RowRecord, Boolean> action) {
    return store.transact(
        row -> {
          RowRecord there = row.get(record.sortKey());
          return there != null
              && Arrays.equals(there.value(), record.value())
              && action.apply(row, there);
        });
  }

  private void removeSame(RowRecord record) {
    atSame(record, DequeElements::remove);
  }

  E get(long index) {
    long nowMillis = store.nowMillis();
    return codec.decode(store.transact(row -> at(row, index, nowMillis)));
  }

  /** Puts an element in the place of another, and returns that. */
  E set(long index, byte[] value, long expiryMillis) {
    long nowMillis = store.nowMillis();
    return store.transact(
        row -> {
          RowRecord before = at(row, index, nowMillis);
          E element = codec.decode(before);
          row.replace(before, value, expiryMillis);
          return element;
        });
  }

  /** Puts an element so that it has an index then. */
  void insert(long index, byte[] value, long expiryMillis) {
    long nowMillis = store.nowMillis();
    store.transact(
        row -> {
          RowRecord left = index <= 0 ? null : row.at(index - 1, nowMillis);
          if (index < 0 || (index > 0 && left == null)) {
            throw new IndexOutOfBoundsException(
                store.space()
                    + " has no place for the index "
                    + index
                    + "; use one from 0 to its size.");
          }
          RowRecord right = left == null ? row.edge(FIRST) : row.next(left, FIRST);
          checkRoom(row, nowMillis);
          insert(row, left, right, value, expiryMillis);
          return true;
        });
  }

  private static void insert(
      DequeRow row,
      @Nullable RowRecord left,
      @Nullable RowRecord right,
      byte[] value,
      long expiryMillis) {
    new DequeGap(row).insert(left, right, value, expiryMillis);
  }

  private RowRecord at(DequeRow row, long index, long nowMillis) {
    RowRecord record = row.at(index, nowMillis);
    if (record == null) {
      throw new IndexOutOfBoundsException(
          store.space()
              + " has no element at the index "
              + index
              + "; use one from 0 to below its size.");
    }
    return record;
  }

  private void checkRoom(DequeRow row, long nowMillis) {
    if (store.room(row, 1, nowMillis) == 0) {
      throw full();
    }
  }

  /** The error for adding to a deque that is full. */
  IllegalStateException full() {
    return new IllegalStateException(
        store.space()
            + " is full with "
            + store.capacity()
            + " elements; take some out, or use put or an offer with a timeout, which wait.");
  }

  /** Removes the elements before one index and from another on; returns how many. */
  long trim(long from, long to) {
    long nowMillis = store.nowMillis();
    // The positions of the first that goes at each end are found once: what is added later stays.
    List<SortRange> outside =
        store.transact(
            row -> {
              RowRecord first = from < to ? row.at(from, nowMillis) : null;
              if (first == null) {
                return List.of(DequeRow.range(row.ends()));
              }
              SortRange all = DequeRow.range(row.ends());
              SortRange front = all.to(first.sortKey(), false);
              RowRecord behind = row.at(to, nowMillis);
              return behind == null
                  ? List.of(front)
                  : List.of(front, all.from(behind.sortKey(), true));
            });
    return removeAll(outside.get(0), FIRST)
        + (outside.size() == 1 ? 0 : removeAll(outside.get(1), LAST));
  }

  private long removeAll(SortRange range, DequeEnd from) {
    long removed = 0;
    while (true) {
      int count =
          store.transact(
              row -> {
                List<RowRecord> page = row.page(range, from, TRIM_RECORDS);
                page.forEach(row::remove);
                return page.size();
              });
      removed += count;
      if (count < TRIM_RECORDS) {
        return removed;
      }
    }
  }
}
