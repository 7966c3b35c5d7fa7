package io.rockpool.internal.access;

import java.util.function.BooleanSupplier;

/**
 * Is told of entries that have expired, see {@link CacheAccess#onExpired}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@FunctionalInterface
public interface ExpiredEntries<K, V> {
  /**
   * Tells of an entry that was met after its end, on the thread that met it; where that was in a
   * transaction, once it has committed. No lock of the store is held; what this does may use any
   * cache, and must not throw.
   *
   * @param key its key
   * @param value the value it had
   * @param removal removes the entry, and says whether it was this call that did: the entry counts
   *     as expired only then. Where it is not called, the entry stays for the next to meet it, as
   *     invisible as before
   */
  void met(K key, V value, BooleanSupplier removal);

  /**
   * Whether it can be told of more now. Who is behind is told of nothing more by scans, whose
   * entries can wait.
   */
  default boolean isReady() {
    return true;
  }
}
