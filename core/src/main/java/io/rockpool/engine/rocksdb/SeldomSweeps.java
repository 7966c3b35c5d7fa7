package io.rockpool.engine.rocksdb;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What is done once a minute, because it looks at everything there is: spaces that have expired as
 * a whole, and what the layers above keep expiries of by themselves.
 */
final class SeldomSweeps implements Chore {
  private static final long PERIOD_MILLIS = Duration.ofMinutes(1).toMillis();

  private final InstantSource clock;
  private final List<Runnable> sweeps = new CopyOnWriteArrayList<>();
  private long lastMillis;

  SeldomSweeps(InstantSource clock) {
    this.clock = clock;
    this.lastMillis = clock.millis();
  }

  void add(Runnable sweep) {
    sweeps.add(sweep);
  }

  @Override
  public boolean step(boolean thorough) {
    long nowMillis = clock.millis();
    // A clock that was set back does not keep them from looking.
    if (thorough || Math.abs(nowMillis - lastMillis) >= PERIOD_MILLIS) {
      lastMillis = nowMillis;
      sweeps.forEach(Runnable::run);
    }
    return false;
  }
}
