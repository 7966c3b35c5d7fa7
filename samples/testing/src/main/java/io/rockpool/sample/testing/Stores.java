package io.rockpool.sample.testing;

import io.rockpool.Rockpool;
import io.rockpool.store.VerifyReport;
import java.nio.file.Path;

/** The stores that programs leave behind. */
public final class Stores {
  private Stores() {}

  /** Fails unless there is something in a store, which no process has open, and all is whole. */
  public static void verify(Path directory) {
    try (Rockpool pool = Rockpool.open(directory)) {
      VerifyReport report = pool.verify();
      if (!report.isClean() || report.records() == 0) {
        throw new AssertionError(report.toString());
      }
    }
  }
}
