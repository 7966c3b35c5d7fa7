package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.concurrent.Stripes;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A pool of buffers for single operations. It has a fixed number of slots, chosen by thread, each
 * on its own cache line. A thread that finds its slot empty creates new buffers; buffers returned
 * to a full slot replace the ones there. So the pool never keeps more buffers than slots, whatever
 * the number of threads, virtual ones included. An operation costs one swap and one write.
 *
 * <p>A thread nearly always takes the buffers that it returned, so the pool also detects threads
 * new to the store at no cost.
 */
public final class BufferPool {
  private static final int PLACES = 32;
  private static final int STRIDE = 16;

  private final AtomicReferenceArray<@Nullable Buffers> places =
      new AtomicReferenceArray<>(PLACES * STRIDE);

  private final Runnable newcomer;

  /**
   * Creates a pool that runs {@code newcomer} on each thread before its first operation, and again
   * whenever another thread has used its buffers.
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
