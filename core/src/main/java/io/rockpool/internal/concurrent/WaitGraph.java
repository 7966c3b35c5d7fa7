package io.rockpool.internal.concurrent;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The threads of all stores that wait for each other while user code runs: for locks of keys, for
 * loads, and for rows of another store's transaction. A cycle may contain all of them. A thread
 * whose wait would close one must not wait.
 */
public final class WaitGraph {
  private static final Map<Thread, Awaited> WAITING = new HashMap<>();

  private WaitGraph() {}

  /** What a thread waits for. {@code toString} says what its holder does, for messages. */
  public interface Awaited {
    /** The thread that ends the wait; null if the wait has ended, or no thread is known. */
    @Nullable Thread holder();
  }

  /**
   * Records that the calling thread waits, unless it would wait for itself. If it may wait, {@link
   * #end} must follow. Threads look one at a time, so that exactly the last of a cycle sees it.
   *
   * @return what this thread holds and another thread of the cycle waits for; null if there is no
   *     cycle
   */
  public static @Nullable Awaited begin(Awaited wanted) {
    Thread mine = Thread.currentThread();
    synchronized (WAITING) {
      Awaited awaited = wanted;
      for (int left = WAITING.size(); left >= 0; left--) {
        Thread holder = awaited.holder();
        if (holder == mine) {
          return awaited;
        }
        Awaited next = holder == null ? null : WAITING.get(holder);
        if (next == null || next.holder() == holder) { // The holder has just got what it wanted.
          break;
        }
        awaited = next;
      }
      WAITING.put(mine, wanted);
      return null;
    }
  }

  /** Records that the calling thread no longer waits. */
  public static void end() {
    synchronized (WAITING) {
      WAITING.remove(Thread.currentThread());
    }
  }
}
