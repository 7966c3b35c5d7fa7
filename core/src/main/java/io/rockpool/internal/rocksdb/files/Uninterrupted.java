package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;

/** Runs file operations that an interrupt would break, because it closes channels. */
public final class Uninterrupted {
  private Uninterrupted() {}

  /** Work that can be repeated from its start: it opens its channels itself. */
  @FunctionalInterface
  public interface Work {
    public void run() throws IOException;
  }

  /** Runs the work even on an interrupted thread. The thread stays interrupted. */
  public static void run(Work work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      boolean done = false;
      while (!done) {
        try {
          work.run();
          done = true;
        } catch (ClosedByInterruptException | FileLockInterruptionException e) {
          interrupted = true;
          boolean unused = Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
