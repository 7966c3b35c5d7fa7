package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.error.StoreClosedException;
import java.util.Arrays;

/**
 * A cursor over records from {@link RowMemory}, which never expire. It holds no native memory, so
 * it needs no monitor and no watch.
 */
final class SliceCursor implements Cursor {
  private final RocksDbView view;
  private final byte[] hashKey;
  private final RowSlice slice;
  private boolean closed;
  private boolean positioned;

  SliceCursor(RocksDbView view, byte[] hashKey, RowSlice slice) {
    this.view = view;
    this.hashKey = hashKey;
    this.slice = slice;
  }

  @Override
  public boolean next() {
    checkOpen();
    positioned = slice.next();
    return positioned;
  }

  @Override
  public byte[] hashKey() {
    checkPositioned();
    return hashKey;
  }

  @Override
  public byte[] sortKey() {
    checkPositioned();
    return view.layout.sortKey(slice.key());
  }

  @Override
  public byte[] value() {
    checkPositioned();
    byte[] record = slice.value();
    int from = view.layout.valueOffset(Expiry.NEVER);
    return Arrays.copyOfRange(
        record, from, from + view.layout.valueLength(record, record.length, Expiry.NEVER));
  }

  @Override
  public long expiryMillis() {
    checkPositioned();
    return Expiry.NEVER;
  }

  @Override
  public void close() {
    closed = true;
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreClosedException("The cursor is closed; make another.");
    }
    view.checkOpen();
  }

  private void checkPositioned() {
    checkOpen();
    if (!positioned) {
      throw new IllegalStateException(RocksDbCursor.NO_RECORD);
    }
  }
}
