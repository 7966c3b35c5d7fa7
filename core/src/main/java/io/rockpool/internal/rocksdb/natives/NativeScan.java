package io.rockpool.internal.rocksdb.natives;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

  /** A scan that took less may have passed anything. */
  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A step that passes no removed record takes less, also from the disk. */
  private static final long LONG_STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  private final Database database;
  private final ColumnFamily family;
  private final byte[] lower;
  private final byte[] upper;
  private final RocksIterator iterator;
  private final List<AbstractNativeReference> owned;
  private final boolean forward;
  private byte[] key = new byte[FIRST_KEY_BYTES];
  private byte[] value = new byte[FIRST_VALUE_BYTES];
  private boolean started;
  private long begunNanos;
  private long startNanos;
  private long steps;
  private volatile boolean closed;

  NativeScan(
      Database database,
      ColumnFamily family,
      byte[] lower,
      byte[] upper,
      RocksIterator iterator,
      List<AbstractNativeReference> owned,
      boolean forward) {
    this.database = database;
    this.family = family;
    this.lower = lower;
    this.upper = upper;
    this.iterator = iterator;
    this.owned = owned;
    this.forward = forward;
  }

  @Override
  public boolean next() {
    steps++;
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
    begunNanos = System.nanoTime();
    if (forward) {
      iterator.seekToFirst();
    } else {
      iterator.seekToLast();
    }
    startNanos = System.nanoTime() - begunNanos;
  }

  /** Searches for the first record again: the first time another thread may have been the cause. */
  public void startAgain() {
    start();
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
      if (wasLong()) {
        database.longScans().add(family, lower, upper);
      }
      database.endScan();
    }
  }

  /** Whether it may have passed many removed records, or its user or the disk was slow. */
  private boolean wasLong() {
    long nanos = started ? System.nanoTime() - begunNanos : 0;
    return nanos > LONG_NANOS && nanos / LONG_STEP_NANOS > steps;
  }
}
