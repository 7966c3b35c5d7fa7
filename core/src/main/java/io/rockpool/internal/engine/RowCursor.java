package io.rockpool.internal.engine;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.error.StoreClosedException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks over a row inside a transaction, a page at a time; see {@link JoinedSpace#scan}. It holds
 * only the page, which is of limited size.
 */
final class RowCursor implements Cursor {
  /** Small for the many scans that end early; later pages are larger. */
  private static final int FIRST_PAGE_RECORDS = 64;

  private static final long PAGE_BYTES = 1 << 20;

  private final Row row;
  private final Runnable checkRunning;
  private final Direction direction;
  private SortRange rangeLeft;
  private int limitLeft;
  private int pageRecords = FIRST_PAGE_RECORDS;
  private Iterator<RowRecord> page = List.<RowRecord>of().iterator();
  private @Nullable RowRecord current;
  private boolean closed;

  /** A cursor over {@code limit} records; {@code checkRunning} throws once the run has ended. */
  RowCursor(Row row, Runnable checkRunning, SortRange range, Direction direction, int limit) {
    this.row = row;
    this.checkRunning = checkRunning;
    this.rangeLeft = range;
    this.direction = direction;
    this.limitLeft = limit;
  }

  @Override
  public boolean next() {
    if (closed) {
      throw new StoreClosedException("The cursor is closed; start another scan.");
    }
    checkRunning.run();
    current = null;
    if (!page.hasNext()) {
      readPage();
    }
    if (page.hasNext()) {
      current = page.next();
    }
    return current != null;
  }

  private void readPage() {
    int wanted = Math.min(limitLeft, pageRecords);
    Row.Page read = row.page(rangeLeft, direction, wanted, PAGE_BYTES);
    List<RowRecord> records = read.records();
    limitLeft = read.isLast() ? 0 : limitLeft - records.size();
    pageRecords = Limits.MAX_PAGE_RECORDS;
    page = records.iterator();
    if (limitLeft > 0) {
      byte[] last = records.get(records.size() - 1).sortKey();
      rangeLeft =
          direction == Direction.FORWARD ? rangeLeft.from(last, false) : rangeLeft.to(last, false);
    }
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

  private RowRecord current() {
    checkRunning.run();
    RowRecord record = current;
    if (record == null) {
      throw new IllegalStateException(
          "The cursor has no current record: it is closed, at its end, or next() was not called"
              + " yet.");
    }
    return record;
  }
}
