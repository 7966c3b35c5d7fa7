package io.rockpool.structure;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys of a sorted map or set, of sort keys of a table's row, or of scores, ranks or
 * elements of a scored set, as in {@code Range.closedOpen(10L, 20L).reversed().limit(5)}.
 * Immutable: methods like {@link #limit} return a copy with one property changed.
 *
 * <p>A range may be empty, as {@code open(1L, 1L)} is. If its lower bound is above its upper bound,
 * the methods that it is given to throw {@link IllegalArgumentException}; those of a table find
 * nothing, as in Pegasus.
 *
 * <pre>{@code
 * List<Map.Entry<Instant, String>> page = log.read(Range.<Instant>all().limit(100));
 * while (!page.isEmpty()) {
 *   Instant last = page.get(page.size() - 1).getKey();
 *   page = log.read(Range.greaterThan(last).limit(100));
 * }
 * }</pre>
 *
 * <p>To read page by page, give each range a {@link #limit}, and start the next one after the last
 * key of the page: {@code greaterThan(last).limit(100)}, or {@code lessThan(last)} if the range is
 * reversed. That costs less than an {@link #offset}, which reads the skipped keys, and no key that
 * is put or removed meanwhile moves the pages.
 *
 * @param <K> the type of keys
 */
public final class Range<K> {
  private static final Range<?> ALL = new Range<>(null, null, null, false, 0, Long.MAX_VALUE);

  private final @Nullable End<K> low;
  private final @Nullable End<K> high;
  private final @Nullable KeyPart<K> filter;
  private final boolean reversed;
  private final long offset;
  private final long limit;

  /** A bound. */
  record End<K>(K key, boolean inclusive) {
    End {
      Objects.requireNonNull(key, "key");
    }
  }

  private Range(
      @Nullable End<K> low,
      @Nullable End<K> high,
      @Nullable KeyPart<K> filter,
      boolean reversed,
      long offset,
      long limit) {
    this.low = low;
    this.high = high;
    this.filter = filter;
    this.reversed = reversed;
    this.offset = offset;
    this.limit = limit;
  }

  private static <K> Range<K> of(@Nullable End<K> low, @Nullable End<K> high) {
    return new Range<>(low, high, null, false, 0, Long.MAX_VALUE);
  }

  /** Every key, lowest first. */
  @SuppressWarnings("unchecked") // it holds no key
  public static <K> Range<K> all() {
    return (Range<K>) ALL;
  }

  /** The keys from one to another, both inclusive. */
  public static <K> Range<K> closed(K low, K high) {
    return of(new End<>(low, true), new End<>(high, true));
  }

  /** The keys from one, inclusive, to another, exclusive. */
  public static <K> Range<K> closedOpen(K low, K high) {
    return of(new End<>(low, true), new End<>(high, false));
  }

  /** The keys from one, exclusive, to another, inclusive. */
  public static <K> Range<K> openClosed(K low, K high) {
    return of(new End<>(low, false), new End<>(high, true));
  }

  /** The keys between two, both exclusive. */
  public static <K> Range<K> open(K low, K high) {
    return of(new End<>(low, false), new End<>(high, false));
  }

  /** The keys from one on, inclusive. */
  public static <K> Range<K> atLeast(K low) {
    return of(new End<>(low, true), null);
  }

  /** The keys above one. */
  public static <K> Range<K> greaterThan(K low) {
    return of(new End<>(low, false), null);
  }

  /** The keys up to one, inclusive. */
  public static <K> Range<K> atMost(K high) {
    return of(null, new End<>(high, true));
  }

  /** The keys below one. */
  public static <K> Range<K> lessThan(K high) {
    return of(null, new End<>(high, false));
  }

  /** The keys that start with {@code part}; see {@link #startingWith}. */
  public static <K> Range<K> prefix(K part) {
    return Range.<K>all().startingWith(part);
  }

  /**
   * Filters keys that start with {@code part}, and reads only these. A range can have several
   * filters; keys have to pass all. Filters support strings, compared by character, and byte
   * arrays, compared by byte. With other key types, and with scores and ranks, reading throws
   * {@link UnsupportedOperationException}.
   */
  public Range<K> startingWith(K part) {
    return withFilter(KeyFilter.Kind.START, part);
  }

  /**
   * Filters keys that end with {@code part}, besides other filters. It reads the whole range, or
   * what starts with the part of {@link #startingWith}.
   */
  public Range<K> endingWith(K part) {
    return withFilter(KeyFilter.Kind.END, part);
  }

  /**
   * Filters keys that contain {@code part}, besides other filters. It reads the whole range, or
   * what starts with the part of {@link #startingWith}.
   */
  public Range<K> containing(K part) {
    return withFilter(KeyFilter.Kind.ANYWHERE, part);
  }

  private Range<K> withFilter(KeyFilter.Kind kind, K part) {
    return new Range<>(low, high, new KeyPart<>(kind, part, filter), reversed, offset, limit);
  }

  /** The same keys in the opposite direction. */
  public Range<K> reversed() {
    return new Range<>(low, high, filter, !reversed, offset, limit);
  }

  /**
   * Skips the first {@code count} results, in the range's direction; 0 by default.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public Range<K> offset(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("The offset is " + count + "; give 0 or more.");
    }
    return new Range<>(low, high, filter, reversed, count, limit);
  }

  /**
   * Limits the number of results, after the {@link #offset}; unlimited by default.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public Range<K> limit(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("The limit is " + count + "; give 0 or more.");
    }
    return new Range<>(low, high, filter, reversed, offset, count);
  }

  @Nullable End<K> low() {
    return low;
  }

  @Nullable End<K> high() {
    return high;
  }

  boolean isReversed() {
    return reversed;
  }

  long offset() {
    return offset;
  }

  /** The limit for a list. */
  int listLimit() {
    return (int) Math.min(Integer.MAX_VALUE, limit);
  }

  long limit() {
    return limit;
  }

  /**
   * This range, whose keys are to be removed.
   *
   * @throws IllegalArgumentException if it has an offset
   */
  Range<K> removable() {
    if (offset > 0) {
      throw new IllegalArgumentException(
          "The range to remove has an offset of " + offset + "; give one without.");
    }
    return this;
  }

  /** This range of numbers, which have no parts to filter by. */
  Range<K> unfiltered() {
    if (filter != null) {
      throw new UnsupportedOperationException(
          "Scores and ranks cannot be filtered; give a range without a filter.");
    }
    return this;
  }

  /** Whether the lower bound is above the upper one. */
  boolean isBackwards(SortedCodec<K, ?> codec) {
    return low != null
        && high != null
        && Arrays.compareUnsigned(codec.anyKey(low.key()), codec.anyKey(high.key())) > 0;
  }

  /**
   * The bytes that the elements of this range start with, or null.
   *
   * @throws UnsupportedOperationException if it has another filter, or several
   */
  byte @Nullable [] prefix(EntryCodec<K, ?> codec) {
    if (filter == null) {
      return null;
    }
    if (filter.kind() != KeyFilter.Kind.START || filter.also() != null) {
      throw new UnsupportedOperationException(
          "Elements of equal score can be filtered with one startingWith only; filter the result.");
    }
    return codec.partOfKey(filter.part());
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
    return KeyPart.filter(filter, codec::partOfKey);
  }
}
