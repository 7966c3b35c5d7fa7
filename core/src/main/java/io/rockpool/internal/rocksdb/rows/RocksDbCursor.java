package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.format.RowRecordFormat;
import io.rockpool.internal.rocksdb.natives.Leaks;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.OpenScans;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over live records. It shows the records as of its creation, without those that have
 * expired when it reaches them.
 *
 * <p>A step takes three native calls, a requested sort key one more. The cursor frees its native
 * memory at its end or limit. Its methods are synchronized, because unsynchronized use by several
 * threads would crash the process. The monitor also keeps the cursor reachable during a call, so
 * {@link Leaks} does not close it then.
 */
final class RocksDbCursor implements Cursor {
  static final String NO_RECORD =
      "The cursor is at no record; call next(), and go on only if it says true.";

  /** Learns from the first step of a scan; called inside the {@code CloseGuard}. */
  interface FirstStep {
    void ended(NativeScan scan, boolean found);
  }

  private final RocksDbView view;
  private final RecordLayout layout;
  private final byte @Nullable [] hashKey;
  private final @Nullable NativeScan scan;
  private final Leaks.@Nullable Watch watch;
  private final @Nullable RowFiller filler;
  private final boolean showsExpired;
  private @Nullable FirstStep firstStep;
  private int left;
  private boolean closed;
  private boolean positioned;
  private byte @Nullable [] key;
  private int length;
  private long expiryMillis;

  /**
   * Creates a cursor over {@code scan}; null shows nothing. If {@code hashKey} is not null, all
   * records have it. {@code firstStep} learns from the first step, and {@code filler} notes what is
   * passed.
   */
  RocksDbCursor(
      RocksDbView view,
      byte @Nullable [] hashKey,
      @Nullable NativeScan scan,
      int limit,
      @Nullable FirstStep firstStep,
      @Nullable RowFiller filler) {
    this(view, hashKey, scan, limit, firstStep, filler, /* showsExpired= */ false);
  }

  /** Creates a cursor over all records of {@code scan}, also expired ones. */
  RocksDbCursor(RocksDbView view, NativeScan scan) {
    this(view, null, scan, Integer.MAX_VALUE, null, null, /* showsExpired= */ true);
  }

  private RocksDbCursor(
      RocksDbView view,
      byte @Nullable [] hashKey,
      @Nullable NativeScan scan,
      int limit,
      @Nullable FirstStep firstStep,
      @Nullable RowFiller filler,
      boolean showsExpired) {
    this.showsExpired = showsExpired;
    this.view = view;
    this.layout = view.layout;
    this.hashKey = hashKey;
    this.scan = scan;
    this.left = limit;
    this.firstStep = firstStep;
    this.filler = filler;
    this.watch = scan == null ? null : watch(this, view, scan);
  }

  private static Leaks.Watch watch(RocksDbCursor cursor, RocksDbView view, NativeScan scan) {
    OpenScans open = view.store.handles().scans();
    open.add(scan);
    return view.store
        .handles()
        .leaks()
        .watch(cursor, "A cursor", view.name(), () -> open.close(scan));
  }

  @Override
  public synchronized boolean next() {
    view.enter();
    try {
      checkOpen();
      positioned = scan != null && !scan.isClosed() && left > 0 && moveToLive(scan);
      if (positioned) {
        left -= left == Integer.MAX_VALUE ? 0 : 1;
      } else {
        end(left > 0 && (scan == null || !scan.isClosed()));
      }
      return positioned;
    } finally {
      view.leave();
    }
  }

  /** Frees what is native; {@code all} if all of the range was passed. */
  private void end(boolean all) {
    if (filler != null) {
      filler.end(all);
    }
    if (watch != null) {
      watch.close();
    }
  }

  private boolean moveToLive(NativeScan scan) {
    while (moveToStored(scan)) {
      key = null;
      length = scan.readValue();
      try {
        expiryMillis = layout.expiryMillis(scan.value(), length);
      } catch (CorruptStoreException e) {
        throw view.store.database().corrupt(view.name(), scan.key(), e);
      }
      if (filler != null && !filler.isStopped()) {
        key = scan.key();
        filler.passed(key, scan.value(), length, expiryMillis);
      }
      if (showsExpired || !Expiry.isPast(expiryMillis, view.clock())) {
        return true;
      }
    }
    return false;
  }

  private boolean moveToStored(NativeScan scan) {
    boolean found = scan.next();
    FirstStep first = firstStep;
    firstStep = null;
    if (first != null) {
      first.ended(scan, found);
    }
    return found;
  }

  @Override
  public synchronized byte[] hashKey() {
    checkPositioned();
    return hashKey == null ? layout.hashKey(key()) : hashKey;
  }

  @Override
  public synchronized byte[] sortKey() {
    checkPositioned();
    return layout.sortKey(key());
  }

  @Override
  public synchronized byte[] value() {
    byte[] record = checkPositioned().value();
    int from = layout.valueOffset(expiryMillis);
    return Arrays.copyOfRange(
        record, from, from + layout.valueLength(record, length, expiryMillis));
  }

  /** Whether the record, which is in a space of rows, is counted. */
  synchronized boolean isCounted() {
    return RowRecordFormat.isCounted(checkPositioned().value(), length);
  }

  @Override
  public synchronized long expiryMillis() {
    checkPositioned();
    return expiryMillis;
  }

  @Override
  public synchronized void close() {
    closed = true;
    end(false);
  }

  private byte[] key() {
    byte[] current = key;
    if (current == null) {
      view.enter();
      try {
        current = checkPositioned().key();
      } finally {
        view.leave();
      }
      key = current;
    }
    return current;
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreClosedException("The cursor is closed; make another.");
    }
    view.checkOpen();
  }

  private NativeScan checkPositioned() {
    checkOpen();
    if (!positioned || scan == null || scan.isClosed()) {
      // The scan may have been closed since the check above.
      checkOpen();
      throw new IllegalStateException(NO_RECORD);
    }
    return scan;
  }
}
