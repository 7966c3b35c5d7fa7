package io.rockpool.jcache;

import io.rockpool.codec.Codec;
import io.rockpool.engine.CommitLock;
import io.rockpool.internal.access.CacheTransactions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Locks by key, under which entry processors run: one at a time for a key, and so once for each
 * call unless another operation or process changes the entry meanwhile. No two keys share a lock,
 * because a processor may wait for a thread that runs one on another key. A processor that asks for
 * another key may close a cycle of waiting threads; then one of them gets an {@link
 * IllegalStateException}. In a transaction there is no lock: it would come after the locks of rows.
 */
final class ProcessorLocks<K> {
  private final Map<ByteBuffer, Used> used = new ConcurrentHashMap<>();

  /**
   * Locks of no key: each lock that is made takes a rank, of which there are not endlessly many.
   */
  private final Queue<CommitLock> free = new ConcurrentLinkedQueue<>();

  private final Codec<K> keys;
  private final CacheTransactions transactions;

  ProcessorLocks(Codec<K> keys, CacheTransactions transactions) {
    this.keys = keys;
    this.transactions = transactions;
  }

  /** The lock of a key, while threads hold it or wait for it. */
  private static final class Used {
    private final CommitLock lock;
    private int threads;

    Used(CommitLock lock) {
      this.lock = lock;
    }
  }

  KeyLocks.Held lock(K key) {
    return lockAll(List.of(key));
  }

  /** Locks all in the order of their bytes, so that no two calls wait for each other. */
  KeyLocks.Held lockAll(Collection<? extends K> all) {
    if (transactions.isInside()) {
      return () -> {};
    }
    List<ByteBuffer> ordered = all.stream().map(this::bytes).distinct().sorted().toList();
    List<ByteBuffer> locked = new ArrayList<>(ordered.size());
    KeyLocks.Held held = () -> locked.forEach(this::unlock);
    try {
      for (ByteBuffer key : ordered) {
        lock(key);
        locked.add(key);
      }
    } catch (Throwable e) {
      held.close();
      throw e;
    }
    return held;
  }

  private ByteBuffer bytes(K key) {
    return ByteBuffer.wrap(StoreChanges.call(() -> keys.encode(key)));
  }

  private void lock(ByteBuffer key) {
    CommitLock lock = use(key).lock;
    boolean locked = false;
    try {
      lock.lock();
      locked = true;
    } finally {
      if (!locked) {
        end(key);
      }
    }
  }

  private Used use(ByteBuffer key) {
    return used.compute(
        key,
        (k, there) -> {
          Used lock = there == null ? new Used(freeLock()) : there;
          lock.threads++;
          return lock;
        });
  }

  private CommitLock freeLock() {
    CommitLock lock = free.poll();
    return lock == null ? transactions.newLock() : lock;
  }

  private void unlock(ByteBuffer key) {
    Used lock = used.get(key);
    if (lock != null) {
      lock.lock.unlock();
      end(key);
    }
  }

  /** Notes that this thread neither holds nor wants the lock. */
  private void end(ByteBuffer key) {
    used.computeIfPresent(
        key,
        (k, there) -> {
          there.threads--;
          return there.threads == 0 ? released(there) : there;
        });
  }

  private @Nullable Used released(Used unused) {
    free.add(unused.lock);
    return null;
  }
}
