package io.rockpool.internal.scan;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.RowRecord;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Reads records a page at a time. It holds no native resources between pages, because an iterator
 * has no close.
 */
public final class RecordPages {
  /** Records in a page. Opening a cursor costs about as much as reading twenty records. */
  private static final int PAGE_RECORDS = 256;

  /** Bytes in a page. It bounds the memory of an abandoned iterator over large values. */
  private static final int PAGE_BYTES = 1 << 20;

  private static final byte[] NO_VALUE = {};

  private final Source source;
  private final boolean withValues;
  private final ArrayDeque<RowRecord> page = new ArrayDeque<>();
  private int pageRecords;
  private boolean ended;
  private @Nullable RowRecord lastRead;

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
   * Creates a reader that has read nothing.
   *
   * @param source where the records are
   * @param withValues whether the records have their values, or empty ones
   * @param firstRecords the records in the first page
   */
  public RecordPages(
      Source source, boolean withValues, int firstRecords) {
    this.source = source;
    this.withValues = withValues;
    this.pageRecords = firstRecords;
  }

  /** Like the other constructor, with values and a first page as large as the others. */
  public RecordPages(Source source) {
    this(source, true, PAGE_RECORDS);
  }

  /** Removes and returns the next record of the page; null if the page has no more. */
  public @Nullable RowRecord poll() {
    return page.poll();
  }

  /** Whether the last page was read. */
  public boolean isEnded() {
    return ended;
  }

  /** Reads the next page. */
  public void read() {
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
