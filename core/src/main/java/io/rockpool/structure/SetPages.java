package io.rockpool.structure;

import io.rockpool.engine.Limits;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Walks a set lazily in pages, and looks up the elements of a page in other sets. */
final class SetPages {
  /** The most elements of a page. */
  static final int PAGE = Limits.MAX_PAGE_RECORDS;

  /** The elements of the first page: many streams are read up to a limit. */
  private static final int FIRST_PAGE = 16;

  private SetPages() {}

  /** The elements of a set in pages, each larger than the one before. */
  static <E> Stream<List<E>> of(Set<E> set) {
    return StreamSupport.stream(new Pages<>(set), false);
  }

  /** The elements of a set that all of the others contain. */
  static <E> Stream<E> inAll(Set<E> set, List<? extends Set<?>> others) {
    return of(set).flatMap(page -> kept(page, others, true).stream());
  }

  /** The elements of a set that none of the others contains. */
  static <E> Stream<E> inNone(Set<E> set, List<? extends Set<?>> others) {
    return of(set).flatMap(page -> kept(page, others, false).stream());
  }

  private static <E> List<E> kept(List<E> page, List<? extends Set<?>> others, boolean present) {
    List<E> kept = page;
    for (Set<?> other : others) {
      List<E> asked = kept;
      BitSet found = LiveSet.contained(other, asked);
      kept =
          IntStream.range(0, asked.size())
              .filter(i -> found.get(i) == present)
              .mapToObj(asked::get)
              .toList();
    }
    return kept;
  }

  private static final class Pages<E> extends AbstractSpliterator<List<E>> {
    private final Set<E> set;
    private @Nullable Iterator<E> elements;
    private int limit = FIRST_PAGE;

    Pages(Set<E> set) {
      super(Long.MAX_VALUE, Spliterator.ORDERED);
      this.set = set;
    }

    @Override
    public boolean tryAdvance(Consumer<? super List<E>> action) {
      Iterator<E> left = elements == null ? set.iterator() : elements;
      elements = left;
      List<E> page = new ArrayList<>();
      while (page.size() < limit && left.hasNext()) {
        page.add(left.next());
      }
      limit = Math.min(PAGE, 2 * limit);
      if (page.isEmpty()) {
        return false;
      }
      action.accept(page);
      return true;
    }
  }
}
