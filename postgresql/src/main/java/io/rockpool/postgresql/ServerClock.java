package io.rockpool.postgresql;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The clock of the server, as far as this process knows it: the time that the server gave, plus
 * what has passed here since. A step of this machine's clock does not move it. Thread-safe.
 */
final class ServerClock implements InstantSource {
  private final AtomicReference<Sample> sample;

  /**
   * One answer of the server.
   *
   * @param serverMillis its time
   * @param atNanos when that was, by {@link System#nanoTime}
   * @param errorNanos how far off this may be
   */
  private record Sample(long serverMillis, long atNanos, long errorNanos) {
    long millis(long nanoTime) {
      return serverMillis + TimeUnit.NANOSECONDS.toMillis(nanoTime - atNanos);
    }
  }

  private static final String NOW = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

  /** Asks the server for the time. */
  static ServerClock of(Database database) {
    return ask(database, ServerClock::new);
  }

  /** Asks the server again. */
  void adjust(Database database) {
    ServerClock unused =
        ask(
            database,
            (serverMillis, askedNanos, answeredNanos) -> {
              adjust(serverMillis, askedNanos, answeredNanos);
              return this;
            });
  }

  /** Receives an answer of the server. */
  private interface Answer {
    ServerClock take(long serverMillis, long askedNanos, long answeredNanos);
  }

  private static ServerClock ask(Database database, Answer answer) {
    return database.read(
        connection -> {
          long askedNanos = System.nanoTime();
          long millis = Parameters.number(connection, NOW);
          return answer.take(millis, askedNanos, System.nanoTime());
        });
  }

  ServerClock(long serverMillis, long askedNanos, long answeredNanos) {
    sample = new AtomicReference<>(sample(serverMillis, askedNanos, answeredNanos));
  }

  private static Sample sample(long serverMillis, long askedNanos, long answeredNanos) {
    long half = (answeredNanos - askedNanos) / 2;
    return new Sample(serverMillis, askedNanos + half, half);
  }

  /** Takes another answer; it counts only if it is outside of the error of both. */
  void adjust(long serverMillis, long askedNanos, long answeredNanos) {
    Sample next = sample(serverMillis, askedNanos, answeredNanos);
    Sample last = known();
    long offMillis = Math.abs(last.millis(next.atNanos) - serverMillis);
    long errorNanos = last.errorNanos + next.errorNanos + TimeUnit.MILLISECONDS.toNanos(1);
    if (TimeUnit.MILLISECONDS.toNanos(offMillis) > errorNanos) {
      sample.set(next);
    }
  }

  private Sample known() {
    return Objects.requireNonNull(sample.get());
  }

  @Override
  public long millis() {
    return known().millis(System.nanoTime());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }
}
