package io.rockpool.structure;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** An iterator that several threads share out: each takes a page of its elements at a time. */
final class SharedWalk<T> {
  /** Enough that threads seldom meet, few enough that none has much more to do than the others. */
  private static final int PAGE = 64;

  private final Iterator<T> walk;

  SharedWalk(Iterator<T> walk) {
    this.walk = walk;
  }

  private synchronized void take(ArrayDeque<T> page) {
    while (page.size() < PAGE && walk.hasNext()) {
      page.add(walk.next());
    }
  }

  /**
   * One of those among whom walks are shared out; for one thread at a time. It begins with the walk
   * at {@code first}, and then helps with what is left of the others.
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
