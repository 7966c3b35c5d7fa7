package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.engine.SpaceView;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Iterators over the elements of a deque, and operations at a position in its middle. */
final class DequeElements<E> {
  /** Elements that one transaction of a trim removes, fewer if they are large. */
  private static final int TRIM_RECORDS = 1_024;

  private final DequeStore<E> store;
  private final ElementCodec<E> codec;

  DequeElements(DequeStore<E> store) {
    this.store = store;
    this.codec = store.codec();
  }

  /** Iterates over the elements, starting at an end; see {@link Walk}. */
  Iterator<E> walk(DequeEnd from) {
    return walk(from, codec::decode);
  }

  /** Iterates over the records of the elements. */
  Iterator<RowRecord> records(DequeEnd from) {
    return walk(from, record -> record);
  }

  private <T> Iterator<T> walk(DequeEnd from, Function<RowRecord, T> reader) {
    StructureSpace space = store.space();
    return walk(space::use, store.hashKey(), from, space.clock(), reader, this::removeSame);
  }

  /** Iterates over the elements in a view of a deque's space. */
  static <T> Iterator<T> walk(
      Supplier<? extends SpaceView> source,
      byte[] hashKey,
      DequeEnd from,
      InstantSource clock,
      Function<RowRecord, T> reader,
      Consumer<RowRecord> remover) {
    return new Walk<>(
        (last, records) -> cursor(source.get(), hashKey, from, last, records),
        true,
        clock,
        reader,
        remover);
  }

  /** Scans the elements from an end, or after {@code last}. */
  static Cursor cursor(
      SpaceView view, byte[] hashKey, DequeEnd from, @Nullable RowRecord last, int records) {
    SortRange all = DequeRow.range(DequeRow.ends(view, hashKey));
    SortRange range = last == null ? all : DequeRow.behind(all, last, from);
    return view.scan(hashKey, range, from.inward(), records);
  }

  boolean contains(@Nullable Object element) {
    Predicate<RowRecord> wanted = codec.equalTo(element);
    if (wanted == null) {
      return false;
    }
    Search search = new Search(wanted, record -> true);
    return search.first(records(FIRST)) || again(FIRST, search);
  }

  /**
   * Finds elements and applies an action to each. The action fails if another thread has removed
   * the element.
   */
  private static final class Search {
    private final Predicate<RowRecord> wanted;
    private final Predicate<RowRecord> action;
    private boolean failed;

    Search(Predicate<RowRecord> wanted, Predicate<RowRecord> action) {
      this.wanted = wanted;
      this.action = action;
    }

    /** Applies the action to the first match; returns whether it succeeded. */
    boolean first(Iterator<RowRecord> walk) {
      return act(walk, 1) > 0;
    }

    /** Applies the action to at most {@code limit} matches; returns how many times it succeeded. */
    long act(Iterator<RowRecord> walk, long limit) {
      failed = false;
      long done = 0;
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

  /** Searches once more in a snapshot, if the first walk may have missed an element. */
  private boolean again(DequeEnd from, Search search) {
    return !store.space().inTransaction() && atInstant(from, search::first);
  }

  /**
   * Runs {@code look} on the elements of one instant. A walk over live elements can miss one that
   * an insertion moves behind the walk. Inside a transaction this cannot happen.
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

  /**
   * Removes the elements that {@code filter} accepts. Tests every element that is present
   * throughout the call.
   */
  boolean removeIf(Predicate<? super E> filter) {
    Search search =
        new Search(
            record -> filter.test(codec.decode(record)),
            record -> atSame(record, DequeElements::remove));
    boolean any = false;
    do {
      any |= atInstant(FIRST, walk -> search.act(walk, Long.MAX_VALUE)) > 0;
    } while (search.failed);
    return any;
  }

  private static boolean remove(DequeRow row, RowRecord record) {
    row.remove(record);
    return true;
  }

  /** Removes the first occurrence from an end; returns whether there was one. */
  boolean removeOccurrence(DequeEnd from, @Nullable Object element) {
    Predicate<RowRecord> wanted = codec.equalTo(element);
    return wanted != null && atOccurrence(from, wanted, DequeElements::remove);
  }

  /** Removes up to {@code limit} occurrences, starting at an end; returns how many. */
  long removeOccurrences(DequeEnd from, @Nullable Object element, long limit) {
    Predicate<RowRecord> wanted = codec.equalTo(element);
    if (wanted == null) {
      return 0;
    }
    Search search = new Search(wanted, record -> atSame(record, DequeElements::remove));
    long removed = 0;
    do {
      long left = limit - removed;
      removed += atInstant(from, walk -> search.act(walk, left));
    } while (search.failed && removed < limit);
    return removed;
  }

  /**
   * The indices of up to {@code limit} occurrences, in the order of a search that starts at an end,
   * after the first {@code skipped}. Counted from the front at one instant.
   */
  List<Long> indicesOf(DequeEnd from, @Nullable Object element, long skipped, long limit) {
    Predicate<RowRecord> wanted = codec.equalTo(element);
    return wanted == null
        ? List.of()
        : atInstant(from, walk -> indices(walk, from, wanted, skipped, limit));
  }

  private static List<Long> indices(
      Iterator<RowRecord> walk,
      DequeEnd from,
      Predicate<RowRecord> wanted,
      long skipped,
      long limit) {
    List<Long> steps = new ArrayList<>();
    long walked = 0;
    // From the back, an index is known only when all elements are counted.
    for (long left = skipped; walk.hasNext() && (from == LAST || steps.size() < limit); walked++) {
      RowRecord record = walk.next();
      if (steps.size() < limit && wanted.test(record) && --left < 0) {
        steps.add(walked);
      }
    }
    long last = walked - 1;
    return from == FIRST ? steps : steps.stream().map(step -> last - step).toList();
  }

  /**
   * Inserts an element next to the first occurrence of {@code pivot}; returns whether there was
   * one.
   */
  boolean insertBeside(@Nullable Object pivot, DequeEnd side, byte[] value, long expiryMillis) {
    Predicate<RowRecord> wanted = codec.equalTo(pivot);
    return wanted != null
        && atOccurrence(
            FIRST,
            wanted,
            (row, record) -> {
              checkRoom(row, expiryMillis);
              if (side == FIRST) {
                insert(row, row.next(record, LAST), record, value, expiryMillis);
              } else {
                insert(row, record, row.next(record, FIRST), value, expiryMillis);
              }
              return true;
            });
  }

  /**
   * Searches for an element without a transaction, then applies the action in one if the element is
   * still there. Otherwise it continues the search, and repeats it if another thread may only have
   * moved the element.
   */
  private boolean atOccurrence(
      DequeEnd from, Predicate<RowRecord> wanted, BiFunction<DequeRow, RowRecord, Boolean> action) {
    Search search = new Search(wanted, record -> atSame(record, action));
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
    return codec.decode(store.transact(row -> at(row, index)));
  }

  /** The elements of a range of indices, read in one transaction. */
  List<E> range(long from, long to) {
    List<RowRecord> found =
        store.transact(
            row -> {
              SortRange range = row.between(from, to);
              return range.isEmpty() ? List.of() : row.all(range);
            });
    List<E> elements = new ArrayList<>(found.size());
    found.forEach(record -> elements.add(codec.decode(record)));
    return elements;
  }

  /**
   * Replaces the element at an index, and returns the old one. An expiry of 0 removes the element.
   */
  E set(long index, byte[] value, long expiryMillis) {
    return store.transact(
        row -> {
          RowRecord before = at(row, index);
          E element = codec.decode(before);
          if (expiryMillis > 0) {
            row.replace(before, value, expiryMillis);
          } else {
            row.remove(before);
          }
          return element;
        });
  }

  /** Inserts an element at an index. One with an expiry of 0 is not inserted. */
  void insert(long index, byte[] value, long expiryMillis) {
    store.transact(
        row -> {
          RowRecord left = index <= 0 ? null : row.at(index - 1);
          if (index < 0 || (index > 0 && left == null)) {
            throw new IndexOutOfBoundsException(
                store.space()
                    + " has no place for the index "
                    + index
                    + "; use one from 0 to its size.");
          }
          RowRecord right = left == null ? row.edge(FIRST) : row.next(left, FIRST);
          checkRoom(row, expiryMillis);
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
    if (expiryMillis > 0) {
      new DequeGap(row).insert(left, right, value, expiryMillis);
    }
  }

  private RowRecord at(DequeRow row, long index) {
    RowRecord record = row.at(index);
    if (record == null) {
      throw new IndexOutOfBoundsException(
          store.space()
              + " has no element at the index "
              + index
              + "; use one from 0 to below its size, or -1 for the last and so on.");
    }
    return record;
  }

  /** An element that is expired already takes no room. */
  private void checkRoom(DequeRow row, long expiryMillis) {
    if (expiryMillis > 0 && store.room(row, 1) == 0) {
      throw full();
    }
  }

  /** The exception for an insert into a full deque. */
  IllegalStateException full() {
    return new IllegalStateException(
        store.space()
            + " is full with "
            + store.capacity()
            + " elements; take some out, or use put or an offer with a timeout, which wait.");
  }

  /**
   * Removes the elements before index {@code from} and from index {@code to} on; returns how many.
   */
  long trim(long from, long to) {
    // Fix both positions once, so that elements added later stay.
    List<SortRange> outside =
        store.transact(
            row -> {
              SortRange all = DequeRow.range(row.ends());
              SortRange kept = row.between(from, to);
              byte[] end = kept.to();
              return kept.isEmpty() || end == null
                  ? List.of(all)
                  : List.of(all.to(kept.from(), false), all.from(end, true));
            });
    return removeAll(outside.get(0), FIRST)
        + (outside.size() == 1 ? 0 : removeAll(outside.get(1), LAST));
  }

  private long removeAll(SortRange range, DequeEnd from) {
    long removed = 0;
    Row.Page page;
    do {
      page =
          store.transact(
              row -> {
                Row.Page first = row.page(range, from, TRIM_RECORDS);
                first.records().forEach(row::remove);
                return first;
              });
      removed += page.records().size();
    } while (!page.isLast());
    return removed;
  }
}
