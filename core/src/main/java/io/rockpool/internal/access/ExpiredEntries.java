package io.rockpool.internal.access;

import java.util.function.BooleanSupplier;

/**
 * Confirms the removal of entries that have expired, see {@link CacheAccess#onExpired}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@FunctionalInterface
public interface ExpiredEntries<K, V> {
  /**
   * Receives an entry that a thread has met after its end, on that thread; in a transaction, after
   * the commit. No lock of the store is held. It may use any cache, and must not throw.
   *
   * @param value the value it had
   * @param removal removes the entry, and returns whether this call did: only then the entry counts
   *     as expired. If it is not called, the entry stays invisible on disk, and the next thread
   *     that meets it calls this method again
   */
  void met(K key, V value, BooleanSupplier removal);

  /** Whether it can accept another entry now. While it cannot, scans wait. */
  default boolean isReady() {
    return true;
  }
}
