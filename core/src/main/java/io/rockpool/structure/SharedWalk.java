package io.rockpool.structure;

import io.rockpool.engine.RecordKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** An iterator that several threads share: each takes one page of elements at a time. */
final class SharedWalk<T> {
  /**
   * Large enough that threads seldom contend, small enough that they finish at about the same time.
   */
  private static final int PAGE = 64;

  private final Iterator<T> walk;

  SharedWalk(Iterator<T> walk) {
    this.walk = walk;
  }

  /**
   * Shared walks over the parts of a space.
   *
   * @param splits the keys that divide the parts; see {@link io.rockpool.engine.SpaceView#splits}
   * @param walker walks over the records after the first key, or from the start, up to the second,
   *     or to the end
   */
  static <T> List<SharedWalk<T>> overParts(List<RecordKey> splits, Walker<T> walker) {
    List<SharedWalk<T>> parts = new ArrayList<>();
    RecordKey from = null;
    for (RecordKey split : splits) {
      parts.add(new SharedWalk<>(walker.walk(from, split)));
      from = split;
    }
    parts.add(new SharedWalk<>(walker.walk(from, null)));
    return parts;
  }

  /** Walks over a part of a space. */
  interface Walker<T> {
    Iterator<T> walk(@Nullable RecordKey after, @Nullable RecordKey upTo);
  }

  private synchronized void take(ArrayDeque<T> page) {
    while (page.size() < PAGE && walk.hasNext()) {
      page.add(walk.next());
    }
  }

  /**
   * An iterator over several shared walks, for one thread. It starts with the walk at {@code
   * first}, then continues with the rest of the others.
   */
  static <T> Iterator<T> share(List<SharedWalk<T>> walks, int first) {
    ArrayDeque<T> page = new ArrayDeque<>();
    return new Iterator<>() {
      private int ended;

      @Override
      public boolean hasNext() {
        while (page.isEmpty() && ended < walks.size()) {
          walks.get((first + ended) % walks.size()).take(page);
          ended += page.isEmpty() ? 1 : 0;
        }
        return !page.isEmpty();
      }

      @Override
      public T next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return page.remove();
      }
    };
  }
}
