package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over records that reads a page at a time. It holds no native resources between pages,
 * because an iterator has no close.
 *
 * <p>Weakly consistent, like {@link Cursor}. It may return a record that was removed after its page
 * was read, but no record that has expired since. For a record that cannot be decoded, {@link
 * #next} throws, and the walk continues after it. If the structure is closed or dropped during the
 * walk, the next page throws {@link IllegalStateException}.
 */
final class Walk<T> implements Iterator<T> {
  /** Records in the first page. It is small, because many walks read the first element only. */
  private static final int FIRST_PAGE_RECORDS = 16;

  /** Records in later pages. Opening a cursor costs about as much as reading twenty records. */
  private static final int PAGE_RECORDS = 256;

  /** Bytes in a page. It bounds the memory of an abandoned walk over large values. */
  private static final int PAGE_BYTES = 1 << 20;

  private static final byte[] NO_VALUE = {};

  private final Function<@Nullable RowRecord, Cursor> behind;
  private final boolean withValues;
  private final InstantSource clock;
  private final Function<RowRecord, T> reader;
  private final Consumer<RowRecord> remover;
  private final ArrayDeque<RowRecord> page = new ArrayDeque<>();
  private int pageRecords = FIRST_PAGE_RECORDS;
  private boolean ended;
  private @Nullable RowRecord lastRead;
  private @Nullable RowRecord next;
  private @Nullable RowRecord lastReturned;

  /**
   * Creates a walk.
   *
   * @param behind opens a cursor over the records after a record, or over all for null
   * @param withValues whether the records have their values, or empty ones
   * @param clock decides what has expired
   * @param reader converts a record to an element
   * @param remover removes the element of a record
   */
  Walk(
      Function<@Nullable RowRecord, Cursor> behind,
      boolean withValues,
      InstantSource clock,
      Function<RowRecord, T> reader,
      Consumer<RowRecord> remover) {
    this.behind = behind;
    this.withValues = withValues;
    this.clock = clock;
    this.reader = reader;
    this.remover = remover;
  }

  @Override
  public boolean hasNext() {
    while (next == null) {
      if (page.isEmpty()) {
        if (ended) {
          return false;
        }
        readPage();
      } else {
        RowRecord record = page.remove();
        next = Expiry.isPast(record.expiryMillis(), clock) ? null : record;
      }
    }
    return true;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    RowRecord record = Objects.requireNonNull(next);
    next = null;
    lastReturned = record;
    return reader.apply(record);
  }

  @Override
  public void remove() {
    if (lastReturned == null) {
      throw new IllegalStateException("There is no element to remove; call next first.");
    }
    remover.accept(lastReturned);
    lastReturned = null;
  }

  private void readPage() {
    int bytes = 0;
    try (Cursor cursor = behind.apply(lastRead)) {
      while (page.size() < pageRecords && bytes < PAGE_BYTES) {
        if (!cursor.next()) {
          ended = true;
          return;
        }
        byte[] value = withValues ? cursor.value() : NO_VALUE;
        lastRead = new RowRecord(cursor.hashKey(), cursor.sortKey(), value, cursor.expiryMillis());
        page.add(lastRead);
        bytes += lastRead.sortKey().length + value.length;
      }
    }
    pageRecords = PAGE_RECORDS;
  }
}
