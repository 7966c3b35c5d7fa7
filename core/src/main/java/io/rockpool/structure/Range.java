package io.rockpool.structure;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which keys of a sorted map, or which sort keys of a table's row, are read, in which order and how
 * many. Immutable: each method returns a range that differs in one point, as in {@code
 * Range.<Long>all().from(10L).before(20L).reversed().limit(5)}.
 *
 * <p>To read page by page, give each range a {@link #limit}, and read the next one {@link #after}
 * the last key of the page before it ({@link #before} it, if it is reversed).
 *
 * @param <K> the type of keys
 */
public final class Range<K> {
  private static final Range<?> ALL = new Range<>(null, false, null, false, false, Integer.MAX_VALUE);

  private final @Nullable K low;
  private final boolean lowInclusive;
  private final @Nullable K high;
  private final boolean highInclusive;
  private final boolean reversed;
  private final int limit;

  private Range(
      @Nullable K low,
      boolean lowInclusive,
      @Nullable K high,
      boolean highInclusive,
      boolean reversed,
      int limit) {
    this.low = low;
    this.lowInclusive = lowInclusive;
    this.high = high;
    this.highInclusive = highInclusive;
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
    return withLow(key, true);
  }

  /** From behind a key on. */
  public Range<K> after(K key) {
    return withLow(key, false);
  }

  /** Up to a key, that included. */
  public Range<K> to(K key) {
    return withHigh(key, true);
  }

  /** Up to a key, without that. */
  public Range<K> before(K key) {
    return withHigh(key, false);
  }

  /** The same keys the other way round: from the highest on, if it was from the lowest on. */
  public Range<K> reversed() {
    return new Range<>(low, lowInclusive, high, highInclusive, !reversed, limit);
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
    return new Range<>(low, lowInclusive, high, highInclusive, reversed, count);
  }

  private Range<K> withLow(K key, boolean inclusive) {
    Objects.requireNonNull(key, "key");
    return new Range<>(key, inclusive, high, highInclusive, reversed, limit);
  }

  private Range<K> withHigh(K key, boolean inclusive) {
    Objects.requireNonNull(key, "key");
    return new Range<>(low, lowInclusive, key, inclusive, reversed, limit);
  }

  int limit() {
    return limit;
  }

  /** The range as encoded keys. */
  KeyRange keys(Function<? super K, byte[]> encoder) {
    KeyRange keys =
        KeyRange.ALL.sub(
            low == null ? null : new KeyRange.Bound(encoder.apply(low), lowInclusive),
            high == null ? null : new KeyRange.Bound(encoder.apply(high), highInclusive));
    return reversed ? keys.descending() : keys;
  }
}
