package io.rockpool.internal.rocksdb.natives;

/** Reusable arrays for a key and a record on their way to or from native code. */
public final class Buffers {
  private static final int FIRST_KEY_BYTES = 256;
  private static final int FIRST_RECORD_BYTES = 4 << 10;

  /** The largest arrays that are kept; limits the size of the pool. */
  private static final int MAX_KEPT_KEY_BYTES = 4 << 10;

  private static final int MAX_KEPT_RECORD_BYTES = 256 << 10;

  private byte[] key = new byte[FIRST_KEY_BYTES];
  private byte[] record = new byte[FIRST_RECORD_BYTES];

  /** The last thread that used them; no thread has the id 0. */
  private long threadId;

  /** Records the thread that uses them now; returns whether another thread used them before. */
  boolean passTo(long newThreadId) {
    boolean another = threadId != newThreadId;
    threadId = newThreadId;
    return another;
  }

  /** An array of at least {@code length} bytes, for a key. */
  public byte[] key(int length) {
    if (key.length < length) {
      key = new byte[capacity(length)];
    }
    return key;
  }

  /**
   * An array of at least {@code length} bytes, for a record; its content is lost if it must grow.
   */
  public byte[] record(int length) {
    if (record.length < length) {
      record = new byte[capacity(length)];
    }
    return record;
  }

  /** The array for records at its current size. */
  public byte[] record() {
    return record;
  }

  boolean isWorthKeeping() {
    return key.length <= MAX_KEPT_KEY_BYTES && record.length <= MAX_KEPT_RECORD_BYTES;
  }

  private static int capacity(int length) {
    return length <= MAX_KEPT_RECORD_BYTES ? Integer.highestOneBit(length - 1) << 1 : length;
  }
}
