package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of one row until a limit. The row does not change meanwhile. It decodes nothing, so
 * it can run in a row transaction.
 */
final class RowFetch {
  /** Records in the first page of a scan; later ones depend on the size of the records. */
  private static final int FIRST_PAGE_RECORDS = 16;

  private static final int MAX_PAGE_RECORDS = 256;

  /** Records of a list that are read at a time. It bounds what is read beyond the limit. */
  private static final int KEYS_AT_ONCE = 64;

  private final long maxRecords;
  private final long maxBytes;
  private final List<RowRecord> records = new ArrayList<>();
  private long bytes;
  private boolean complete = true;

  /** A row that does not change. */
  interface SteadyRow {
    /** Like {@link Row#page}. */
    Row.Page page(SortRange range, Direction direction, int limit, long maxBytes);

    /** Like {@link Row#getAll}. */
    List<@Nullable RowRecord> getAll(List<byte[]> sortKeys);
  }

  /** What was read; {@code complete} says whether that is all. */
  record Result(List<RowRecord> records, boolean complete) {}

  private RowFetch(long maxRecords, long maxBytes) {
    this.maxRecords = maxRecords;
    this.maxBytes = maxBytes;
  }

  /** Reads the records of these sort keys, in their order. */
  static Result of(SteadyRow row, List<byte[]> sortKeys, long maxBytes) {
    RowFetch fetch = new RowFetch(Long.MAX_VALUE, maxBytes);
    for (int i = 0; i < sortKeys.size() && fetch.complete; i += KEYS_AT_ONCE) {
      List<byte[]> page = sortKeys.subList(i, Math.min(i + KEYS_AT_ONCE, sortKeys.size()));
      for (RowRecord record : row.getAll(page)) {
        if (record != null && fetch.complete) {
          fetch.add(record);
        }
      }
    }
    return fetch.result();
  }

  /** Reads the records of a range that pass the filter, without the first {@code offset}. */
  static Result of(
      SteadyRow row, KeyRange range, KeyFilter filter, long offset, long limit, long maxBytes) {
    RowFetch fetch = new RowFetch(limit, maxBytes);
    SortRange left = filter.within(range.sortRange());
    long toSkip = offset;
    int pageRecords = FIRST_PAGE_RECORDS;
    boolean ended = false;
    while (fetch.complete && !ended) {
      Row.Page read = row.page(left, range.direction(), pageRecords, Limits.MAX_BATCH_BYTES);
      List<RowRecord> page = read.records();
      for (RowRecord record : page) {
        if (fetch.complete && filter.passes(record.sortKey()) && toSkip-- <= 0) {
          fetch.add(record);
        }
      }
      ended = read.isLast();
      if (!ended) {
        left = KeyRange.behind(left, range.direction(), page.get(page.size() - 1).sortKey());
        pageRecords = fetch.nextPage(page);
      }
    }
    return fetch.result();
  }

  /** Adds a record, or notes that the limit was reached before it. */
  private void add(RowRecord record) {
    if (records.size() >= maxRecords || (bytes >= maxBytes && !records.isEmpty())) {
      complete = false;
    } else {
      records.add(record);
      bytes += bytesOf(record);
    }
  }

  /** About as many records as the limit allows, if they are as large as those of the last page. */
  private int nextPage(List<RowRecord> last) {
    long pageBytes = 1;
    for (RowRecord record : last) {
      pageBytes += bytesOf(record);
    }
    long left = Math.max(1, maxBytes - bytes);
    return (int) Math.max(1, Math.min(MAX_PAGE_RECORDS, left / (pageBytes / last.size() + 1) + 1));
  }

  private static long bytesOf(RowRecord record) {
    return (long) record.sortKey().length + record.value().length;
  }

  private Result result() {
    return new Result(records, complete);
  }
}
