package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Engine;
import io.rockpool.store.Durability;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The durability levels that threads have set with {@link Engine#withDurability}. Every write reads
 * its level here. While no thread has set one, a lookup is one volatile read.
 */
public final class DurabilityScopes {
  private static final AtomicIntegerFieldUpdater<DurabilityScopes> COUNT =
      AtomicIntegerFieldUpdater.newUpdater(DurabilityScopes.class, "openCount");

  private final Map<Thread, Durability> open = new ConcurrentHashMap<>();

  /** The number of levels that are set, or hidden by {@link #outside}. */
  volatile int openCount;

  /** The durability of a write by the calling thread: the level it has set, or else {@code own}. */
  public Durability inForce(Durability own) {
    if (openCount == 0) {
      return own;
    }
    Durability said = open.get(Thread.currentThread());
    return said == null ? own : said;
  }

  /** Runs {@code work} with this level for the calling thread's writes. */
  public <R extends @Nullable Object> R within(Durability level, Supplier<? extends R> work) {
    return run(level, work);
  }

  /** Runs {@code work} without a level, as if {@link #within} had not been called. */
  public <R extends @Nullable Object> R outside(Supplier<? extends R> work) {
    return run(null, work);
  }

  private <R extends @Nullable Object> R run(
      @Nullable Durability level, Supplier<? extends R> work) {
    Durability before = say(level);
    COUNT.incrementAndGet(this);
    try {
      return work.get();
    } finally {
      COUNT.decrementAndGet(this);
      say(before);
    }
  }

  private @Nullable Durability say(@Nullable Durability level) {
    Thread thread = Thread.currentThread();
    return level == null ? open.remove(thread) : open.put(thread, level);
  }
}
