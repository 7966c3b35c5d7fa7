package io.rockpool.internal.rocksdb.natives;

import java.util.concurrent.TimeUnit;

/** Whether the search for a first record was long a short time ago. */
public final class LongSearch {
  /** After this time it is tried again: a compaction may have made it short. */
  private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** When it was last long; 0 for never. */
  private volatile long nanos;

  /** Records that it was long now. */
  public void note() {
    nanos = System.nanoTime() | 1;
  }

  public boolean isRecent() {
    long last = nanos;
    return last != 0 && System.nanoTime() - last < REMEMBERED_NANOS;
  }
}
