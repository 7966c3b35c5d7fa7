package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.internal.bytes.BigEndian;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdb.RocksDBException;

/** Keeps numbers by key; fails on request, before or after it has taken a batch. */
final class NumberedTarget implements WriteTarget {
  /** The only family it knows. */
  static final int FAMILY = 3;

  final Map<Long, Long> values = new HashMap<>();
  final List<Long> batches = new ArrayList<>();

  /** The keys of all changes, in their order. */
  final List<Long> keys = new ArrayList<>();

  long latest = 1_000;

  /** A failed write uses up its numbers, as RocksDB's pipelined ones do. */
  long used;

  int syncs;
  volatile boolean failsBefore;
  boolean failsAfter;

  /** It fails after so many batches. */
  int batchesUntilFailure = Integer.MAX_VALUE;

  boolean inside;

  /** Runs before each batch. */
  volatile Runnable before = () -> {};

  @Override
  public void write(byte[] batch, boolean sync, boolean mayWait) throws RocksDBException {
    before.run();
    writeNow(batch);
  }

  private synchronized void writeNow(byte[] batch) throws RocksDBException {
    assertThat(inside).as("two batches at a time").isFalse();
    inside = true;
    try {
      int count = (batch[8] & 0xFF) | ((batch[9] & 0xFF) << 8);
      if (failsBefore || batches.size() >= batchesUntilFailure) {
        used += count;
        throw new RocksDBException("before");
      }
      assertThat(take(batch, values)).isEqualTo(count);
      note(batch);
      latest += used + count;
      used = 0;
      batches.add((long) count);
      if (failsAfter) {
        throw new RocksDBException("after");
      }
    } finally {
      inside = false;
    }
  }

  private void note(byte[] batch) {
    for (int at = BatchFormat.HEADER_BYTES; at < batch.length; ) {
      keys.add(BigEndian.getLong(batch, at + 3));
      at += batch[at] == BatchFormat.DELETE ? 11 : 20;
    }
  }

  static int take(byte[] batch, Map<Long, Long> values) {
    int count = 0;
    for (int at = BatchFormat.HEADER_BYTES; at < batch.length; count++) {
      assertThat(batch[at + 1]).isEqualTo((byte) FAMILY);
      long key = BigEndian.getLong(batch, at + 3);
      if (batch[at] == BatchFormat.PUT) {
        values.put(key, BigEndian.getLong(batch, at + 12));
        at += 20;
      } else if (batch[at] == BatchFormat.MERGE) {
        at += 20;
      } else {
        values.remove(key);
        at += 11;
      }
    }
    return count;
  }

  @Override
  public synchronized long latestSequence() {
    return latest;
  }

  @Override
  public synchronized void sync() {
    syncs++;
  }
}
