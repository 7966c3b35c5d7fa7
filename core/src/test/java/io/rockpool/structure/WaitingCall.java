package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A call on a thread of its own, which is known to wait. */
final class WaitingCall<T> {
  private static final int END_SECONDS = 20;

  private final FutureTask<T> call;
  private final Thread thread;

  WaitingCall(Callable<T> callable) throws InterruptedException {
    call = new FutureTask<>(callable);
    thread = new Thread(call);
    thread.start();
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING
        && !call.isDone()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    assertThat(call.isDone()).as("done without waiting").isFalse();
  }

  void interrupt() {
    thread.interrupt();
  }

  T result() throws Exception {
    return call.get(END_SECONDS, TimeUnit.SECONDS);
  }

  Throwable failure() {
    try {
      throw new AssertionError("returned " + result());
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
