package io.rockpool.postgresql;

import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.LayerSweeps;
import io.rockpool.internal.engine.ServerClock;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Gives space back: on a thread of the background, and when it is asked for. */
final class Reclaiming implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** The owner of the store may not have opened what only its users can sweep: every 5 minutes. */
  private static final int PASSES_OF_OTHERS = 60;

  /** How often an imprecise clock is adjusted before the first pass, after longer and longer. */
  private static final int SOON = 4;

  private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Database database;
  private final InstantSource clock;
  private final Sweeper sweeper;
  private final LayerSweeps layers = new LayerSweeps();
  private final AtomicReference<Reclaimed> total = new AtomicReference<>(Reclaimed.NOTHING);
  private final BackgroundThread thread;
  private int passes;

  /** Starts the thread. */
  Reclaiming(Database database, InstantSource clock, Upkeep upkeep) {
    this.database = database;
    this.clock = clock;
    sweeper = new Sweeper(database);
    thread =
        new BackgroundThread("rockpool-postgresql-sweeper", PERIOD, this::pass, upkeep).start();
    if (clock instanceof ServerClock server && !server.isPrecise()) {
      boolean unused = thread.execute(() -> adjustSoon(server));
    }
  }

  private void adjustSoon(ServerClock server) {
    for (int i = 0; i < SOON && !server.isPrecise() && thread.rest(SOON_NANOS << i); i++) {
      ServerTime.ask(database, server, 1);
    }
  }

  private void pass() {
    if (clock instanceof ServerClock server) {
      ServerTime.ask(database, server, 1);
    }
    boolean isOwner = sweeper.own();
    if (isOwner) {
      sweeper.analyzeGrown();
      sweep();
      sweeper.pruneChanges();
    }
    if (isOwner || passes++ % PASSES_OF_OTHERS == 0) {
      sweepLayers();
    }
  }

  /** Sweeps the records that nobody sees any longer. */
  void sweep() {
    total.accumulateAndGet(sweeper.sweep(clock.millis()), Reclaimed::plus);
  }

  /** Runs the sweeps of the layers above the engine. */
  void sweepLayers() {
    layers.run();
  }

  /** Adds the sweeps of a layer. */
  void add(Supplier<List<BooleanSupplier>> sweeps) {
    layers.add(sweeps);
  }

  /** What was given back since the store was opened here. */
  Reclaimed total() {
    return Objects.requireNonNull(total.get());
  }

  /** What waits. Bytes are unknown and reported as 0. */
  ReclaimState state() {
    return new ReclaimState(
        sweeper.pendingClears(), 0, 0, sweeper.overdueMillis(clock.millis()), total());
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
