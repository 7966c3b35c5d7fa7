package io.rockpool.structure;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the value of a record; see {@link PersistentTable#when}. If there is no record,
 * only {@link #always}, {@link #absent} and {@link #absentOrEmpty} pass. Comparisons have the names
 * of {@link Range}. Immutable.
 *
 * <pre>{@code
 * boolean paid =
 *     baskets
 *         .when("ann", "paid", Check.absent())
 *         .mutate(new Mutations<String, Long>().put("paid", 1L).remove("apple"))
 *         .passed();
 * }</pre>
 *
 * <p>There are four kinds:
 *
 * <ul>
 *   <li>whether there is a record, and whether its value is empty: a string or byte array of length
 *       0. Values of other types are never empty.
 *   <li>whether a string or byte array starts with, ends with or contains another
 *   <li>how a value compares with another: byte arrays as unsigned bytes, all others by their
 *       {@code compareTo}
 *   <li>how a value compares with a number: an integer of at most 64 bits, or its text in ASCII
 *       digits, as a string or byte array
 * </ul>
 *
 * <p>A check that does not support a value's type throws {@link UnsupportedOperationException}. For
 * text that is not a number it throws {@link NumberFormatException}. In both cases nothing is
 * changed.
 *
 * @param <V> the type of values
 */
public final class Check<V> {
  private static final Check<?> ALWAYS = new Check<>("nothing", value -> true);

  private final String what;
  private final Predicate<@Nullable V> test;

  private Check(String what, Predicate<@Nullable V> test) {
    this.what = what;
    this.test = test;
  }

  /** A check that fails if there is no record. */
  private static <V> Check<V> ofValue(String what, Predicate<V> test) {
    return new Check<>(what, value -> value != null && test.test(value));
  }

  /** Always passes. */
  @SuppressWarnings("unchecked") // it reads no value
  public static <V> Check<V> always() {
    return (Check<V>) ALWAYS;
  }

  /** There is no record. */
  public static <V> Check<V> absent() {
    return new Check<>("is absent", value -> value == null);
  }

  /** There is no record, or its value is empty. */
  public static <V> Check<V> absentOrEmpty() {
    return new Check<>("is absent or empty", value -> value == null || isEmpty(value));
  }

  /** There is a record. */
  public static <V> Check<V> present() {
    return ofValue("exists", value -> true);
  }

  /** There is a record with a non-empty value. */
  public static <V> Check<V> notEmpty() {
    return ofValue("is not empty", value -> !isEmpty(value));
  }

  /** The value starts with {@code part}. */
  public static <V> Check<V> startsWith(V part) {
    return ofParts("starts with ", part, String::startsWith, Bytes::startsWith);
  }

  /** The value ends with {@code part}. */
  public static <V> Check<V> endsWith(V part) {
    return ofParts("ends with ", part, String::endsWith, Bytes::endsWith);
  }

  /** The value contains {@code part}. */
  public static <V> Check<V> contains(V part) {
    return ofParts("contains ", part, String::contains, Bytes::contains);
  }

  /** The value is less than {@code bound}. */
  public static <V> Check<V> lessThan(V bound) {
    return ofOrder("is less than ", bound, order -> order < 0);
  }

  /** The value is at most {@code bound}. */
  public static <V> Check<V> atMost(V bound) {
    return ofOrder("is at most ", bound, order -> order <= 0);
  }

  /** The value equals another by {@code equals}; arrays by their content. */
  public static <V> Check<V> equalTo(V other) {
    V kept = copy(other);
    return ofValue("equals " + other, value -> Objects.deepEquals(value, kept));
  }

  /** The value is at least {@code bound}. */
  public static <V> Check<V> atLeast(V bound) {
    return ofOrder("is at least ", bound, order -> order >= 0);
  }

  /** The value is greater than {@code bound}. */
  public static <V> Check<V> greaterThan(V bound) {
    return ofOrder("is greater than ", bound, order -> order > 0);
  }

  /** The value is a number less than {@code bound}. */
  public static <V> Check<V> numberLessThan(long bound) {
    return ofNumber("is a number below " + bound, number -> number < bound);
  }

  /** The value is a number of at most {@code bound}. */
  public static <V> Check<V> numberAtMost(long bound) {
    return ofNumber("is a number up to " + bound, number -> number <= bound);
  }

  /** The value is the number {@code other}. */
  public static <V> Check<V> numberEqualTo(long other) {
    return ofNumber("is the number " + other, number -> number == other);
  }

  /** The value is a number of at least {@code bound}. */
  public static <V> Check<V> numberAtLeast(long bound) {
    return ofNumber("is a number from " + bound + " on", number -> number >= bound);
  }

  /** The value is a number greater than {@code bound}. */
  public static <V> Check<V> numberGreaterThan(long bound) {
    return ofNumber("is a number above " + bound, number -> number > bound);
  }

  private static <V> Check<V> ofParts(
      String what,
      V part,
      BiPredicate<String, String> inText,
      BiPredicate<byte[], byte[]> inBytes) {
    V kept = copy(part);
    return ofValue(
        what + part,
        value -> {
          if (value instanceof String text && kept instanceof String textPart) {
            return inText.test(text, textPart);
          }
          if (value instanceof byte[] bytes && kept instanceof byte[] bytesPart) {
            return inBytes.test(bytes, bytesPart);
          }
          throw unsupported(value, "a string or byte array");
        });
  }

  private static <V> Check<V> ofOrder(String what, V bound, IntPredicate order) {
    V kept = copy(bound);
    return ofValue(what + bound, value -> order.test(compare(value, kept)));
  }

  private static <V> Check<V> ofNumber(String what, LongPredicate test) {
    return ofValue(what, value -> test.test(number(value)));
  }

  /** Whether a value passes. Null means that there is no record. */
  boolean passes(@Nullable V value) {
    return test.test(value);
  }

  /** A copy of the operand, which the caller may change later. */
  @SuppressWarnings("unchecked") // of the same class
  private static <V> V copy(V operand) {
    Objects.requireNonNull(operand, "operand");
    return operand instanceof byte[] bytes ? (V) bytes.clone() : operand;
  }

  private static boolean isEmpty(Object value) {
    return value instanceof CharSequence text
        ? text.isEmpty()
        : value instanceof byte[] bytes && bytes.length == 0;
  }

  @SuppressWarnings("unchecked") // both are V; the compiler cannot see that V is comparable
  private static <V> int compare(V a, V b) {
    if (a instanceof byte[] bytes && b instanceof byte[] others) {
      return Arrays.compareUnsigned(bytes, others);
    }
    if (a instanceof Comparable<?>) {
      return ((Comparable<? super V>) a).compareTo(b);
    }
    throw unsupported(a, "comparable");
  }

  private static long number(Object value) {
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    if (value instanceof String text) {
      return DecimalText.parseLong(text);
    }
    if (value instanceof byte[] bytes) {
      return DecimalText.parseLong(new String(bytes, StandardCharsets.ISO_8859_1));
    }
    throw unsupported(value, "an integer or text of one");
  }

  private static UnsupportedOperationException unsupported(Object value, String needed) {
    return new UnsupportedOperationException(
        "A value of "
            + value.getClass().getName()
            + " is not "
            + needed
            + "; choose another check.");
  }

  /** A description of the check, for messages. */
  @Override
  public String toString() {
    return "Check[" + what + "]";
  }
}
