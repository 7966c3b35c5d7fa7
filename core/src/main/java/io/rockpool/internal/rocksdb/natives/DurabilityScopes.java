package io.rockpool.internal.rocksdb.natives;

import io.rockpool.engine.Engine;
import io.rockpool.store.Durability;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The durability levels that threads have set with {@link Engine#withDurability}. Every write reads
 * its level here. While no thread has set one, a lookup is one volatile read.
 */
public final class DurabilityScopes {
  private final Map<Thread, Durability> open = new ConcurrentHashMap<>();
  private final AtomicInteger openCount = new AtomicInteger();

  /** The durability of a write by the calling thread: the level it has set, or else {@code own}. */
  public Durability inForce(Durability own) {
    if (openCount.get() == 0) {
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
    openCount.incrementAndGet();
    try {
      return work.get();
    } finally {
      openCount.decrementAndGet();
      say(before);
    }
  }

  private @Nullable Durability say(@Nullable Durability level) {
    Thread thread = Thread.currentThread();
    return level == null ? open.remove(thread) : open.put(thread, level);
  }
}
