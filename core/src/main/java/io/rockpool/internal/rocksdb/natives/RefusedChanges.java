package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.rocksdb.files.JournalFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractWalFilter;
import org.rocksdb.RocksDBException;
import org.rocksdb.WalProcessingOption;
import org.rocksdb.WriteBatch;

/**
 * Keeps refused changes in RocksDB's log from being recovered. A batch whose force to the disk
 * failed is in the log, and in no memtable. After such a failure RocksDB may flush some column
 * families and fail at others; the log is then read for the others only, so half of the batch would
 * come back.
 */
final class RefusedChanges extends AbstractWalFilter {
  private static final LogRecordFoundResult IGNORE =
      new LogRecordFoundResult(WalProcessingOption.IGNORE_CURRENT_RECORD, false);

  /** A frame of the journal has at least one byte. */
  private static final byte[] NONE = {0};

  private volatile long from;

  private RefusedChanges(long from) {
    this.from = from;
  }

  /**
   * Notes in a journal without frames that changes from the sequence number {@code from} on were
   * refused: as a frame of no changes.
   */
  static void note(JournalFile journal, long from) {
    journal.first().append(from, 0, NONE, 0, NONE.length);
  }

  /** What was noted in a journal with these frames, or null. The caller closes it. */
  static @Nullable RefusedChanges in(List<JournalFile.Frame> frames) {
    return frames.size() == 1 && frames.get(0).count() == 0
        ? new RefusedChanges(frames.get(0).sequence())
        : null;
  }

  /** Ignores no more: later batches with the same sequence numbers are others. */
  void end() {
    from = Long.MAX_VALUE;
  }

  @Override
  public LogRecordFoundResult logRecordFound(
      long logNumber, String logFileName, WriteBatch batch, WriteBatch newBatch) {
    try {
      // A batch begins with its sequence number.
      long sequence = ByteBuffer.wrap(batch.data()).order(ByteOrder.LITTLE_ENDIAN).getLong();
      return sequence >= from ? IGNORE : LogRecordFoundResult.CONTINUE_UNCHANGED;
    } catch (RocksDBException e) {
      throw new IllegalStateException(
          "A batch of the log at " + logFileName + " is unreadable.", e);
    }
  }

  @Override
  public void columnFamilyLogNumberMap(Map<Integer, Long> logNumbers, Map<String, Integer> ids) {}

  @Override
  public String name() {
    return "refused changes";
  }
}
