package io.rockpool.codec;

import io.rockpool.internal.concurrent.StoreCount;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.fory.collection.MultiKeyWeakMap;
import org.jspecify.annotations.Nullable;

/**
 * Fory's thread that forgets collected classes. Fory starts it once and never ends it, so it would
 * keep the class loader of an application that has Fory among its own jars, such as a WAR. It runs
 * while a store is open.
 */
final class ForyThread {
  private static final String THREAD = "fory-multi-key-weak-map-cleaner";

  /** An interrupted thread ends at once, unless the machine is busy. */
  private static final long MAX_WAIT_MILLIS = 5_000;

  /** How to start the thread again; null if Fory is not in use or its module is closed. */
  private static @Nullable Restart restart;

  /**
   * The running thread; null if it has not started, or was not started here. Guarded by this class.
   */
  private static @Nullable Thread thread;

  /** Whether {@link #end} has ended the thread. Guarded likewise. */
  private static boolean ended;

  private ForyThread() {}

  private record Restart(Field started, Field queue, Method start) {
    void run() {
      try {
        ((AtomicBoolean) started.get(null)).set(false);
        start.invoke(null, queue.get(null));
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("The thread " + THREAD + " could not be started again.", e);
      }
    }
  }

  private static @Nullable Restart findRestart() {
    try {
      Class<?> type = MultiKeyWeakMap.class;
      Field started = type.getDeclaredField("CLEANER_STARTED");
      Field queue = type.getDeclaredField("referenceQueue");
      Method start = type.getDeclaredMethod("startCleaner", ReferenceQueue.class);
      started.setAccessible(true);
      queue.setAccessible(true);
      start.setAccessible(true);
      return new Restart(started, queue, start);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null; // another version of Fory, or a closed module: no WAR has modules
    }
  }

  /** Starts the thread before Fory does, if it has not yet. */
  static void start() {
    startFirst();
    StoreCount.watch(
        ForyThread::startAgain, ForyThread::end); // not under the monitor here: it has its own
  }

  private static synchronized void startFirst() {
    restart = findRestart();
    run(() -> new MultiKeyWeakMap<>().put(new Object[] {new Object()}, THREAD));
  }

  private static synchronized void startAgain() {
    Restart again = restart;
    if (ended && again != null) {
      run(again::run);
      ended = false;
    }
  }

  private static synchronized void end() {
    Thread running = thread;
    if (running == null || restart == null) {
      return;
    }
    thread = null;
    ended = true;
    running.interrupt();
    try {
      running.join(MAX_WAIT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The thread must not have the class loader of the thread that starts it. */
  private static void run(Runnable start) {
    Thread current = Thread.currentThread();
    ClassLoader context = current.getContextClassLoader();
    Set<Thread> before = new HashSet<>(running());
    current.setContextClassLoader(ForyThread.class.getClassLoader());
    try {
      start.run();
    } finally {
      current.setContextClassLoader(context);
    }
    thread =
        running().stream().filter(started -> !before.contains(started)).findFirst().orElse(null);
  }

  /** A new thread is in the group of the thread that starts it. */
  private static List<Thread> running() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    Thread[] threads = new Thread[2 * group.activeCount() + 16];
    int count = group.enumerate(threads, /* recurse= */ false);
    return Arrays.stream(threads, 0, count)
        .filter(running -> running.getName().equals(THREAD))
        .toList();
  }
}
