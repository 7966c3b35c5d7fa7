package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.internal.rocksdb.natives.RecordScan;
import io.rockpool.internal.rocksdb.rows.RowChanges.Cell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Merges stored records and changes of a row in the order of a scan; a change hides the record at
 * its sort key.
 */
final class RowMerge {
  private final TransactionRow row;
  private final @Nullable RecordScan stored;
  private final @Nullable RowFiller filler;
  private final Iterator<Cell> changed;
  private final Comparator<byte[]> order;
  private byte @Nullable [] nextKey;
  private byte @Nullable [] nextStored;
  private @Nullable Cell nextChanged;
  private boolean hidden;

  /** Merges; {@code filler} notes the stored records. */
  RowMerge(
      TransactionRow row,
      @Nullable RecordScan stored,
      @Nullable RowFiller filler,
      Iterator<Cell> changed,
      boolean forward) {
    this.row = row;
    this.stored = stored;
    this.filler = filler;
    this.changed = changed;
    this.order = forward ? RowChanges.ORDER : RowChanges.ORDER.reversed();
    advanceStored();
    advanceChanged();
  }

  /** Collects records until there are {@code limit} or they have {@code maxBytes}. */
  Row.Page collect(int limit, long maxBytes) {
    List<RowRecord> found = new ArrayList<>();
    long bytes = 0;
    while (found.size() < limit && bytes < maxBytes && !isAtEnd()) {
      RowRecord next = takeNext();
      if (next == null) {
        hidden = true;
      } else {
        found.add(next);
        bytes += (long) next.sortKey().length + next.value().length;
      }
    }
    return new Row.Page(found, isAtEnd() && found.size() < limit);
  }

  private boolean isAtEnd() {
    return nextStored == null && nextChanged == null;
  }

  /** Puts what was noted into memory. */
  void fill() {
    if (filler != null) {
      filler.end(nextStored == null);
    }
  }

  /** Whether it passed records that are deleted, or expired but still stored. */
  boolean passedHidden() {
    return hidden;
  }

  private @Nullable RowRecord takeNext() {
    byte[] storedKey = nextStored;
    Cell cell = nextChanged;
    if (cell == null || (storedKey != null && order.compare(storedKey, cell.sortKey()) < 0)) {
      RecordScan scan = Objects.requireNonNull(stored);
      int length = scan.readValue();
      RowRecord record =
          row.live(
              Objects.requireNonNull(storedKey),
              Objects.requireNonNull(nextKey),
              scan.value(),
              length,
              filler);
      advanceStored();
      return record;
    }
    if (storedKey != null && order.compare(storedKey, cell.sortKey()) == 0) {
      if (filler != null) {
        filler.stop(); // its record stays unread
      }
      advanceStored();
    }
    advanceChanged();
    return row.known(cell);
  }

  private void advanceStored() {
    nextKey = stored != null && stored.next() ? stored.key() : null;
    nextStored = nextKey == null ? null : row.sortKey(nextKey);
  }

  private void advanceChanged() {
    nextChanged = changed.hasNext() ? changed.next() : null;
  }
}
