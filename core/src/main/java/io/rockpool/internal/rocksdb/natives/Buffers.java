package io.rockpool.internal.rocksdb.natives;

/** A key and a record on their way to or from native code, in arrays that are used again. */
public final class Buffers {
  private static final int FIRST_KEY_BYTES = 256;
  private static final int FIRST_RECORD_BYTES = 4 << 10;

  /** The largest arrays that are kept for later use; bounds what the pool holds. */
  private static final int MAX_KEPT_KEY_BYTES = 4 << 10;

  private static final int MAX_KEPT_RECORD_BYTES = 256 << 10;

  private byte[] key = new byte[FIRST_KEY_BYTES];
  private byte[] record = new byte[FIRST_RECORD_BYTES];

  /** Who had them last; no thread has the id 0. */
  private long threadId;

  /** Notes who has them now, and says whether it was another before. */
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
   * An array of at least {@code length} bytes, for a record; what it held is lost where it must
   * grow.
   */
  public byte[] record(int length) {
    if (record.length < length) {
      record = new byte[capacity(length)];
    }
    return record;
  }

  /** The array for records as it is. */
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
