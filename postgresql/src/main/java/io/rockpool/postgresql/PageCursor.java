package io.rockpool.postgresql;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.StoreClosedException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks over records a page at a time. Each page is a statement of its own, so a cursor holds no
 * connection and the server keeps nothing for it.
 */
final class PageCursor implements Cursor {
  /** Small for the many scans that end early; later pages are larger. */
  private static final int FIRST_PAGE_RECORDS = 64;

  private final Pages pages;
  private final Runnable checkOpen;
  private long limitLeft;
  private int pageRecords = FIRST_PAGE_RECORDS;
  private Iterator<RowRecord> page = List.<RowRecord>of().iterator();
  private @Nullable RecordKey last;
  private @Nullable RowRecord current;
  private boolean closed;

  /** Reads pages. */
  @FunctionalInterface
  interface Pages {
    /**
     * The next {@code limit} records behind {@code last}, or the first ones. Fewer at the end, or
     * if their values have {@link RecordStatements#PAGE_BYTES}.
     */
    List<RowRecord> next(@Nullable RecordKey last, int limit);
  }

  PageCursor(Pages pages, Runnable checkOpen, long limit) {
    this.pages = pages;
    this.checkOpen = checkOpen;
    this.limitLeft = limit;
  }

  @Override
  public boolean next() {
    checkUsable();
    current = null;
    if (!page.hasNext() && limitLeft > 0) {
      readPage();
    }
    if (page.hasNext()) {
      RowRecord record = page.next();
      current = record;
      last = new RecordKey(record.hashKey(), record.sortKey());
    }
    return current != null;
  }

  private void readPage() {
    int wanted = (int) Math.min(limitLeft, pageRecords);
    List<RowRecord> records = pages.next(last, wanted);
    long bytes = records.stream().mapToLong(PageCursor::bytes).sum();
    boolean isLast = records.size() < wanted && bytes < RecordStatements.PAGE_BYTES;
    limitLeft = isLast ? 0 : limitLeft - records.size();
    // The server goes over all records that are wanted, so not many more than fit.
    long fitting = RecordStatements.PAGE_BYTES * records.size() / Math.max(1, bytes) + 1;
    pageRecords = (int) Math.min(Limits.MAX_PAGE_RECORDS, fitting);
    page = records.iterator();
  }

  private static long bytes(RowRecord record) {
    return (long) record.hashKey().length + record.sortKey().length + record.value().length;
  }

  @Override
  public byte[] hashKey() {
    return current().hashKey().clone();
  }

  @Override
  public byte[] sortKey() {
    return current().sortKey().clone();
  }

  @Override
  public byte[] value() {
    return current().value().clone();
  }

  @Override
  public long expiryMillis() {
    return current().expiryMillis();
  }

  @Override
  public void close() {
    closed = true;
    current = null;
  }

  private void checkUsable() {
    if (closed) {
      throw new StoreClosedException("The cursor is closed; start another scan.");
    }
    checkOpen.run();
  }

  private RowRecord current() {
    checkOpen.run();
    RowRecord record = current;
    if (record == null) {
      throw new IllegalStateException(
          "The cursor has no current record: it is closed, at its end, or next() was not called yet.");
    }
    return record;
  }
}
