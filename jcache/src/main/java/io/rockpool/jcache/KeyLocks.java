package io.rockpool.jcache;

import io.rockpool.codec.Codec;
import io.rockpool.engine.Limits;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Locks by key, for caches that somebody watches: a writer and listeners see the changes of a key
 * in the order in which the cache makes them. Several are always taken in the order of their
 * places, so that nobody waits for one who waits for him.
 */
final class KeyLocks<K> {
  /** Two keys share a lock, and wait for each other's listeners, once in so many pairs. */
  private static final int LOCKS = 256;

  /** Made when they are first needed: most caches are watched by nobody. */
  private volatile ReentrantLock @Nullable [] locks;

  private final Codec<K> keys;

  KeyLocks(Codec<K> keys) {
    this.keys = keys;
  }

  private ReentrantLock[] locks() {
    ReentrantLock[] there = locks;
    return there == null ? makeLocks() : there;
  }

  private synchronized ReentrantLock[] makeLocks() {
    ReentrantLock[] made = locks;
    if (made == null) {
      made = new ReentrantLock[LOCKS];
      Arrays.setAll(made, i -> new ReentrantLock());
      locks = made;
    }
    return made;
  }

  /** Locks held, to be let go together. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  Held lock(K key) {
    ReentrantLock lock = locks()[place(key)];
    lock.lock();
    return lock::unlock;
  }

  /** The lock of a key, or null if another thread has it. */
  @Nullable Held tryLock(K key) {
    ReentrantLock lock = locks()[place(key)];
    return lock.tryLock() ? lock::unlock : null;
  }

  Held lockAll(Collection<? extends K> all) {
    int[] places = all.stream().mapToInt(this::place).distinct().sorted().toArray();
    ReentrantLock[] made = locks();
    for (int place : places) {
      made[place].lock();
    }
    return () -> {
      for (int place : places) {
        made[place].unlock();
      }
    };
  }

  /**
   * The place of a key; a key that the store would refuse is refused here, before anybody is told.
   */
  private int place(K key) {
    byte[] bytes = Storing.call(() -> keys.encode(key));
    Storing.run(() -> Limits.checkHashKey(bytes));
    return (Arrays.hashCode(bytes) * 0x9E3779B9) >>> 24;
  }
}
