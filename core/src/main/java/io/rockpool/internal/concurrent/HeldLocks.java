package io.rockpool.internal.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The ordered locks that each thread holds; recorded only if the order is checked. A violation is
 * thrown where it happens. It is also kept for the test run, because it may happen on a background
 * thread.
 */
public final class HeldLocks {
  /**
   * Whether the order of locks is checked. A constant, so the checks cost nothing if it is false.
   */
  static final boolean CHECKED = Boolean.getBoolean("rockpool.checkLockOrder");

  private static final ThreadLocal<List<OrderedLock>> HELD =
      ThreadLocal.withInitial(ArrayList::new);
  private static final Queue<AssertionError> VIOLATIONS = new ConcurrentLinkedQueue<>();

  private HeldLocks() {}

  /** Whether the order of locks is checked in this process. */
  public static boolean areChecked() {
    return CHECKED;
  }

  /** The locks that this thread holds; empty if the order is not checked. */
  public static List<OrderedLock> ofThisThread() {
    return CHECKED ? List.copyOf(HELD.get()) : List.of();
  }

  /** Returns the locks that this thread holds and clears the record. For the end of a test. */
  public static List<OrderedLock> forget() {
    List<OrderedLock> held = ofThisThread();
    HELD.remove();
    return held;
  }

  /** Returns and removes the violations found since the last call. */
  public static List<AssertionError> takeViolations() {
    List<AssertionError> taken = new ArrayList<>();
    for (AssertionError e = VIOLATIONS.poll(); e != null; e = VIOLATIONS.poll()) {
      taken.add(e);
    }
    return taken;
  }

  /**
   * Checks that this thread holds no lock of a store.
   *
   * @param store what identifies the store in its locks
   * @param action what would wait for all threads in the store, such as "closing the store"
   */
  public static void checkNone(Object store, String action) {
    if (CHECKED) {
      List<OrderedLock> held = HELD.get().stream().filter(lock -> lock.isOf(store)).toList();
      if (!held.isEmpty()) {
        fail(action + " while this thread holds " + held);
      }
    }
  }

  /** Checks that this thread holds no lock at all, as before it waits for {@code action}. */
  public static void checkNone(String action) {
    if (CHECKED && !HELD.get().isEmpty()) {
      fail(action + " while this thread holds " + HELD.get());
    }
  }

  static void checkOrder(OrderedLock wanted) {
    for (OrderedLock held : HELD.get()) {
      if (held != wanted && held.comesAfter(wanted) && !wanted.isHeldByCurrentThread()) {
        fail("waiting for " + wanted + " while this thread holds " + HELD.get());
      }
    }
  }

  private static void fail(String what) {
    AssertionError violation = new AssertionError("Locks out of order: " + what + ".");
    VIOLATIONS.add(violation);
    throw violation;
  }

  static void noteTaken(OrderedLock lock) {
    HELD.get().add(lock);
  }

  static void noteReleased(OrderedLock lock) {
    List<OrderedLock> held = HELD.get();
    int last = held.lastIndexOf(lock);
    if (last >= 0) { // unless forget() removed it
      held.remove(last);
    }
  }
}
