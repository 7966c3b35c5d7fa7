package io.rockpool.postgresql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queues of contended rows inside this process. A row counts as contended while one of its
 * transactions that met a conflict runs. Rows share stripes. Thread-safe.
 */
final class HotRows {
  private static final int STRIPES = 1_024;

  /** The most transactions of one commit: their changes are one statement. */
  private static final int MAX_TOGETHER = 64;

  private final Stripe[] stripes = new Stripe[STRIPES];

  HotRows() {
    Arrays.setAll(stripes, i -> new Stripe());
  }

  Stripe stripe(RowTask<?> task) {
    int hash = task.hash();
    return stripes[(hash ^ hash >>> 16) & (STRIPES - 1)];
  }

  /** The tasks of some rows that wait, and the lock under which one thread runs them. */
  static final class Stripe {
    // Fair: an unfair lock lets one thread take it again and again, and had a quarter of the speed.
    private final ReentrantLock lock = new ReentrantLock(true);
    private final ConcurrentLinkedQueue<RowTask<?>> waiting = new ConcurrentLinkedQueue<>();

    boolean isContended() {
      return lock.isLocked();
    }

    void add(RowTask<?> task) {
      waiting.add(task);
    }

    void lock() {
      lock.lock();
    }

    void unlock() {
      lock.unlock();
    }

    /** Removes a task that waits, and others of the same row, to run together in this order. */
    List<RowTask<?>> take(RowTask<?> first) {
      List<RowTask<?>> taken = new ArrayList<>();
      taken.add(first);
      Iterator<RowTask<?>> tasks = waiting.iterator();
      while (tasks.hasNext()) {
        RowTask<?> task = tasks.next();
        boolean isFirst = task == first;
        if (isFirst || (taken.size() < MAX_TOGETHER && task.hasRowOf(first))) {
          tasks.remove();
          if (!isFirst) {
            taken.add(task);
          }
        }
      }
      return taken;
    }
  }
}
