package io.rockpool.sample.atlas;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The end without warning. */
final class Crash {
  /** What a shell reports for a process that SIGKILL ended: 128 and the signal's number. */
  private static final int KILLED = 137;

  private static final int PATIENCE_SECONDS = 10;

  private Crash() {}

  /** Kills this process as {@code kill -9} does: no shutdown hook, no flush, no close. */
  static void now(int acknowledged) {
    System.out.printf(
        Locale.ROOT,
        "%nKilled by kill -9 after %,d acknowledged puts. Run it again.%n",
        acknowledged);
    System.out.flush();
    String pid = Long.toString(ProcessHandle.current().pid());
    try {
      new ProcessBuilder("kill", "-9", pid).start().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (IOException noSuchCommand) {
      // Halting runs no hooks either, and is all there is on a system without kill.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(KILLED);
  }
}
