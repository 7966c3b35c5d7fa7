package io.rockpool.sample.world;

import io.rockpool.structure.PersistentDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Makes what waits in the queue, on a thread of its own. It is taken out of the queue when it is
 * made: what a process was at when it was killed, the next one makes again.
 */
@Component
class Preparer implements DisposableBean {
  private static final long LOOK_MILLIS = 200;
  private static final long CLOSE_SECONDS = 10;

  private final Atlas atlas;
  private final PersistentDeque<Preparation> preparations;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "preparer"));
  private volatile boolean closing;

  Preparer(Atlas atlas, PersistentDeque<Preparation> preparations) {
    this.atlas = atlas;
    this.preparations = preparations;
    var unused =
        thread.scheduleWithFixedDelay(
            this::prepareAll, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void prepareAll() {
    Preparation next = preparations.peekFirst();
    while (next != null && !closing) {
      atlas.country(next.country(), next.language());
      preparations.pollFirst(); // others put to its end, and only this takes away
      next = preparations.peekFirst();
    }
  }

  @Override
  public void destroy() throws InterruptedException {
    closing = true;
    thread.shutdown();
    if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
      thread.shutdownNow();
    }
  }
}
