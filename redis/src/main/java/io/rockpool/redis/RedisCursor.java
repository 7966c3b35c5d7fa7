package io.rockpool.redis;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreClosedException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Walks over entries whose sorted keys were listed, and reads a page of them at a time. */
final class RedisCursor implements Cursor {
  /** Small for the many scans that end early; later pages are larger. */
  private static final int FIRST_PAGE = 32;

  private static final int PAGE = 512;

  private final RedisSpace space;
  private final List<byte[]> hashKeys;
  private final @Nullable ScanTails tails;
  private final Deque<RowRecord> page = new ArrayDeque<>();
  private int read;
  private @Nullable RowRecord current;
  private byte @Nullable [] last;
  private boolean closed;

  /** A cursor over {@code hashKeys}; {@code tails} keeps what it has not shown, unless null. */
  RedisCursor(RedisSpace space, List<byte[]> hashKeys, @Nullable ScanTails tails) {
    this.space = space;
    this.hashKeys = hashKeys;
    this.tails = tails;
  }

  @Override
  public boolean next() {
    space.checkOpen();
    if (closed) {
      throw new StoreClosedException("The cursor is closed; start another scan.");
    }
    current = null;
    while (page.isEmpty() && read < hashKeys.size()) {
      readPage();
    }
    RowRecord next = page.poll();
    current = next;
    if (next != null) {
      last = next.hashKey();
    }
    return next != null;
  }

  private void readPage() {
    int end = Math.min(hashKeys.size(), read + (read == 0 ? FIRST_PAGE : PAGE));
    List<byte[]> wanted = hashKeys.subList(read, end);
    List<@Nullable StoredEntry> found = space.read(wanted);
    for (int i = 0; i < wanted.size(); i++) {
      StoredEntry entry = found.get(i);
      if (entry != null) {
        page.add(entry.record(wanted.get(i)));
      }
    }
    read = end;
  }

  @Override
  public byte[] hashKey() {
    return current().hashKey().clone();
  }

  @Override
  public byte[] sortKey() {
    current();
    return Space.NO_SORT_KEY.clone();
  }

  @Override
  public byte[] value() {
    return current().value().clone();
  }

  @Override
  public long expiryMillis() {
    return current().expiryMillis();
  }

  private RowRecord current() {
    space.checkOpen();
    RowRecord record = current;
    if (record == null) {
      throw new IllegalStateException(
          "The cursor has no current record: it is closed, at its end, or next() was not called"
              + " yet.");
    }
    return record;
  }

  @Override
  public void close() {
    if (!closed && tails != null && last != null) {
      // Not by what was read: keys without an entry, which a clear left, may be among the others.
      int shown = Collections.binarySearch(hashKeys, last, Arrays::compareUnsigned) + 1;
      tails.keep(last, hashKeys.subList(shown, hashKeys.size()));
    }
    closed = true;
    current = null;
  }
}
