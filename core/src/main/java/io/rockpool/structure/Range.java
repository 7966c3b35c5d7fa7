package io.rockpool.structure;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys of a sorted map or set, or of sort keys of a table's row, with direction and
 * limit. Immutable: each method returns a copy with one property changed, as in {@code
 * Range.<Long>all().from(10L).before(20L).reversed().limit(5)}.
 *
 * <p>To read page by page, give each range a {@link #limit}, and start the next one {@link #after}
 * the last key of the page ({@link #before} it, if the range is reversed).
 *
 * @param <K> the type of keys
 */
public final class Range<K> {
  private static final Range<?> ALL = new Range<>(null, null, null, false, Integer.MAX_VALUE);

  private final @Nullable End<K> low;
  private final @Nullable End<K> high;
  private final @Nullable Filter<K> filter;
  private final boolean reversed;
  private final int limit;

  private record End<K>(K key, boolean inclusive) {
    End {
      Objects.requireNonNull(key, "key");
    }
  }

  private record Filter<K>(KeyFilter.Kind kind, K part) {
    Filter {
      Objects.requireNonNull(part, "part");
    }
  }

  private Range(
      @Nullable End<K> low,
      @Nullable End<K> high,
      @Nullable Filter<K> filter,
      boolean reversed,
      int limit) {
    this.low = low;
    this.high = high;
    this.filter = filter;
    this.reversed = reversed;
    this.limit = limit;
  }

  /** Every key, lowest first. */
  @SuppressWarnings("unchecked") // it holds no key
  public static <K> Range<K> all() {
    return (Range<K>) ALL;
  }

  /** Starts at a key, inclusive. */
  public Range<K> from(K key) {
    return new Range<>(new End<>(key, true), high, filter, reversed, limit);
  }

  /** Starts after a key. */
  public Range<K> after(K key) {
    return new Range<>(new End<>(key, false), high, filter, reversed, limit);
  }

  /** Ends at a key, inclusive. */
  public Range<K> to(K key) {
    return new Range<>(low, new End<>(key, true), filter, reversed, limit);
  }

  /** Ends before a key. */
  public Range<K> before(K key) {
    return new Range<>(low, new End<>(key, false), filter, reversed, limit);
  }

  /**
   * Filters keys that start with {@code part}, and reads only these. It replaces any other filter.
   * Filters support strings, compared by character, and byte arrays, compared by byte. With other
   * key types, reading throws {@link UnsupportedOperationException}.
   */
  public Range<K> startingWith(K part) {
    return withFilter(KeyFilter.Kind.START, part);
  }

  /**
   * Filters keys that end with {@code part}. It reads the whole range, and replaces any other
   * filter.
   */
  public Range<K> endingWith(K part) {
    return withFilter(KeyFilter.Kind.END, part);
  }

  /**
   * Filters keys that contain {@code part}. It reads the whole range, and replaces any other
   * filter.
   */
  public Range<K> containing(K part) {
    return withFilter(KeyFilter.Kind.ANYWHERE, part);
  }

  private Range<K> withFilter(KeyFilter.Kind kind, K part) {
    return new Range<>(low, high, new Filter<>(kind, part), reversed, limit);
  }

  /** The same keys in the opposite direction. */
  public Range<K> reversed() {
    return new Range<>(low, high, filter, !reversed, limit);
  }

  /**
   * Limits the number of results; unlimited by default.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public Range<K> limit(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("The limit is " + count + "; give 0 or more.");
    }
    return new Range<>(low, high, filter, reversed, count);
  }

  int limit() {
    return limit;
  }

  /** The range of encoded keys. */
  KeyRange keys(SortedCodec<K, ?> codec) {
    KeyRange keys = KeyRange.ALL.sub(bound(low, codec), bound(high, codec));
    return reversed ? keys.descending() : keys;
  }

  private static <K> KeyRange.@Nullable Bound bound(@Nullable End<K> end, SortedCodec<K, ?> codec) {
    return end == null ? null : codec.bound(end.key(), end.inclusive());
  }

  /** The filter on encoded keys. */
  KeyFilter filter(SortedCodec<K, ?> codec) {
    return filter == null
        ? KeyFilter.NONE
        : new KeyFilter(filter.kind(), codec.partOfKey(filter.part()));
  }
}
