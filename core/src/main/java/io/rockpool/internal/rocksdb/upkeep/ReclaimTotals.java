package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.store.Reclaimed;
import java.util.concurrent.atomic.LongAdder;

/** What was reclaimed since the store was opened. */
final class ReclaimTotals {
  private final LongAdder cleared = new LongAdder();
  private final LongAdder clearedBytes = new LongAdder();
  private final LongAdder expired = new LongAdder();

  void addCleared(long count) {
    cleared.add(count);
  }

  void addClearedBytes(long bytes) {
    clearedBytes.add(bytes);
  }

  void addExpired(long records) {
    expired.add(records);
  }

  Reclaimed now() {
    return new Reclaimed(cleared.sum(), clearedBytes.sum(), expired.sum());
  }
}
