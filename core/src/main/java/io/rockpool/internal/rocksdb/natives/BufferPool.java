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

  /** Reusable arrays for a key and a record on their way to or from native code. */
  public static final class Buffers {
    private static final int FIRST_KEY_BYTES = 256;
    private static final int FIRST_RECORD_BYTES = 4 << 10;

    /** The largest arrays that are kept; limits the size of the pool. */
    private static final int MAX_KEPT_KEY_BYTES = 4 << 10;

    private static final int MAX_KEPT_RECORD_BYTES = 256 << 10;

    private byte[] key = new byte[FIRST_KEY_BYTES];
    private byte[] record = new byte[FIRST_RECORD_BYTES];

    /** The last thread that used them; no thread has the id 0. */
    private long threadId;

    /** Records the thread that uses them now; returns whether another thread used them before. */
    boolean passTo(long newThreadId) {
      boolean another = threadId != newThreadId;
      threadId = newThreadId;
      return another;
    }

    /** An array of at least {@code length} bytes, for a key. */
    public byte[] key(int length) {
      if (key.length < length) {
        key = new byte[capacity(length)];
      }
      return key;
    }

    /**
     * An array of at least {@code length} bytes, for a record; its content is lost if it must grow.
     */
    public byte[] record(int length) {
      if (record.length < length) {
        record = new byte[capacity(length)];
      }
      return record;
    }

    /** The array for records at its current size. */
    public byte[] record() {
      return record;
    }

    boolean isWorthKeeping() {
      return key.length <= MAX_KEPT_KEY_BYTES && record.length <= MAX_KEPT_RECORD_BYTES;
    }

    private static int capacity(int length) {
      return length <= MAX_KEPT_RECORD_BYTES ? Integer.highestOneBit(length - 1) << 1 : length;
    }
  }

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
