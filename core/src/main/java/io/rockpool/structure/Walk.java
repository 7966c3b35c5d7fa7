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
 * Walks over records a page at a time, and holds nothing of the store open between pages: an
 * iterator has no close.
 *
 * <p>Weakly consistent, as {@link Cursor} is. What was removed since its page was read may still be
 * shown; what has expired since is not. A record that cannot be decoded throws from {@link #next},
 * and the walk goes on behind it. Where the structure is closed or dropped meanwhile, the next page
 * throws {@link IllegalStateException}.
 */
final class Walk<T> implements Iterator<T> {
  /** Records in the first page: many a walk looks at the first element alone. */
  private static final int FIRST_PAGE_RECORDS = 16;

  /** Records in later pages: opening a cursor for one costs about as much as reading twenty. */
  private static final int PAGE_RECORDS = 256;

  /** Bytes in a page: bounds the memory of an abandoned walk over large values. */
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
   * A walk.
   *
   * @param behind opens a cursor over what comes after a record, or over all for null
   * @param withValues whether the records that are shown have their values, or empty ones
   * @param clock by which they expire
   * @param reader makes what is shown of a record
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
