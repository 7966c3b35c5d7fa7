package io.rockpool.structure;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rest of an iterator over distinct, sorted keys. */
final class SortedSpliterator<K> extends Spliterators.AbstractSpliterator<K> {
  private final Iterator<K> keys;
  private final @Nullable Comparator<? super K> comparator;

  /**
   * Creates a spliterator over {@code keys}, which are in the order of {@code comparator}; null for
   * the natural order.
   */
  SortedSpliterator(Iterator<K> keys, @Nullable Comparator<? super K> comparator) {
    super(Long.MAX_VALUE, DISTINCT | SORTED | ORDERED | NONNULL | CONCURRENT);
    this.keys = keys;
    this.comparator = comparator;
  }

  @Override
  public boolean tryAdvance(Consumer<? super K> action) {
    boolean more = keys.hasNext();
    if (more) {
      action.accept(keys.next());
    }
    return more;
  }

  @Override
  public @Nullable Comparator<? super K> getComparator() {
    return comparator;
  }
}
