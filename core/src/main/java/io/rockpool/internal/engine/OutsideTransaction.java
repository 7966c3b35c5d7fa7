package io.rockpool.internal.engine;

import io.rockpool.engine.Engine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Runs what a transaction refuses, such as changes of the catalog. */
public final class OutsideTransaction {
  private OutsideTransaction() {}

  /**
   * Runs {@code work}, on another thread if this one is in a transaction, and waits for it.
   *
   * @return its result; its exceptions reach the caller
   */
  public static <R> R run(Engine engine, Supplier<R> work) {
    return engine.inTransaction() ? onOwnThread(work) : work.get();
  }

  /**
   * Runs {@code work} on a thread of its own, so outside every transaction, and waits for it.
   *
   * @return its result; its exceptions reach the caller
   */
  public static <R> R onOwnThread(Supplier<R> work) {
    try {
      return CompletableFuture.supplyAsync(work, run -> new Thread(run, "rockpool-open").start())
          .join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
