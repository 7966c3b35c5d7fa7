package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Visits records with the calling thread and threads of the common pool. The calling thread does
 * everything that no other thread has begun, so it never waits for a free thread of the pool. When
 * {@link #run} returns or throws, no other thread visits a record any longer.
 */
final class SharedScan {
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private SharedScan() {}

  /** The number of threads of a parallel scan. */
  static int threads() {
    return ForkJoinPool.getCommonPoolParallelism() + 1;
  }

  /** One thread's part. Either a thread of the pool begins it, or the calling thread cancels it. */
  private final class Part implements Runnable {
    private final Iterator<RowRecord> records;
    private final Predicate<RowRecord> visitor;
    private final Thread caller;
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean ended;

    Part(Iterator<RowRecord> records, Predicate<RowRecord> visitor, Thread caller) {
      this.records = records;
      this.visitor = visitor;
      this.caller = caller;
    }

    @Override
    public void run() {
      if (begun.compareAndSet(false, true)) {
        try {
          visit(records, visitor);
        } finally {
          ended = true;
          LockSupport.unpark(caller);
        }
      }
    }

    void awaitEnd() {
      boolean interrupted = false;
      while (!begun.compareAndSet(false, true) && !ended) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Visits all records until a visitor returns false.
   *
   * @param shares an iterator for each thread; see {@link SharedWalk#share}
   * @param visitors a visitor for each of them
   */
  static void run(List<Iterator<RowRecord>> shares, List<? extends Predicate<RowRecord>> visitors) {
    SharedScan scan = new SharedScan();
    List<Part> parts =
        IntStream.range(1, shares.size())
            .mapToObj(i -> scan.new Part(shares.get(i), visitors.get(i), Thread.currentThread()))
            .toList();
    parts.forEach(ForkJoinPool.commonPool()::execute);
    scan.visit(shares.get(0), visitors.get(0));
    parts.forEach(Part::awaitEnd);
    scan.rethrow();
  }

  private void visit(Iterator<RowRecord> records, Predicate<RowRecord> visitor) {
    try {
      while (!stopped.get() && records.hasNext()) {
        if (!visitor.test(records.next())) {
          stopped.set(true);
        }
      }
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      stopped.set(true);
    }
  }

  private void rethrow() {
    Throwable thrown = failure.get();
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
  }
}
