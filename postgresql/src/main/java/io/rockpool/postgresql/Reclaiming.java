package io.rockpool.postgresql;

import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.LayerSweeps;
import io.rockpool.internal.engine.ServerClock;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives space back: on a thread of the background, and when it is asked for. The thread also
 * measures the store, so that no reader of a measurement waits for the server.
 */
final class Reclaiming implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** The owner of the store may not have opened what only its users can sweep: every 5 minutes. */
  private static final int PASSES_OF_OTHERS = 60;

  /** How often an imprecise clock is adjusted before the first pass, after longer and longer. */
  private static final int SOON = 4;

  private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** How long the server may take to answer a statement that reads nothing. */
  private static final int SILENT_MILLIS = 2_000;

  private final PostgresDatabase database;
  private final InstantSource clock;
  private final Sweeper sweeper;
  private final LayerSweeps layers = new LayerSweeps();
  private final AtomicReference<Reclaimed> total = new AtomicReference<>(Reclaimed.NOTHING);
  private final BackgroundThread thread;
  private int passes;
  private volatile boolean answers = true;

  /** What a write met when the last one was tried; null if it was made. */
  private volatile @Nullable RockpoolException refusal;

  /** The last measurement; null before the first. */
  private volatile @Nullable Measured measured;

  /** What is known of the store. */
  private record Measured(long pendingClears, long overdueMillis, long diskBytes) {}

  /** Starts the thread. */
  Reclaiming(PostgresDatabase database, InstantSource clock, Upkeep upkeep) {
    this.database = database;
    this.clock = clock;
    sweeper = new Sweeper(database);
    thread =
        new BackgroundThread("rockpool-postgresql-sweeper", PERIOD, this::pass, upkeep).start();
    boolean unused = thread.execute(this::measureAgain);
    if (clock instanceof ServerClock server && !server.isPrecise()) {
      unused = thread.execute(() -> adjustSoon(server));
    }
  }

  private void adjustSoon(ServerClock server) {
    for (int i = 0; i < SOON && !server.isPrecise() && thread.rest(SOON_NANOS << i); i++) {
      ServerTime.ask(database, server, 1);
    }
  }

  private void pass() {
    ask();
    probe();
    if (clock instanceof ServerClock server) {
      ServerTime.ask(database, server, 1);
    }
    runAll(this::sweepOwned, this::measureAgain);
  }

  private void sweepOwned() {
    boolean isOwner = sweeper.own();
    if (isOwner) {
      runAll(
          sweeper::analyzeGrown,
          this::sweepRecords,
          this::sweepEntries,
          this::sweepDead,
          sweeper::pruneChanges,
          this::sweepLayers);
    } else if (passes++ % PASSES_OF_OTHERS == 0) {
      sweepLayers();
    }
  }

  /**
   * Runs each part, also after one that found a table locked; then throws the last exception. While
   * the server is away, each part would wait for a connection, so the first one ends it.
   */
  private static void runAll(Runnable... parts) {
    RuntimeException failure = null;
    for (Runnable part : parts) {
      try {
        part.run();
      } catch (RuntimeException e) {
        failure = e;
        if (e instanceof ServerUnavailableException && !SqlErrors.isOfLock(e)) {
          break;
        }
      }
    }
    Upkeep.rethrow(failure);
  }

  /** Finds out whether the server answers. */
  private void ask() {
    boolean answered = false;
    try {
      long unused = limited(connection -> Parameters.number(connection, "SELECT 1"));
      answered = true;
    } finally {
      answers = answered;
    }
  }

  /** Tries a write that leaves nothing: it takes a number of a sequence. */
  private void probe() {
    try {
      String sql = database.sql("SELECT nextval('$.ids')");
      long unused = limited(connection -> Parameters.number(connection, sql));
      refusal = null;
    } catch (RockpoolException e) {
      refusal = e;
    }
  }

  /** Throws what the last write met that was tried: about every five seconds. Never waits. */
  void throwRefusal() {
    RockpoolException known = refusal;
    if (known != null) {
      throw known;
    }
  }

  private void measureAgain() {
    Measured unused = measure();
  }

  /** Measures the store. A session that waits for a lock would stay after its client has gone. */
  private Measured measure() {
    Measured now =
        limited(
            on ->
                PostgresDatabase.inTransaction(
                    on,
                    connection -> {
                      String unused = Parameters.text(connection, ServerDialect.WAIT_SHORTLY);
                      return new Measured(
                          sweeper.pendingClears(connection),
                          sweeper.overdueMillis(connection, clock.millis()),
                          sweeper.diskBytes(connection));
                    }));
    measured = now;
    return now;
  }

  /** Limited in time: a server that hangs ends no connection. */
  private <R> R limited(SqlWork<R> work) {
    try (Connection connection = database.connect()) {
      int timeout = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, SILENT_MILLIS);
      try {
        return work.run(connection);
      } finally {
        if (!connection.isClosed()) {
          connection.setNetworkTimeout(Runnable::run, timeout);
        }
      }
    } catch (SQLException e) {
      throw PostgresDatabase.failure("Measuring the store", e);
    }
  }

  /** The last measurement; the server is asked only if there is none yet. */
  private Measured measured() {
    Measured known = measured;
    return known == null ? measure() : known;
  }

  /** Whether the server answered the last time it was asked: about every five seconds. */
  boolean answers() {
    return answers;
  }

  /** Sweeps the records that no reader sees any longer. */
  void sweep() {
    runAll(this::sweepRecords, this::sweepEntries, this::sweepDead, this::measureAgain);
  }

  private void sweepRecords() {
    addTotal(new Reclaimed(0, 0, sweeper.sweepRecords(clock.millis())));
  }

  private void sweepEntries() {
    addTotal(new Reclaimed(0, 0, sweeper.sweepEntries(clock.millis())));
  }

  private void sweepDead() {
    addTotal(new Reclaimed(sweeper.sweepDead(), 0, 0));
  }

  private void addTotal(Reclaimed swept) {
    Reclaimed unused = total.accumulateAndGet(swept, Reclaimed::plus);
  }

  /** Runs the sweeps of the layers above the engine. */
  void sweepLayers() {
    layers.run();
  }

  /** Adds the sweeps of a layer. */
  void add(Supplier<List<BooleanSupplier>> sweeps) {
    layers.add(sweeps);
  }

  /** What was reclaimed since the store was opened here. */
  Reclaimed total() {
    return Objects.requireNonNull(total.get());
  }

  /** What waited when it was last measured. Bytes are unknown and reported as 0. */
  ReclaimState state() {
    Measured known = measured();
    return new ReclaimState(known.pendingClears, 0, 0, known.overdueMillis, total());
  }

  /** About how many bytes the tables and indexes used when they were last measured. */
  long diskBytes() {
    return measured().diskBytes;
  }

  Sweeper sweeper() {
    return sweeper;
  }

  /** Ends the thread. */
  @Override
  public void close() {
    thread.close();
  }
}
