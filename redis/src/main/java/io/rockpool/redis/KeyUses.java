package io.rockpool.redis;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * When this process last changed each key, learned of a change, or found a new state at the master.
 * A replica may answer for a key only if it has what its master had after that. A read that finds
 * the same state again is no reason to stay with the master. Keys share stripes, which only makes
 * more reads ask the master. Thread-safe.
 */
final class KeyUses {
  private static final int STRIPES = 1 << 16;
  private static final long START_NANOS = System.nanoTime();

  private final AtomicLongArray lastNanos = new AtomicLongArray(STRIPES);

  /** A hash of the last key and state that a read of a master has found. */
  private final AtomicIntegerArray lastState = new AtomicIntegerArray(STRIPES);

  /** The time that uses are compared by: more than 0, and never goes backwards. */
  static long nowNanos() {
    return System.nanoTime() - START_NANOS + 1;
  }

  /** Notes a write that has ended, or a report. */
  void changed(long space, byte[] hashKey) {
    int stripe = stripe(hash(space, hashKey));
    long nanos = note(stripe);
    lastState.set(stripe, Long.hashCode(nanos)); // the next read notes what it finds
  }

  /** Notes what a read at the master has found; null for no entry. */
  void found(long space, byte[] hashKey, @Nullable StoredEntry entry) {
    int hash = hash(space, hashKey);
    int stripe = stripe(hash);
    int state = 31 * hash + (entry == null ? 0 : Long.hashCode(entry.writeId()));
    int before = lastState.get(stripe);
    if (before != state) {
      long unused = note(stripe);
      boolean unusedSet = lastState.compareAndSet(stripe, before, state);
    }
  }

  private long note(int stripe) {
    return lastNanos.accumulateAndGet(stripe, nowNanos(), Math::max);
  }

  /** The last time; 0 if there was none. */
  long lastNanos(long space, byte[] hashKey) {
    return lastNanos.get(stripe(hash(space, hashKey)));
  }

  private static int hash(long space, byte[] hashKey) {
    return 31 * Long.hashCode(space) + Arrays.hashCode(hashKey);
  }

  private static int stripe(int hash) {
    return (hash * 0x9E3779B9) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(STRIPES));
  }
}
