package io.rockpool.postgresql;

import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.engine.Upkeep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one kind, by threads of this process that call at the same time. The first ones are
 * statements of their own; those that come while these run are made together by the next statement.
 * So a call costs the server less the more threads call. Nothing waits for more calls to come.
 * Thread-safe.
 *
 * @param <T> what a call is about
 * @param <R> its result
 */
@NullUnmarked // R may allow null
final class CombinedCalls<T, R extends @Nullable Object> {
  /** How many statements run at a time: one is answered while the next is executed. */
  private static final int FEWEST_RUNNING = 2;

  /** More are more than most pools have connections. */
  private static final int MOST_RUNNING = 16;

  /** The most bytes of one statement, but for the last call. */
  private static final int MAX_BYTES = 1 << 20;

  /** A call that has waited so long no longer does: running statements may wait for locks. */
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final AtomicInteger running = new AtomicInteger();
  private final ConcurrentLinkedQueue<Task<T, R>> waiting = new ConcurrentLinkedQueue<>();
  private final Function<T, R> one;
  private final Function<List<T>, List<R>> together;
  private final Rules<T> rules;

  /**
   * How long the shortest statements take: the way to the server and back, but not what a busy
   * server adds. A lost update is harmless.
   */
  private volatile long takesNanos;

  /**
   * What is made together.
   *
   * @param most the most calls of a statement
   * @param bytes what a call adds to a statement
   * @param nanosForEach as many statements may run as take this long in turn; a server far away
   *     gets more at a time. {@link Long#MAX_VALUE} for two
   */
  record Rules<T>(int most, ToIntFunction<T> bytes, long nanosForEach) {}

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

  private static final class Task<T, R> extends AtomicReference<State> {
    private static final long serialVersionUID = 1;

    private final transient T call;
    private final transient Thread thread = Thread.currentThread();
    private transient R result;
    private transient @Nullable Throwable failure;

    Task(T call) {
      super(State.WAITING);
      this.call = call;
    }

    State state() {
      return Objects.requireNonNull(get());
    }

    void end(State state) {
      set(state);
      LockSupport.unpark(thread);
    }
  }

  /**
   * @param one makes a call
   * @param together makes calls in one statement, and returns their results in order; or fails, if
   *     others lock something for long
   */
  CombinedCalls(Function<T, R> one, Function<List<T>, List<R>> together, Rules<T> rules) {
    this.one = one;
    this.together = together;
    this.rules = rules;
  }

  /** Makes a call, perhaps together with those of other threads. */
  R call(T call) {
    if (waiting.isEmpty() && enter()) {
      long start = System.nanoTime();
      try {
        return one.apply(call);
      } finally {
        leave(start);
      }
    }
    Task<T, R> task = new Task<>(call);
    waiting.add(task);
    if (enter() && !task.compareAndSet(State.WAITING, State.LEADS)) {
      pass();
    }
    State state = await(task);
    if (state == State.LEADS) {
      long start = System.nanoTime();
      try {
        lead(task);
      } finally {
        leave(start);
      }
      state = task.state();
    }
    if (state == State.ALONE) {
      return one.apply(call);
    }
    Upkeep.rethrow(task.failure);
    return task.result;
  }

  /** Waits until another thread has made a call, or this one is to do so. */
  private State await(Task<T, R> task) {
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

  private long mostRunning() {
    return Math.min(MOST_RUNNING, Math.max(FEWEST_RUNNING, takesNanos / rules.nanosForEach));
  }

  private boolean enter() {
    int now = running.get();
    while (now < mostRunning()) {
      if (running.compareAndSet(now, now + 1)) {
        return true;
      }
      now = running.get();
    }
    return false;
  }

  private void leave(long startNanos) {
    long took = System.nanoTime() - startNanos;
    takesNanos = Math.min(took, takesNanos + takesNanos / 64 + 1);
    pass();
  }

  /** Lets the call that has waited longest go on, unless enough others run. */
  private void pass() {
    do {
      Task<T, R> next = running.get() > mostRunning() ? null : waiting.poll();
      for (; next != null; next = waiting.poll()) {
        if (next.compareAndSet(State.WAITING, State.LEADS)) {
          LockSupport.unpark(next.thread);
          return;
        }
      }
      running.decrementAndGet();
    } while (!waiting.isEmpty() && enter());
  }

  /** Makes the call of this thread with those that wait. */
  private void lead(Task<T, R> leader) {
    List<Task<T, R>> tasks = new ArrayList<>();
    long bytes = 0;
    for (Task<T, R> next = leader; next != null; ) {
      tasks.add(next);
      bytes += rules.bytes.applyAsInt(next.call);
      next = tasks.size() < rules.most && bytes < MAX_BYTES ? takeNext() : null;
    }
    State state = State.DONE;
    try {
      List<R> results =
          tasks.size() == 1
              ? Collections.singletonList(one.apply(leader.call))
              : together.apply(tasks.stream().map(task -> task.call).toList());
      for (int i = 0; i < tasks.size(); i++) {
        tasks.get(i).result = results.get(i);
      }
    } catch (RuntimeException | Error e) {
      if (tasks.size() == 1 || isOfAll(e)) {
        tasks.forEach(task -> task.failure = e);
      } else {
        state = State.ALONE;
      }
    }
    for (Task<T, R> task : tasks) {
      task.end(state);
    }
  }

  private @Nullable Task<T, R> takeNext() {
    Task<T, R> next = waiting.poll();
    while (next != null && !next.compareAndSet(State.WAITING, State.TAKEN)) {
      next = waiting.poll();
    }
    return next;
  }

  /** An interrupted thread gets no connection, and one of the calls may meet a lock. */
  private static boolean isOfAll(Throwable failure) {
    return failure instanceof OutcomeUnknownException
        || failure instanceof Error
        || (failure instanceof ServerUnavailableException
            && !SqlErrors.isOfThisThread(failure)
            && !SqlErrors.isOfLock(failure));
  }
}
