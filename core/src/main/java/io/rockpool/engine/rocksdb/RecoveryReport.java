package io.rockpool.engine.rocksdb;

import io.rockpool.internal.format.RecoveryPoint;
import org.jspecify.annotations.Nullable;

/**
 * What opening a store found out about the time before.
 *
 * @param clean whether the store had been closed, and holds exactly what it held then; or is new
 * @param changesLost how many changes of records are known to be lost, of those that had been
 *     forced to the disk; there may be more, made after that
 * @param message the same in a sentence
 */
public record RecoveryReport(boolean clean, long changesLost, String message) {
  static RecoveryReport ofNew() {
    return new RecoveryReport(true, 0, "The store is new.");
  }

  /**
   * What follows from the point that was kept, if there was one, and the last change that is there.
   */
  static RecoveryReport of(@Nullable RecoveryPoint point, long latestSequence) {
    if (point == null) {
      return new RecoveryReport(
          false,
          0,
          "The store's recovery point is missing or damaged, so it is not known whether it lost anything.");
    }
    long lost = Math.max(0, point.sequence() - latestSequence);
    String before = point.closed() ? "The store was closed" : "The store was not closed";
    if (lost > 0) {
      return new RecoveryReport(
          false,
          lost,
          before
              + ", and at least "
              + lost
              + " changes that had been forced to the disk are gone:"
              + " its log was cut, damaged or deleted. Restore a copy if you need them.");
    }
    if (point.closed() && latestSequence > point.sequence()) {
      return new RecoveryReport(
          false,
          0,
          before + ", and something else has written to it since; nothing is known to be lost.");
    }
    return new RecoveryReport(
        point.closed(),
        0,
        before
            + (point.closed()
                ? ", and holds what it held then."
                : "; nothing that was forced to the disk is lost."));
  }
}
