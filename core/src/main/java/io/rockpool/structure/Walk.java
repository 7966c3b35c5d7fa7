package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.internal.scan.RecordPages;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over records that reads a page at a time and holds nothing open between pages.
 *
 * <p>Weakly consistent, like {@link Cursor}. It may return a record that was removed after its page
 * was read, but no record that has expired since. For a record that cannot be decoded, {@link
 * #next} throws, and the walk continues after it. If the structure is closed or dropped during the
 * walk, the next page throws {@link IllegalStateException}.
 */
final class Walk<T> implements Iterator<T> {
  /** Records in the first page. It is small, because many walks read the first element only. */
  private static final int FIRST_PAGE_RECORDS = 16;

  private final RecordPages pages;
  private final InstantSource clock;
  private final Function<RowRecord, T> reader;
  private final Consumer<RowRecord> remover;
  private @Nullable RowRecord next;
  private @Nullable RowRecord lastReturned;

  /**
   * Creates a walk.
   *
   * @param source where the records are
   * @param withValues whether the records have their values, or empty ones
   * @param clock decides what has expired
   * @param reader converts a record to an element
   * @param remover removes the element of a record
   */
  Walk(
      RecordPages.Source source,
      boolean withValues,
      InstantSource clock,
      Function<RowRecord, T> reader,
      Consumer<RowRecord> remover) {
    this.pages = new RecordPages(source, withValues, FIRST_PAGE_RECORDS);
    this.clock = clock;
    this.reader = reader;
    this.remover = remover;
  }

  @Override
  public boolean hasNext() {
    while (next == null) {
      RowRecord record = pages.poll();
      if (record == null) {
        if (pages.isEnded()) {
          return false;
        }
        pages.read();
      } else {
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
}
