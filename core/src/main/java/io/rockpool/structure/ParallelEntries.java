package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The bulk operations of a map over its records, with several threads from a number of entries on.
 * Inside a transaction the calling thread does everything, because only its operations join.
 */
final class ParallelEntries {
  private final EntryReads<?, ?> reads;
  private final long threshold;
  private final boolean withValues;

  /**
   * Creates the operations.
   *
   * @param threshold the number of entries from which several threads work
   * @param withValues whether they see values
   */
  ParallelEntries(EntryReads<?, ?> reads, long threshold, boolean withValues) {
    this.reads = reads;
    this.threshold = threshold;
    this.withValues = withValues;
  }

  private List<Iterator<RowRecord>> shares() {
    boolean alone =
        threshold == Long.MAX_VALUE
            || reads.codec().space().inTransaction()
            || reads.count() < threshold;
    return reads.shares(alone ? 1 : SharedScan.threads(), withValues);
  }

  void forEach(Consumer<RowRecord> action) {
    List<Iterator<RowRecord>> shares = shares();
    Predicate<RowRecord> visitor =
        record -> {
          action.accept(record);
          return true;
        };
    SharedScan.run(shares, shares.stream().map(share -> visitor).toList());
  }

  /** A result that is not null, or null if there is none. */
  <U> @Nullable U search(Function<RowRecord, ? extends @Nullable U> function) {
    AtomicReference<@Nullable U> found = new AtomicReference<>();
    List<Iterator<RowRecord>> shares = shares();
    Predicate<RowRecord> visitor =
        record -> {
          U result = function.apply(record);
          if (result != null) {
            found.compareAndSet(null, result);
          }
          return result == null;
        };
    SharedScan.run(shares, shares.stream().map(share -> visitor).toList());
    return found.get();
  }

  /** The combination of all results that are not null, or null if there is none. */
  <U> @Nullable U reduce(
      Function<RowRecord, ? extends @Nullable U> transformer, BinaryOperator<U> reducer) {
    List<Iterator<RowRecord>> shares = shares();
    List<Sum<U>> sums =
        Stream.generate(() -> new Sum<U>(transformer, reducer)).limit(shares.size()).toList();
    SharedScan.run(shares, sums);
    return sums.stream()
        .map(sum -> sum.value)
        .filter(Objects::nonNull)
        .reduce(reducer)
        .orElse(null);
  }

  /** The combination of the results of one thread. */
  private static final class Sum<U> implements Predicate<RowRecord> {
    private final Function<RowRecord, ? extends @Nullable U> transformer;
    private final BinaryOperator<U> reducer;
    private @Nullable U value;

    Sum(Function<RowRecord, ? extends @Nullable U> transformer, BinaryOperator<U> reducer) {
      this.transformer = transformer;
      this.reducer = reducer;
    }

    @Override
    public boolean test(RowRecord record) {
      U result = transformer.apply(record);
      if (result != null) {
        value = value == null ? result : reducer.apply(value, result);
      }
      return true;
    }
  }
}
