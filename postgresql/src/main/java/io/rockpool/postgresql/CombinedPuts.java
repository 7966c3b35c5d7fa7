package io.rockpool.postgresql;

import io.rockpool.engine.RowRecord;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.engine.Upkeep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts of single entries, by threads of this process that call at the same time. The first ones are
 * statements of their own; those that come while these run are put together by the next statement.
 * So a put costs the server less the more threads put. Nothing waits for more puts to come.
 * Thread-safe.
 */
final class CombinedPuts {
  /** The most statements that run at a time: one commits while the next is executed. */
  private static final int MAX_RUNNING = 2;

  /** The most puts of one statement. */
  private static final int MAX_TOGETHER = 64;

  /** A statement with so much takes no more. */
  private static final int MAX_BYTES = 1 << 20;

  /** A put that has waited so long no longer does: running statements may wait for locks. */
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final AtomicInteger running = new AtomicInteger();
  private final ConcurrentLinkedQueue<Task> waiting = new ConcurrentLinkedQueue<>();
  private final Consumer<RowRecord> putOne;
  private final Consumer<List<RowRecord>> putTogether;

  private enum State {
    WAITING,
    /** Its thread runs the next statement. */
    LEADS,
    /** A statement has it, or will have it. */
    TAKEN,
    /** The statement that had others, too, failed. */
    ALONE,
    DONE
  }

  private static final class Task extends AtomicReference<State> {
    private static final long serialVersionUID = 1;

    private final transient RowRecord record;
    private final transient Thread thread = Thread.currentThread();
    private transient @Nullable Throwable failure;

    Task(RowRecord record) {
      super(State.WAITING);
      this.record = record;
    }

    State state() {
      return Objects.requireNonNull(get());
    }

    void end(State state, @Nullable Throwable reason) {
      failure = reason;
      set(state);
      LockSupport.unpark(thread);
    }
  }

  /**
   * @param putOne puts an entry
   * @param putTogether puts entries, which are sorted and have no duplicates, in one statement, or
   *     fails if others lock one of them for long
   */
  CombinedPuts(Consumer<RowRecord> putOne, Consumer<List<RowRecord>> putTogether) {
    this.putOne = putOne;
    this.putTogether = putTogether;
  }

  /** Puts a record, perhaps together with those of other threads. */
  void put(RowRecord record) {
    if (waiting.isEmpty() && enter()) {
      try {
        putOne.accept(record);
      } finally {
        leave();
      }
      return;
    }
    Task task = new Task(record);
    waiting.add(task);
    if (enter() && !task.compareAndSet(State.WAITING, State.LEADS)) {
      leave();
    }
    State state = await(task);
    if (state == State.LEADS) {
      try {
        putTogether(task);
      } finally {
        leave();
      }
      state = task.state();
    }
    if (state == State.ALONE) {
      putOne.accept(record);
    }
    Upkeep.rethrow(task.failure);
  }

  /** Waits until another thread has put a task, or this one is to do so. */
  private State await(Task task) {
    boolean interrupted = false;
    long endNanos = System.nanoTime() + MAX_WAIT_NANOS;
    State state = task.state();
    while (state == State.WAITING || state == State.TAKEN) {
      long leftNanos = endNanos - System.nanoTime();
      if (state == State.TAKEN) {
        LockSupport.park(this);
      } else if (leftNanos > 0) {
        LockSupport.parkNanos(this, leftNanos);
      } else {
        task.compareAndSet(State.WAITING, State.ALONE);
      }
      interrupted |= Thread.interrupted();
      state = task.state();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return state;
  }

  private boolean enter() {
    int now = running.get();
    while (now < MAX_RUNNING) {
      if (running.compareAndSet(now, now + 1)) {
        return true;
      }
      now = running.get();
    }
    return false;
  }

  /** Lets the put that has waited longest go on. */
  private void leave() {
    do {
      for (Task next = waiting.poll(); next != null; next = waiting.poll()) {
        if (next.compareAndSet(State.WAITING, State.LEADS)) {
          LockSupport.unpark(next.thread);
          return;
        }
      }
      running.decrementAndGet();
    } while (!waiting.isEmpty() && enter());
  }

  private void putTogether(Task leader) {
    List<Task> tasks = new ArrayList<>();
    tasks.add(leader);
    Throwable failure = null;
    try {
      putAll(tasks);
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    boolean isOfAll =
        failure == null
            || tasks.size() == 1
            || failure instanceof OutcomeUnknownException
            || failure instanceof ServerUnavailableException
            || failure instanceof Error;
    for (Task task : tasks) {
      task.end(isOfAll ? State.DONE : State.ALONE, isOfAll ? failure : null);
    }
  }

  /**
   * Adds tasks that wait to the first one, and puts them. Of two puts of a key, which overlap, the
   * last one counts.
   */
  private void putAll(List<Task> tasks) {
    TreeMap<byte[], RowRecord> records = new TreeMap<>(Arrays::compareUnsigned);
    long bytes = 0;
    for (Task next = tasks.get(0); next != null; ) {
      records.put(next.record.hashKey(), next.record);
      bytes += next.record.value().length;
      next = tasks.size() < MAX_TOGETHER && bytes < MAX_BYTES ? takeNext() : null;
      if (next != null) {
        tasks.add(next);
      }
    }
    if (records.size() == 1) {
      putOne.accept(records.firstEntry().getValue());
    } else {
      putTogether.accept(List.copyOf(records.values()));
    }
  }

  private @Nullable Task takeNext() {
    Task next = waiting.poll();
    while (next != null && !next.compareAndSet(State.WAITING, State.TAKEN)) {
      next = waiting.poll();
    }
    return next;
  }
}
