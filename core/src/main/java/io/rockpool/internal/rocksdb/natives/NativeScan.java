package io.rockpool.internal.rocksdb.natives;

import java.util.Arrays;
import java.util.List;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * A scan over raw records as of its start, within bounds that RocksDB enforces. Creating and
 * freeing one takes about a dozen native calls; a step takes two, and reading a key or a value one
 * each. Not thread-safe; call it inside the {@link CloseGuard}.
 *
 * <p>A scan within one generation may use the filters to skip files without that generation. This
 * works in both directions if both bounds begin with the generation, because a backward scan first
 * seeks its upper bound. With other bounds the filters must not be used.
 */
public final class NativeScan implements RecordScan {
  private static final int FIRST_KEY_BYTES = 128;
  private static final int FIRST_VALUE_BYTES = 512;

  private final Database database;
  private final RocksIterator iterator;
  private final List<AbstractNativeReference> owned;
  private final boolean forward;
  private byte[] key = new byte[FIRST_KEY_BYTES];
  private byte[] value = new byte[FIRST_VALUE_BYTES];
  private boolean started;
  private long startNanos;
  private volatile boolean closed;

  NativeScan(
      Database database,
      RocksIterator iterator,
      List<AbstractNativeReference> owned,
      boolean forward) {
    this.database = database;
    this.iterator = iterator;
    this.owned = owned;
    this.forward = forward;
  }

  @Override
  public boolean next() {
    if (!started) {
      start();
    } else if (forward) {
      iterator.next();
    } else {
      iterator.prev();
    }
    if (iterator.isValid()) {
      return true;
    }
    try {
      iterator.status();
    } catch (RocksDBException e) {
      throw database.failed(e, "scan");
    }
    return false;
  }

  private void start() {
    started = true;
    long begun = System.nanoTime();
    if (forward) {
      iterator.seekToFirst();
    } else {
      iterator.seekToLast();
    }
    startNanos = System.nanoTime() - begun;
  }

  /**
   * How long the search for the first record took, in nanoseconds: it may pass many removed
   * records.
   */
  long startNanos() {
    return startNanos;
  }

  /** Through an array that is used again: the call that allocates its result takes longer. */
  @Override
  public byte[] key() {
    int length = iterator.key(key);
    if (length > key.length) {
      key = new byte[length];
      length = iterator.key(key);
    }
    return Arrays.copyOf(key, length);
  }

  @Override
  public int readValue() {
    int length = iterator.value(value);
    if (length > value.length) {
      value = new byte[length];
      length = iterator.value(value);
    }
    return length;
  }

  @Override
  public byte[] value() {
    return value;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      iterator.close();
      owned.forEach(AbstractNativeReference::close);
      database.endScan();
    }
  }
}
