package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.rocksdb.natives.Chore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps that start once a minute, because they read much: for expired spaces, and those of layers
 * that keep their own expiries. They run in turn.
 */
final class SeldomSweeps implements Chore {
  private static final long PERIOD_MILLIS = Duration.ofMinutes(1).toMillis();

  private final InstantSource clock;
  private final List<Supplier<List<BooleanSupplier>>> sweeps = new CopyOnWriteArrayList<>();

  /** The unfinished sweeps, each once. */
  private final Set<BooleanSupplier> left = new LinkedHashSet<>();

  private @Nullable Throwable failure;
  private long lastMillis;

  SeldomSweeps(InstantSource clock) {
    this.clock = clock;
    this.lastMillis = clock.millis();
  }

  void add(Supplier<List<BooleanSupplier>> more) {
    sweeps.add(more);
  }

  @Override
  public void startOver() {
    left.clear();
    failure = null;
  }

  /** {@inheritDoc} The last exception of a sweep is thrown when all are done, or after a minute. */
  @Override
  public boolean step(boolean thorough) {
    boolean begins = isTime() || (thorough && left.isEmpty());
    if (begins) {
      lastMillis = clock.millis();
      sweeps.forEach(this::begin);
    }
    if (begins && !thorough) {
      throwFailure();
    }
    if (!left.isEmpty()) {
      sweepFirst();
    }
    if (left.isEmpty()) {
      throwFailure();
    }
    return !left.isEmpty();
  }

  private void begin(Supplier<List<BooleanSupplier>> layer) {
    try {
      left.addAll(layer.get());
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  private void sweepFirst() {
    BooleanSupplier first = left.iterator().next();
    left.remove(first);
    try {
      if (first.getAsBoolean()) {
        left.add(first);
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  /** Also true after the clock was set back. */
  private boolean isTime() {
    return Math.abs(clock.millis() - lastMillis) >= PERIOD_MILLIS;
  }

  private void throwFailure() {
    Throwable thrown = failure;
    failure = null;
    Upkeep.rethrow(thrown);
  }
}
