package io.rockpool.structure;

import java.util.ArrayDeque;
import java.util.Iterator;
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

  /** One of those among whom it is shared out; for one thread at a time. */
  Iterator<T> share() {
    ArrayDeque<T> page = new ArrayDeque<>();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        if (page.isEmpty()) {
          take(page);
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
