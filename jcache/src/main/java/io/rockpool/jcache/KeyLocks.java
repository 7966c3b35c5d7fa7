package io.rockpool.jcache;

import io.rockpool.codec.Codec;
import io.rockpool.engine.CommitLock;
import io.rockpool.engine.EngineLimits;
import io.rockpool.internal.access.CacheTransactions;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Locks by key, for caches with a writer or listeners: these see the changes of a key in the order
 * in which the cache makes them. Several are always taken in the order of their places, so that no
 * two threads wait for each other. Where a listener, processor or writer asks for another key, they
 * could: then one of them gets an {@link IllegalStateException}. A transaction takes them at its
 * commit, see {@link CommitLock}: waited for inside one, they would come after the locks of its
 * rows.
 */
final class KeyLocks<K> {
  /** Two keys share a lock, and wait for each other's listeners, once in so many pairs. */
  private static final int LOCKS = 256;

  /** Created on first use: most caches have neither writer nor listeners. */
  private volatile CommitLock @Nullable [] locks;

  private final Codec<K> keys;
  private final CacheTransactions transactions;

  KeyLocks(Codec<K> keys, CacheTransactions transactions) {
    this.keys = keys;
    this.transactions = transactions;
  }

  private CommitLock[] locks() {
    CommitLock[] there = locks;
    return there == null ? makeLocks() : there;
  }

  private synchronized CommitLock[] makeLocks() {
    CommitLock[] made = locks;
    if (made == null) {
      made = new CommitLock[LOCKS];
      Arrays.setAll(made, i -> transactions.newLock());
      locks = made;
    }
    return made;
  }

  /** Locks that are held, to be released together. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  Held lock(K key) {
    CommitLock lock = of(key);
    lock.lock();
    return lock::unlock;
  }

  /** The lock of a key. */
  CommitLock of(K key) {
    return locks()[place(key)];
  }

  /** The lock of a key, or null if another thread has it. */
  @Nullable Held tryLock(K key) {
    CommitLock lock = of(key);
    return lock.tryLock() ? lock::unlock : null;
  }

  Held lockAll(Collection<? extends K> all) {
    int[] places = all.stream().mapToInt(this::place).distinct().sorted().toArray();
    CommitLock[] made = locks();
    int taken = 0;
    try {
      for (; taken < places.length; taken++) {
        made[places[taken]].lock();
      }
    } finally {
      if (taken < places.length) {
        unlock(made, places, taken);
      }
    }
    return () -> unlock(made, places, places.length);
  }

  private static void unlock(CommitLock[] made, int[] places, int many) {
    for (int i = 0; i < many; i++) {
      made[places[i]].unlock();
    }
  }

  /**
   * The index of a key's lock. A key that the store would refuse is refused here, before writer and
   * listeners are called.
   */
  private int place(K key) {
    byte[] bytes = StoreChanges.call(() -> keys.encode(key));
    StoreChanges.run(() -> EngineLimits.OF_CONTRACT.checkHashKey(bytes));
    return (Arrays.hashCode(bytes) * 0x9E3779B9) >>> 24;
  }
}
