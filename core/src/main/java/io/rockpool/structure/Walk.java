package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.internal.scan.PagedIterator;
import java.time.InstantSource;
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
final class Walk<T> extends PagedIterator<RowRecord, T> {
  /** Records in the first page. It is small, because many walks read the first element only. */
  private static final int FIRST_PAGE_RECORDS = 16;

  private final InstantSource clock;
  private final Function<RowRecord, T> reader;
  private final Consumer<RowRecord> remover;

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
      Source source,
      boolean withValues,
      InstantSource clock,
      Function<RowRecord, T> reader,
      Consumer<RowRecord> remover) {
    super(source, withValues, FIRST_PAGE_RECORDS);
    this.clock = clock;
    this.reader = reader;
    this.remover = remover;
  }

  @Override
  protected @Nullable RowRecord reach(RowRecord record) {
    return Expiry.isPast(record.expiryMillis(), clock) ? null : record;
  }

  @Override
  protected T element(RowRecord reached) {
    return reader.apply(reached);
  }

  @Override
  protected void remove(RowRecord returned) {
    remover.accept(returned);
  }
}
