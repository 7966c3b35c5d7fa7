package io.rockpool.structure;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which keys of a sorted map or set, or which sort keys of a table's row, are read, in which order
 * and how many. Immutable: each method returns a range that differs in one point, as in {@code
 * Range.<Long>all().from(10L).before(20L).reversed().limit(5)}.
 *
 * <p>To read page by page, give each range a {@link #limit}, and read the next one {@link #after}
 * the last key of the page before it ({@link #before} it, if it is reversed).
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

  /** Every key, from the lowest on. */
  @SuppressWarnings("unchecked") // it holds no key
  public static <K> Range<K> all() {
    return (Range<K>) ALL;
  }

  /** From a key on, that included. */
  public Range<K> from(K key) {
    return new Range<>(new End<>(key, true), high, filter, reversed, limit);
  }

  /** From behind a key on. */
  public Range<K> after(K key) {
    return new Range<>(new End<>(key, false), high, filter, reversed, limit);
  }

  /** Up to a key, that included. */
  public Range<K> to(K key) {
    return new Range<>(low, new End<>(key, true), filter, reversed, limit);
  }

  /** Up to a key, without that. */
  public Range<K> before(K key) {
    return new Range<>(low, new End<>(key, false), filter, reversed, limit);
  }

  /**
   * Only keys that begin with {@code part}; it alone is read. This filter, as the next two, takes
   * the place of any other. They are for keys that are strings or byte arrays, and compare them
   * character by character, or byte by byte; with other keys, reading is an {@link
   * UnsupportedOperationException}.
   */
  public Range<K> startingWith(K part) {
    return withFilter(KeyFilter.Kind.START, part);
  }

  /** Only keys that end with {@code part}; all of the range is read to find them. */
  public Range<K> endingWith(K part) {
    return withFilter(KeyFilter.Kind.END, part);
  }

  /** Only keys that hold {@code part} somewhere; all of the range is read to find them. */
  public Range<K> containing(K part) {
    return withFilter(KeyFilter.Kind.ANYWHERE, part);
  }

  private Range<K> withFilter(KeyFilter.Kind kind, K part) {
    return new Range<>(low, high, new Filter<>(kind, part), reversed, limit);
  }

  /** The same keys the other way round: from the highest on, if it was from the lowest on. */
  public Range<K> reversed() {
    return new Range<>(low, high, filter, !reversed, limit);
  }

  /**
   * No more than the first so many; all, by default.
   *
   * @throws IllegalArgumentException if it is negative
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

  /** The range as encoded keys. */
  KeyRange keys(SortedCodec<K, ?> codec) {
    KeyRange keys = KeyRange.ALL.sub(bound(low, codec), bound(high, codec));
    return reversed ? keys.descending() : keys;
  }

  private static <K> KeyRange.@Nullable Bound bound(@Nullable End<K> end, SortedCodec<K, ?> codec) {
    return end == null ? null : codec.bound(end.key(), end.inclusive());
  }

  /** What the keys of the range must be like beyond that. */
  KeyFilter filter(SortedCodec<K, ?> codec) {
    return filter == null
        ? KeyFilter.NONE
        : new KeyFilter(filter.kind(), codec.partOfKey(filter.part()));
  }
}
