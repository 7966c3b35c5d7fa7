package io.rockpool.jcache;

import java.io.Closeable;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;

/** A policy of an application's own: eternal, and counting how often it is closed. */
record OwnPolicy(AtomicInteger closed) implements ExpiryPolicy, Closeable {
  OwnPolicy() {
    this(new AtomicInteger());
  }

  @Override
  public Duration getExpiryForCreation() {
    return Duration.ETERNAL;
  }

  @Override
  public Duration getExpiryForAccess() {
    return null;
  }

  @Override
  public Duration getExpiryForUpdate() {
    return null;
  }

  @Override
  public void close() {
    closed.incrementAndGet();
  }
}
