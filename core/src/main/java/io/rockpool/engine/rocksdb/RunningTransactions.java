package io.rockpool.engine.rocksdb;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which threads are inside a row transaction. One that wrote by another way, or began another
 * transaction, could wait for a lock whose owner waits for the one it holds.
 */
final class RunningTransactions {
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  void begin() {
    if (!threads.add(Thread.currentThread())) {
      throw refusal();
    }
  }

  void end() {
    threads.remove(Thread.currentThread());
  }

  /** Refuses to go on from inside a transaction. */
  void refuseInside() {
    if (!threads.isEmpty() && threads.contains(Thread.currentThread())) {
      throw refusal();
    }
  }

  private static IllegalStateException refusal() {
    return new IllegalStateException(
        "Inside a row transaction the same store was written to in another way; change the row that was passed in,"
            + " and do everything else after the transaction.");
  }
}
