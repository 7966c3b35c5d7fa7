package io.rockpool.postgresql;

import io.rockpool.internal.engine.ServerClock;

/** Asks the server for its time. */
final class ServerTime {
  private static final String NOW =
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

  private ServerTime() {}

  /** Asks once, and again up to {@code times} in all until the clock is precise. */
  static void ask(PostgresDatabase database, ServerClock clock, int times) {
    int unused =
        database.read(
            connection -> {
              int asked = 0;
              do {
                long askedNanos = System.nanoTime();
                long micros = Parameters.number(connection, NOW);
                clock.adjust(micros, askedNanos, System.nanoTime());
                asked++;
              } while (asked < times && !clock.isPrecise());
              return asked;
            });
  }
}
