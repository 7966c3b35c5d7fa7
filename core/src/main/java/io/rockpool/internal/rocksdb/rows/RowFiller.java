package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Expiry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Notes the stored records that a scan of a row passes, from the scan's begin on, and puts them
 * into {@link RowMemory} at the scan's end. Not thread-safe.
 */
final class RowFiller {
  private static final byte[][] NONE = {};

  private final RowMemory memory;
  private final int lock;
  private final long ticket;
  private final byte[] from;
  private final byte[] to;
  private final boolean forward;
  private final List<byte[]> keys = new ArrayList<>();
  private final List<byte[]> records = new ArrayList<>();
  private int bytes;
  private boolean stopped;

  /**
   * Creates a filler before the scan is opened.
   *
   * @param lock the index of the row's lock
   */
  RowFiller(RowMemory memory, int lock, byte[] from, byte[] to, boolean forward) {
    this.memory = memory;
    this.lock = lock;
    this.ticket = memory.ticket(lock);
    this.from = from;
    this.to = to;
    this.forward = forward;
    this.stopped = ticket == WriterStripe.BUSY;
  }

  /** Whether it notes no more. */
  boolean isStopped() {
    return stopped;
  }

  /** Notes the next stored record, and copies it; a record that may expire ends the notes. */
  void passed(byte[] key, byte[] record, int length, long expiryMillis) {
    if (stopped) {
      return;
    }
    stopped =
        expiryMillis != Expiry.NEVER
            || keys.size() == RowMemory.MAX_SLICE_RECORDS
            || bytes + length > RowMemory.MAX_PAGE_BYTES;
    if (!stopped) {
      keys.add(key);
      records.add(Arrays.copyOf(record, length));
      bytes += length;
    }
  }

  /** Notes no more: the scan passes a record unread. */
  void stop() {
    stopped = true;
  }

  /** Puts what was noted into memory; {@code all} if the scan has passed the whole range. */
  void end(boolean all) {
    boolean whole = all && !stopped;
    stopped = true;
    if (ticket == WriterStripe.BUSY || (keys.isEmpty() && !whole)) {
      return;
    }
    byte[][] inOrder = keys.toArray(NONE);
    byte[][] itsRecords = records.toArray(NONE);
    keys.clear();
    records.clear();
    byte[] first = from;
    byte[] end = to;
    if (!forward) {
      reverse(inOrder);
      reverse(itsRecords);
      first = whole ? from : inOrder[0];
    } else if (!whole) {
      byte[] last = inOrder[inOrder.length - 1];
      end = Arrays.copyOf(last, last.length + 1);
    }
    memory.admit(lock, ticket, new RowPage(first, end, inOrder, itsRecords));
  }

  private static void reverse(byte[][] all) {
    for (int i = 0, j = all.length - 1; i < j; i++, j--) {
      byte[] one = all[i];
      all[i] = all[j];
      all[j] = one;
    }
  }
}
