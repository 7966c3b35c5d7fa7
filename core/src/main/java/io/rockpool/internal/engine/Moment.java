package io.rockpool.internal.engine;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The time of one run of a transaction: reads a clock at its first look, and shows that time from
 * then on. So all that the run reads is as of one moment. Not thread-safe.
 */
public final class Moment implements InstantSource {
  private final InstantSource clock;
  private long millis;
  private boolean known;

  /** A moment by {@code clock}, which is not read yet. */
  public Moment(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public long millis() {
    if (!known) {
      millis = clock.millis();
      known = true;
    }
    return millis;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }
}
