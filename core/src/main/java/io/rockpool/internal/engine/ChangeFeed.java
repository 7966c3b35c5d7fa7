package io.rockpool.internal.engine;

import io.rockpool.engine.ChangeListener;
import io.rockpool.store.Registration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Reports to the listeners of one handle what the others change, in order, on its own thread. The
 * thread exists from the first report on. Thread-safe.
 */
public final class ChangeFeed {
  /** The thread only runs what it is passed. */
  private static final Duration PERIOD = Duration.ofDays(1);

  private final List<Listening> listeners = new CopyOnWriteArrayList<>();
  private final String name;
  private final Upkeep upkeep;
  private final BackgroundThread thread;

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
  public ChangeFeed(String name, Upkeep upkeep) {
    this.name = name;
    this.upkeep = upkeep;
    this.thread = new BackgroundThread(name, PERIOD, () -> {}, upkeep);
  }

  /** Adds a listener; the registration removes it. */
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

  private void report(Listening listening, Consumer<ChangeListener> change) {
    if (listeners.contains(listening)) {
      upkeep.run(name, () -> change.accept(listening.listener));
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
  }
}
