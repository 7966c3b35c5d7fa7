package io.rockpool.internal.engine;

import io.rockpool.engine.Engine;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The threads whose reads must not be answered from memory. Costs other reads next to nothing. */
public final class LatestReads {
  private static final ConcurrentHashMap<Thread, LatestReads> READING = new ConcurrentHashMap<>();

  /** At least their number, so that other threads need no look-up. */
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Engine engine;
  private final @Nullable LatestReads outer;

  private LatestReads(Engine engine, @Nullable LatestReads outer) {
    this.engine = engine;
    this.outer = outer;
  }

  /** Runs reads of the calling thread that ask the engine. */
  public static <R extends @Nullable Object> R with(Engine engine, Supplier<? extends R> reads) {
    Thread thread = Thread.currentThread();
    LatestReads outer = READING.get(thread);
    COUNT.incrementAndGet();
    READING.put(thread, new LatestReads(engine, outer));
    try {
      return reads.get();
    } finally {
      if (outer == null) {
        READING.remove(thread);
      } else {
        READING.put(thread, outer);
      }
      COUNT.decrementAndGet();
    }
  }

  /** Whether the reads of the calling thread must ask the engine. */
  public static boolean isOn(Engine engine) {
    if (COUNT.get() > 0) {
      for (LatestReads it = READING.get(Thread.currentThread()); it != null; it = it.outer) {
        if (it.engine == engine) {
          return true;
        }
      }
    }
    return false;
  }
}
