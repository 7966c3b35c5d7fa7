package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A call on a thread of its own, which is known to wait. */
public final class WaitingCall<T> {
  private static final int END_SECONDS = 20;

  private final FutureTask<T> call;
  private final Thread thread;

  public WaitingCall(Callable<T> callable) throws InterruptedException {
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

  public void interrupt() {
    thread.interrupt();
  }

  public boolean isDone() {
    return call.isDone();
  }

  public T result() throws Exception {
    return call.get(END_SECONDS, TimeUnit.SECONDS);
  }

  /** Like {@link #result}; a thread that is not woken is reported as {@code what}. */
  public T resultOf(String what) throws Exception {
    try {
      return result();
    } catch (TimeoutException e) {
      thread.interrupt();
      throw new AssertionError("still waiting: " + what, e);
    }
  }

  public Throwable failure() {
    try {
      throw new AssertionError("returned " + result());
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
