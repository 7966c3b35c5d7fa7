package io.rockpool.structure;

import io.rockpool.engine.Limits;
import io.rockpool.engine.RowRecord;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The hash keys of a table's rows. */
final class RowKeys<H> extends AbstractSet<H> {
  /** No sort key is above it. */
  static final byte[] LAST_SORT_KEY = lastSortKey();

  private final TableView<H, ?, ?> table;
  private final Supplier<Iterator<H>> walk;

  RowKeys(TableView<H, ?, ?> table, Supplier<Iterator<H>> walk) {
    this.table = table;
    this.walk = walk;
  }

  private static byte[] lastSortKey() {
    byte[] key = new byte[Limits.MAX_SORT_KEY_BYTES];
    Arrays.fill(key, (byte) 0xFF);
    return key;
  }

  @Override
  public Iterator<H> iterator() {
    return walk.get();
  }

  @Override
  @SuppressWarnings("unchecked") // the codec rejects other types
  public boolean contains(Object hashKey) {
    return table.containsRow((H) hashKey);
  }

  @Override
  public boolean isEmpty() {
    return table.isEmpty();
  }

  @Override
  public int size() {
    long count = 0;
    for (Iterator<H> rows = iterator(); rows.hasNext(); rows.next()) {
      count++;
    }
    return (int) Math.min(Integer.MAX_VALUE, count);
  }

  @Override
  public Spliterator<H> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(), Spliterator.DISTINCT | Spliterator.NONNULL | Spliterator.CONCURRENT);
  }

  /** The hash keys of records, each once. The records of a row come together. */
  static <H> Iterator<H> distinct(Iterator<RowRecord> records, Function<byte[], H> decoder) {
    return new Iterator<>() {
      private byte @Nullable [] last;
      private byte @Nullable [] next;

      @Override
      public boolean hasNext() {
        while (next == null && records.hasNext()) {
          byte[] hashKey = records.next().hashKey();
          next = Arrays.equals(hashKey, last) ? null : hashKey;
        }
        return next != null;
      }

      @Override
      public H next() {
        if (!hasNext() || next == null) {
          throw new NoSuchElementException();
        }
        last = next;
        next = null;
        return decoder.apply(last);
      }
    };
  }
}
