package io.rockpool.internal.concurrent;

/** Counts the open stores of this process, for what runs only while there is one. */
public final class StoreCount {
  private static int open;
  private static Runnable onFirst = () -> {};
  private static Runnable onLast = () -> {};

  private StoreCount() {}

  /**
   * Calls {@code first} when a store is opened where none is open, and {@code last} when the last
   * one is closed. There is one watcher; both run under the monitor of this class.
   */
  public static synchronized void watch(Runnable first, Runnable last) {
    onFirst = first;
    onLast = last;
  }

  /** A store has been opened; {@link #closed} must follow. */
  public static synchronized void opened() {
    if (open++ == 0) {
      onFirst.run();
    }
  }

  /** A store has been closed. */
  public static synchronized void closed() {
    if (--open == 0) {
      onLast.run();
    }
  }
}
