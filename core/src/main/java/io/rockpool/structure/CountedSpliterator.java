package io.rockpool.structure;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rest of an iterator, with an estimate of its size. It does not report {@link #SIZED}, because
 * the count may include expired elements. It reads the count when the estimate is asked for first:
 * most streams never ask.
 */
final class CountedSpliterator<T> extends Spliterators.AbstractSpliterator<T> {
  private static final int BATCH_STEP = 1 << 10;
  private static final int MAX_BATCH = 1 << 25;

  private final Iterator<T> elements;
  private final LongSupplier counter;
  private final @Nullable Comparator<? super T> comparator;
  private long count = -1;
  private long advanced;
  private int batch;

  /**
   * Creates a spliterator.
   *
   * @param counter counts all elements; {@code Long.MAX_VALUE} if that is not O(1)
   * @param characteristics those beside {@link #NONNULL} and {@link #CONCURRENT}
   * @param comparator the order of sorted elements; null for the natural order
   */
  CountedSpliterator(
      Iterator<T> elements,
      LongSupplier counter,
      int characteristics,
      @Nullable Comparator<? super T> comparator) {
    super(Long.MAX_VALUE, characteristics | NONNULL | CONCURRENT);
    this.elements = elements;
    this.counter = counter;
    this.comparator = comparator;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    if (!elements.hasNext()) {
      count = advanced;
      return false;
    }
    advanced++;
    action.accept(elements.next());
    return true;
  }

  /** Splits off a batch, each time a larger one. The JDK's own lost the estimate in Java 25. */
  @Override
  public @Nullable Spliterator<T> trySplit() {
    batch = Math.min(batch + BATCH_STEP, MAX_BATCH);
    Object[] part = new Object[(int) Math.min(batch, Math.max(1, estimateSize()))];
    int size = 0;
    while (size < part.length && elements.hasNext()) {
      part[size++] = elements.next();
    }
    if (size == 0) {
      count = advanced;
      return null;
    }
    advanced += size;
    return Spliterators.spliterator(part, 0, size, characteristics());
  }

  @Override
  public long estimateSize() {
    if (count < 0) {
      count = counter.getAsLong();
    }
    return count == Long.MAX_VALUE ? count : Math.max(0, count - advanced);
  }

  @Override
  public @Nullable Comparator<? super T> getComparator() {
    if (!hasCharacteristics(SORTED)) {
      throw new IllegalStateException("The elements are not sorted; check hasCharacteristics.");
    }
    return comparator;
  }
}
