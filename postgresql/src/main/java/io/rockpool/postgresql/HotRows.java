package io.rockpool.postgresql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The queues of contended rows inside this process. A row counts as contended while one of its
 * transactions that met a conflict runs, and for a moment after several have run together. Rows
 * share stripes. Thread-safe.
 */
final class HotRows {
  private static final int STRIPES = 1_024;

  /** The most transactions of one commit: their changes are one statement. */
  private static final int MAX_TOGETHER = 64;

  /** How long a row counts as contended after some of its transactions have run together. */
  private static final long CONTENDED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Stripe[] stripes = new Stripe[STRIPES];

  /** The threads that run transactions on rows which they have locked in the database. */
  private final Set<Thread> locking = ConcurrentHashMap.newKeySet();

  HotRows() {
    Arrays.setAll(stripes, i -> new Stripe());
  }

  Stripe stripe(RowTask<?> task) {
    int hash = task.hash();
    return stripes[(hash ^ hash >>> 16) & (STRIPES - 1)];
  }

  /** Notes that this thread locks a row in the database, until {@link #endLock}. */
  void beginLock() {
    locking.add(Thread.currentThread());
  }

  void endLock() {
    locking.remove(Thread.currentThread());
  }

  /** Whether this thread has locked a row in the database. */
  boolean isLocking() {
    return !locking.isEmpty() && locking.contains(Thread.currentThread());
  }

  /**
   * The tasks of some rows that wait. One thread at a time runs them; when it is done it wakes all
   * of their threads at once. With a lock, each thread would have to be scheduled in its turn.
   */
  static final class Stripe {
    private final AtomicBoolean running = new AtomicBoolean();
    private final ConcurrentLinkedQueue<RowTask<?>> waiting = new ConcurrentLinkedQueue<>();
    private volatile long contendedUntilNanos = System.nanoTime();

    /** Shortly after a conflict, optimistic runs would only fail those that run together. */
    boolean isContended() {
      return running.get() || System.nanoTime() - contendedUntilNanos < 0;
    }

    /**
     * Waits until a task is done.
     *
     * @param runAll runs tasks, the first one of this thread. Those that it does not end wait again
     */
    void await(RowTask<?> task, Consumer<List<RowTask<?>>> runAll) {
      boolean interrupted = false;
      waiting.add(task);
      while (!task.isDone()) {
        if (running.compareAndSet(false, true)) {
          try {
            if (!task.isDone()) {
              List<RowTask<?>> together = take(task);
              if (together.size() > 1) {
                contendedUntilNanos = System.nanoTime() + CONTENDED_NANOS;
              }
              runAll.accept(together);
              together.stream().filter(left -> !left.isDone()).forEach(waiting::add);
            }
          } finally {
            running.set(false);
            RowTask<?> next = waiting.peek();
            if (next != null) {
              next.wake();
            }
          }
        } else {
          LockSupport.park(this);
          interrupted |= Thread.interrupted();
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    /** Removes a task that waits, and others of the same row, to run together in this order. */
    private List<RowTask<?>> take(RowTask<?> first) {
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
