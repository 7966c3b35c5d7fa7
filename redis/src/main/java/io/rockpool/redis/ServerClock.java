package io.rockpool.redis;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** The clock of the server, by which its keys expire. */
final class ServerClock implements InstantSource {
  private final InstantSource here = InstantSource.system();
  private final LongSupplier offsetMillis;

  /** {@code offsetMillis} is how far the server's clock is ahead of this machine's. */
  ServerClock(LongSupplier offsetMillis) {
    this.offsetMillis = offsetMillis;
  }

  @Override
  public Instant instant() {
    return here.instant().plusMillis(offsetMillis.getAsLong());
  }

  @Override
  public long millis() {
    return here.millis() + offsetMillis.getAsLong();
  }
}
