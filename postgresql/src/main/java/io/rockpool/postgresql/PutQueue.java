package io.rockpool.postgresql;

import io.rockpool.engine.RowRecord;
import io.rockpool.internal.engine.Upkeep;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts of single records into one space by the threads of this process. A few run at a time. Those
 * that wait meanwhile are sent together, as one statement: the server parses, commits and flushes
 * once for all of them. Without contention each put is sent at once. Thread-safe.
 */
final class PutQueue {
  /** How many statements run at a time. */
  private static final int RUNNING = 2;

  /** The most records of one statement, and about the most bytes. */
  private static final int MAX_TOGETHER = 64;

  private static final long MAX_BYTES = 1L << 20;

  /** After this time a put is sent alone: the statements that run may wait for a lock. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Consumer<List<RowRecord>> putAll;
  private final Semaphore permits = new Semaphore(RUNNING);
  private final Deque<Put> waiting = new ArrayDeque<>();

  /** A put that a thread waits for. */
  private static final class Put {
    private final RowRecord record;
    private final Thread thread = Thread.currentThread();
    private volatile boolean done;
    private @Nullable Throwable failure;

    Put(RowRecord record) {
      this.record = record;
    }

    long bytes() {
      return (long) record.value().length + record.hashKey().length + record.sortKey().length;
    }

    void end(@Nullable Throwable withFailure) {
      failure = withFailure;
      done = true;
      LockSupport.unpark(thread);
    }
  }

  /**
   * Starts empty.
   *
   * @param putAll sends records in one statement, the last one of each key
   */
  PutQueue(Consumer<List<RowRecord>> putAll) {
    this.putAll = putAll;
  }

  /** Returns once the record was put, or throws what its statement threw. */
  void put(RowRecord record) {
    Put put = new Put(record);
    add(put);
    long end = System.nanoTime() + PATIENCE_NANOS;
    boolean interrupted = false;
    while (!put.done) {
      boolean isLate = System.nanoTime() - end > 0;
      if (permits.tryAcquire()) {
        try {
          run(takeWith(put));
        } finally {
          permits.release();
          wakeNext();
        }
      } else if (isLate && remove(put)) {
        run(List.of(put));
      } else if (isLate) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      } else {
        LockSupport.parkNanos(this, PATIENCE_NANOS);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Upkeep.rethrow(put.failure);
  }

  private void run(List<Put> together) {
    if (together.isEmpty()) {
      return;
    }
    Throwable failure = null;
    try {
      putAll.accept(together.stream().map(put -> put.record).toList());
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    for (Put put : together) {
      put.end(failure);
    }
  }

  private synchronized void add(Put put) {
    waiting.add(put);
  }

  private synchronized boolean remove(Put put) {
    return waiting.remove(put);
  }

  /** Removes a put and those that waited longest; none if another thread has taken the put. */
  private synchronized List<Put> takeWith(Put own) {
    List<Put> taken = new ArrayList<>();
    if (!waiting.remove(own)) {
      return taken;
    }
    long bytes = own.bytes();
    Iterator<Put> puts = waiting.iterator();
    while (puts.hasNext() && taken.size() < MAX_TOGETHER - 1 && bytes < MAX_BYTES) {
      Put put = puts.next();
      puts.remove();
      taken.add(put);
      bytes += put.bytes();
    }
    taken.add(own);
    return taken;
  }

  private synchronized void wakeNext() {
    Put next = waiting.peek();
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
  }
}
