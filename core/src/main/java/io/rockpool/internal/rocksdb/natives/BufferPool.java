package io.rockpool.internal.rocksdb.natives;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Buffers to take for one operation and to give back. A fixed number of places, found by thread,
 * each its own cache line; who finds a place empty makes new buffers, who finds it full on the way
 * back drops his. So however many threads come, virtual ones included, no more is kept than there
 * are places. An operation costs one swap and one write.
 *
 * <p>Nearly always a thread takes what it gave, so this is also where a thread new to the store
 * shows for free.
 */
public final class BufferPool {
  private static final int PLACES = 32;
  private static final int STRIDE = 16;

  private final AtomicReferenceArray<@Nullable Buffers> places =
      new AtomicReferenceArray<>(PLACES * STRIDE);

  private final Runnable newcomer;

  /**
   * A pool that runs {@code newcomer} on each thread before its first operation, and again whenever
   * another was at its place.
   */
  public BufferPool(Runnable newcomer) {
    this.newcomer = newcomer;
  }

  public Buffers take() {
    Buffers buffers = places.getAndSet(place(), null);
    if (buffers == null) {
      buffers = new Buffers();
    }
    if (buffers.passTo(Thread.currentThread().getId())) {
      newcomer.run();
    }
    return buffers;
  }

  public void give(Buffers buffers) {
    if (buffers.isWorthKeeping()) {
      places.setRelease(place(), buffers);
    }
  }

  private static int place() {
    return Stripes.ofCurrentThread(PLACES) * STRIDE;
  }
}
