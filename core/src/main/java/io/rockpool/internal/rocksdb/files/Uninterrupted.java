package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;

/** Work on files that an interrupt would break off, as channels are closed by one. */
public final class Uninterrupted {
  private Uninterrupted() {}

  /** Work that may be done again from its beginning: it opens its channels itself. */
  @FunctionalInterface
  public interface Work {
    public void run() throws IOException;
  }

  /** Does the work, also on a thread that is interrupted, and leaves the thread so. */
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
