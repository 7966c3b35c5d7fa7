package io.rockpool.internal.rocksdb.natives;

import io.rockpool.engine.Durability;
import io.rockpool.engine.Engine;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which threads have said how durable their writes are to be, see {@link Engine#withDurability};
 * what a handle or a transaction writes asks here. While no thread has said anything, asking is one
 * volatile read.
 */
public final class DurabilityScopes {
  private final Map<Thread, Durability> open = new ConcurrentHashMap<>();
  private final AtomicInteger openCount = new AtomicInteger();

  /** What a write of the calling thread survives that was to survive {@code own}. */
  public Durability inForce(Durability own) {
    if (openCount.get() == 0) {
      return own;
    }
    Durability said = open.get(Thread.currentThread());
    return said == null ? own : said;
  }

  /** Runs {@code work}, whose writes are as durable as is said here, and nowhere else. */
  public <R extends @Nullable Object> R within(Durability level, Supplier<? extends R> work) {
    return run(level, work);
  }

  /** Runs {@code work} whose writes are as durable as they are by themselves, whatever was said. */
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
