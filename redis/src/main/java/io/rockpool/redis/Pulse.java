package io.rockpool.redis;

import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * When the server of one connection was last known to report its changes. Questions are sent at a
 * steady rate, also while earlier ones have no answer, and no thread waits for an answer. A server
 * answers in the order of its reports, so an answer proves that all reports have arrived that are
 * older than its question. One thread uses it; answers may come on another.
 */
final class Pulse {
  /** How often one thread looks at the pulse of all connections. */
  static final Duration PERIOD = Duration.ofMillis(40);

  private static final long ASKING_NANOS = TimeUnit.MILLISECONDS.toNanos(80);

  /** More questions would fill the heap if {@code feed-timeout} is long. */
  private static final int MAX_OPEN = 100;

  private final Object connection;
  private final long limitNanos;
  private final AtomicInteger open = new AtomicInteger();

  /** When the newest question was sent that has an answer. */
  private volatile long heardNanos;

  private long askedNanos;
  private boolean overdue;

  Pulse(Object connection, Duration feedTimeout, long nowNanos) {
    this.connection = connection;
    this.limitNanos = feedTimeout.toNanos() + ASKING_NANOS;
    this.heardNanos = nowNanos;
    this.askedNanos = nowNanos - ASKING_NANOS;
  }

  boolean isOf(Object another) {
    return connection == another;
  }

  /** Asks, if it is time. */
  void ask(long nowNanos, Supplier<CompletionStage<?>> question) {
    if (nowNanos - askedNanos < ASKING_NANOS || open.get() >= MAX_OPEN) {
      return;
    }
    askedNanos = nowNanos;
    open.incrementAndGet();
    CompletionStage<?> unused =
        question.get().whenComplete((answer, failure) -> answered(nowNanos, failure));
  }

  /** A refusal is an answer, too. */
  private void answered(long sentNanos, @Nullable Throwable failure) {
    open.decrementAndGet();
    if (failure == null || failure instanceof RedisCommandExecutionException) {
      heardNanos = sentNanos;
    }
  }

  /**
   * Notes whether an answer is overdue; returns true if the look before has found that, too. A
   * process that was paused has one look's time to read the answers that wait.
   */
  boolean lookForSilence(long nowNanos) {
    boolean again = overdue;
    overdue = nowNanos - heardNanos > limitNanos;
    return overdue && again;
  }
}
