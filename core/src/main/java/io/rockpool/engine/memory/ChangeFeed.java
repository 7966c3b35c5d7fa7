package io.rockpool.engine.memory;

import io.rockpool.engine.ChangeListener;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Upkeep;
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
final class ChangeFeed {
  private static final String NAME = "rockpool-memory-changes";

  /** The thread only runs what it is passed. */
  private static final Duration PERIOD = Duration.ofDays(1);

  private final List<Listening> listeners = new CopyOnWriteArrayList<>();
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

  /** Starts without listeners. */
  ChangeFeed(Upkeep upkeep) {
    this.upkeep = upkeep;
    this.thread = new BackgroundThread(NAME, PERIOD, () -> {}, upkeep);
  }

  Registration add(ChangeListener listener) {
    Listening added = new Listening(listener);
    listeners.add(added);
    return added;
  }

  /** Reports a change to those who listen now. Does not wait. */
  void report(Consumer<ChangeListener> change) {
    for (Listening listening : listeners) {
      boolean unused = thread.execute(() -> report(listening, change));
    }
  }

  private void report(Listening listening, Consumer<ChangeListener> change) {
    if (listeners.contains(listening)) {
      upkeep.run(NAME, () -> change.accept(listening.listener));
    }
  }

  /** Waits until everything was reported that was changed before this call. */
  void await() throws InterruptedException {
    CountDownLatch reported = new CountDownLatch(1);
    if (!listeners.isEmpty() && thread.execute(reported::countDown)) {
      reported.await();
    }
  }

  /** Ends the reports, and waits for the one that is running. */
  void close() {
    listeners.clear();
    thread.close();
  }
}
