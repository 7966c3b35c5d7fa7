package io.rockpool.engine.rocksdb;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Buffers to take for one operation and to give back. A fixed number of places, found by thread,
 * each its own cache line; who finds a place empty makes new buffers, who finds it full on the way
 * back drops his. So however many threads come, virtual ones included, no more is kept than there
 * are places. An operation costs one swap and one write.
 */
final class BufferPool {
  private static final int PLACES = 32;
  private static final int STRIDE = 16;

  private final AtomicReferenceArray<@Nullable Buffers> places =
      new AtomicReferenceArray<>(PLACES * STRIDE);

  Buffers take() {
    Buffers buffers = places.getAndSet(place(), null);
    return buffers == null ? new Buffers() : buffers;
  }

  void give(Buffers buffers) {
    if (buffers.isWorthKeeping()) {
      places.setRelease(place(), buffers);
    }
  }

  private static int place() {
    return Stripes.ofCurrentThread(PLACES) * STRIDE;
  }
}
