package io.rockpool.redis;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * When each key was last read or written at its master by this process, or reported as changed. A
 * replica may answer for a key only if it has what its master had after that. Keys share stripes,
 * which only makes more reads ask the master. Thread-safe.
 */
final class KeyUses {
  private static final int STRIPES = 1 << 16;
  private static final long START_NANOS = System.nanoTime();

  private final AtomicLongArray lastNanos = new AtomicLongArray(STRIPES);

  /** The time that uses are compared by: more than 0, and never goes backwards. */
  static long nowNanos() {
    return System.nanoTime() - START_NANOS + 1;
  }

  /** Notes a use that has ended, or a report. */
  void note(long space, byte[] hashKey) {
    long unused = lastNanos.accumulateAndGet(stripe(space, hashKey), nowNanos(), Math::max);
  }

  /** The end of the last use; 0 if there was none. */
  long lastNanos(long space, byte[] hashKey) {
    return lastNanos.get(stripe(space, hashKey));
  }

  private static int stripe(long space, byte[] hashKey) {
    int hash = 31 * Long.hashCode(space) + Arrays.hashCode(hashKey);
    hash *= 0x9E3779B9;
    return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(STRIPES));
  }
}
