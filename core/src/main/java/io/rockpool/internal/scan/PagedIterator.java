package io.rockpool.internal.scan;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.RowRecord;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over records that reads a page at a time. It holds no native resources between pages,
 * because an iterator has no close.
 *
 * @param <N> what a record is converted to when the iterator reaches it
 * @param <T> the type of the elements
 */
public abstract class PagedIterator<N, T> implements Iterator<T> {
  /** Records in a page. Opening a cursor costs about as much as reading twenty records. */
  protected static final int PAGE_RECORDS = 256;

  /** Bytes in a page. It bounds the memory of an abandoned iterator over large values. */
  private static final int PAGE_BYTES = 1 << 20;

  private static final byte[] NO_VALUE = {};

  private final Source source;
  private final boolean withValues;
  private final ArrayDeque<RowRecord> page = new ArrayDeque<>();
  private int pageRecords;
  private boolean ended;
  private @Nullable RowRecord lastRead;
  private @Nullable N next;
  private @Nullable N lastReturned;

  /** Where the records are. */
  public interface Source {
    /**
     * Opens a cursor over the records after a record, or over all for null.
     *
     * @param records how many will be read at most; the cursor may have more
     */
    Cursor behind(@Nullable RowRecord last, int records);
  }

  /**
   * Creates an iterator that has read nothing.
   *
   * @param source where the records are
   * @param withValues whether the records have their values, or empty ones
   * @param firstRecords the records in the first page
   */
  protected PagedIterator(Source source, boolean withValues, int firstRecords) {
    this.source = source;
    this.withValues = withValues;
    this.pageRecords = firstRecords;
  }

  /** Converts a record when the iterator reaches it; null skips the record. */
  protected abstract @Nullable N reach(RowRecord record);

  /** The element to return. If this throws, the iteration continues after it. */
  protected abstract T element(N reached);

  /** Removes a returned element. */
  protected abstract void remove(N returned);

  @Override
  public boolean hasNext() {
    while (next == null) {
      RowRecord record = page.poll();
      if (record != null) {
        next = reach(record);
      } else if (ended) {
        return false;
      } else {
        readPage();
      }
    }
    return true;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    N reached = Objects.requireNonNull(next);
    next = null;
    lastReturned = reached;
    return element(reached);
  }

  @Override
  public void remove() {
    if (lastReturned == null) {
      throw new IllegalStateException("There is no element to remove; call next first.");
    }
    remove(lastReturned);
    lastReturned = null;
  }

  /** Removes and returns the next record of the page; null if the page has no more. */
  protected final @Nullable RowRecord poll() {
    return page.poll();
  }

  /** Whether the last page was read. */
  protected final boolean isEnded() {
    return ended;
  }

  /** Reads the next page. */
  protected void readPage() {
    int bytes = 0;
    try (Cursor cursor = source.behind(lastRead, pageRecords)) {
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
