package io.rockpool.internal.rocksdb.natives;

import java.util.List;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * A walk over raw records as they were when it began, within bounds that RocksDB keeps by itself.
 * Making and freeing one takes about a dozen native calls; a step takes two, and reading a key or a
 * value one each. Not thread-safe; the caller is inside the {@link CloseGuard}.
 *
 * <p>A walk within one generation may let the filters leave out files without that generation. This
 * holds in both directions as long as both bounds begin with the generation, because a backward
 * walk starts by looking for its upper bound; where they do not, the filters must be left aside.
 */
public final class NativeScan implements AutoCloseable {
  private static final int FIRST_VALUE_BYTES = 512;

  private final Database database;
  private final RocksIterator iterator;
  private final List<AbstractNativeReference> owned;
  private final boolean forward;
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

  /** Moves to the next record and says whether there is one. */
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

  /** How long it looked for its first record: many may be removed before that. */
  long startNanos() {
    return startNanos;
  }

  /** The key of the current record. */
  public byte[] key() {
    return iterator.key();
  }

  /** Reads the current record into {@link #value} and returns its length. */
  public int readValue() {
    int length = iterator.value(value);
    if (length > value.length) {
      value = new byte[length];
      length = iterator.value(value);
    }
    return length;
  }

  /** The record that was read last; the array is used again for the next. */
  public byte[] value() {
    return value;
  }

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
