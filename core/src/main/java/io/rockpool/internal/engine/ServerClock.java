package io.rockpool.internal.engine;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a server, as far as this process knows it: the time of an answer, plus what has
 * passed here since. A step of this machine's clock does not move it. Thread-safe.
 *
 * <p>A correction of a few milliseconds does not set it back: it stands still until the server's
 * clock has come as far. A greater one does.
 */
public final class ServerClock implements InstantSource {
  /** How many answers are enough if all of them are slow. */
  public static final int ANSWERS = 3;

  /** A time with a greater error is asked for again. */
  private static final long PRECISE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Two clocks drift apart by at most this part of the time that passes: 100 ppm. */
  private static final long DRIFT = 10_000;

  private final InstantSource before;
  private final LongSupplier nanoTime;
  private volatile @Nullable Sample known;

  /**
   * One answer of the server.
   *
   * @param aheadNanos how far its clock, since 1970, is ahead of {@link System#nanoTime}
   * @param atNanos when that was, by {@link System#nanoTime}
   * @param errorNanos how far off this may be
   * @param leastMillis the clock does not show less
   */
  private record Sample(long aheadNanos, long atNanos, long errorNanos, long leastMillis) {
    long millis(long nanoTime) {
      return Math.max(leastMillis, TimeUnit.NANOSECONDS.toMillis(nanoTime + aheadNanos));
    }

    long errorNanos(long nanoTime) {
      return errorNanos + Math.abs(nanoTime - atNanos) / DRIFT;
    }
  }

  /**
   * A clock without an answer.
   *
   * @param before the clock before the first answer
   */
  public ServerClock(InstantSource before) {
    this(before, System::nanoTime);
  }

  ServerClock(InstantSource before, LongSupplier nanoTime) {
    this.before = before;
    this.nanoTime = nanoTime;
  }

  /**
   * Takes an answer of the server. It counts if it is more precise than what is known, or if both
   * cannot be right.
   *
   * @param serverMicros its time, in microseconds since 1970
   * @param askedNanos when it was asked, by {@link System#nanoTime}
   * @param answeredNanos when the answer was here
   */
  public synchronized void adjust(long serverMicros, long askedNanos, long answeredNanos) {
    long errorNanos = (answeredNanos - askedNanos) / 2;
    long atNanos = askedNanos + errorNanos;
    long aheadNanos = TimeUnit.MICROSECONDS.toNanos(serverMicros) - atNanos;
    long leastMillis = Long.MIN_VALUE;
    Sample last = known;
    if (last != null) {
      long lastErrorNanos = last.errorNanos(atNanos);
      long backNanos = last.aheadNanos - aheadNanos;
      if (errorNanos >= lastErrorNanos && Math.abs(backNanos) <= errorNanos + lastErrorNanos) {
        return;
      }
      if (backNanos <= PRECISE_NANOS) {
        leastMillis = last.millis(nanoTime.getAsLong());
      }
    }
    known = new Sample(aheadNanos, atNanos, errorNanos, leastMillis);
  }

  /** Begins with what another clock knows, unless this one has had an answer. */
  public synchronized void beginAs(ServerClock other) {
    if (known == null) {
      known = other.known;
    }
  }

  /** Whether its error is small, so that it is enough to ask the server now and then. */
  public boolean isPrecise() {
    Sample last = known;
    return last != null && last.errorNanos(nanoTime.getAsLong()) <= PRECISE_NANOS;
  }

  @Override
  public long millis() {
    Sample last = known;
    return last == null ? before.millis() : last.millis(nanoTime.getAsLong());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }
}
