package io.rockpool.internal.engine;

import io.rockpool.engine.ChangeListener;
import io.rockpool.store.Registration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Reports to the listeners of one handle what the others change, in order, on its own thread. The
 * thread exists from the first report on. For engines. Thread-safe.
 */
public final class ChangeReports {
  /** The thread only runs what it is passed. */
  private static final Duration PERIOD = Duration.ofDays(1);

  /** How long a thread waits for room in the heap. */
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final List<Listening> listeners = new CopyOnWriteArrayList<>();
  private final String name;
  private final Upkeep upkeep;
  private final BackgroundThread thread;

  /** Reports losses at once: a listener may be waiting for the server that has fallen silent. */
  private final BackgroundThread urgent;

  private long losses;
  private boolean lost;

  /** A registration; a listener may have several. */
  private final class Listening implements Registration {
    private final ChangeListener listener;

    Listening(ChangeListener listener) {
      this.listener = listener;
    }

    @Override
    public void close() {
      listeners.remove(this);
    }
  }

  /**
   * Starts without listeners.
   *
   * @param name the name of the thread
   */
  public ChangeReports(String name, Upkeep upkeep) {
    this.name = name;
    this.upkeep = upkeep;
    this.thread = new BackgroundThread(name, PERIOD, () -> {}, upkeep);
    this.urgent = new BackgroundThread(name + "-losses", PERIOD, () -> {}, upkeep);
  }

  /** Adds a listener, which receives later reports. */
  public Registration add(ChangeListener listener) {
    Listening added = new Listening(listener);
    listeners.add(added);
    return added;
  }

  /** Reports a change to those who listen now. Does not wait. */
  public void report(Consumer<ChangeListener> change) {
    for (Listening listening : listeners) {
      boolean unused = thread.execute(() -> report(listening, change));
    }
  }

  /**
   * Reports that changes may go unreported, in order, and at once, even while a listener is
   * running. Does not wait.
   */
  public synchronized void lost() {
    losses++;
    lost = true;
    boolean unused = urgent.execute(this::lostNow);
    report(ChangeListener::feedLost);
  }

  private void lostNow() {
    for (Listening listening : listeners) {
      report(listening, ChangeListener::feedLost);
    }
    synchronized (this) {
      if (!lost) { // this loss was reported late, perhaps after the return
        regained();
      }
    }
  }

  /** Reports that changes are reported again, unless they are lost once more. Does not wait. */
  public synchronized void regained() {
    lost = false;
    long before = losses;
    report(listener -> regained(listener, before));
  }

  private synchronized boolean isLostSince(long before) {
    return losses != before;
  }

  /** Reports a change. Allocates nothing: an Error here would lose the report. */
  private void report(Listening listening, Consumer<ChangeListener> change) {
    if (listeners.contains(listening)) {
      try {
        change.accept(listening.listener);
        upkeep.succeeded(name);
      } catch (Throwable e) {
        missed(listening);
        upkeep.failed(name, e);
      }
    }
  }

  /**
   * The feed was lost for a listener that has failed: it may have kept what the report was to
   * remove. While the heap is too full for the listener to hear of that, its reports wait.
   */
  private void missed(Listening listening) {
    while (listeners.contains(listening)) {
      try {
        loseAndRegain(listening.listener);
        return;
      } catch (VirtualMachineError e) {
        LockSupport.parkNanos(RETRY_NANOS);
      } catch (Throwable e) {
        upkeep.failed(name, e);
        return;
      }
    }
  }

  private void loseAndRegain(ChangeListener listener) {
    listener.feedLost();
    long before;
    synchronized (this) {
      if (lost) { // its return will be reported
        return;
      }
      before = losses;
    }
    regained(listener, before);
  }

  private void regained(ChangeListener listener, long before) {
    if (!isLostSince(before)) {
      listener.feedRegained();
      if (isLostSince(before)) {
        listener.feedLost();
      }
    }
  }

  /** Waits until everything was reported that was changed before this call. */
  public void await() throws InterruptedException {
    CountDownLatch reported = new CountDownLatch(1);
    if (!listeners.isEmpty() && thread.execute(reported::countDown)) {
      reported.await();
    }
  }

  /** Ends the reports, and waits for the one that is running. */
  public void close() {
    listeners.clear();
    thread.close();
    urgent.close();
  }
}
