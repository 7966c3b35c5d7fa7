package io.rockpool.internal.encryption;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the writes that have begun and not ended, so that a thread can wait for those that began
 * before some moment. A write adds to two counters. Thread-safe.
 */
final class WritesInFlight {
  private final LongAdder[] begun = {new LongAdder(), new LongAdder()};
  private final LongAdder[] ended = {new LongAdder(), new LongAdder()};
  private volatile int phase;

  /** Begins a write; the result must be passed to {@link #end}. */
  int begin() {
    while (true) {
      int now = phase;
      begun[now].increment();
      if (phase == now) {
        return now;
      }
      ended[now].increment();
    }
  }

  void end(int begunIn) {
    ended[begunIn].increment();
  }

  /**
   * Starts another phase; for one thread at a time, after {@link #hasEnded} was true for the phase
   * before the present one.
   *
   * @return the phase that is over
   */
  int change() {
    int now = phase;
    phase = 1 - now;
    return now;
  }

  /** Whether all writes of a phase that is over have ended. */
  boolean hasEnded(int over) {
    long ends = ended[over].sum(); // first: a write between the two sums is not missed
    return ends == begun[over].sum();
  }
}
