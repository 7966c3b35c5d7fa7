package io.rockpool.structure;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What an increment adds to a value: an integer or a fraction. Integers are added exactly, or not
 * at all.
 */
final class Addition {
  /** Digits of a sum. A sum of 1E+1000000 and 1 would have a million. */
  private static final long MAX_DIGITS = 1_000;

  private final long integer;
  private final double fraction;
  private final boolean isInteger;

  private Addition(long integer, double fraction, boolean isInteger) {
    this.integer = integer;
    this.fraction = fraction;
    this.isInteger = isInteger;
  }

  static Addition of(long by) {
    return new Addition(by, by, true);
  }

  /**
   * Adds a fraction.
   *
   * @throws IllegalArgumentException if it is not a number, or infinite
   */
  static Addition of(double by) {
    if (!Double.isFinite(by)) {
      throw new IllegalArgumentException("Cannot add " + by + "; give a finite number.");
    }
    return new Addition(0, by, false);
  }

  /** Whether values of this class are added inside a row transaction, as counters are. */
  static boolean isPlain(Class<?> valueClass) {
    return valueClass == Long.class || valueClass == Integer.class;
  }

  /**
   * The sum of a value and this. Null and empty text count as 0.
   *
   * @param owner the structure, for messages
   * @throws UnsupportedOperationException if this cannot be added to values of that class
   * @throws ArithmeticException if the sum is out of range
   * @throws NumberFormatException if the value is text, but not of a number
   */
  @SuppressWarnings("unchecked") // the class is checked
  <V> V to(@Nullable V value, Class<? super V> valueClass, Object owner) {
    if (isInteger && valueClass == Long.class) {
      return (V) (Long) Math.addExact(value == null ? 0 : (Long) value, integer);
    }
    if (isInteger && valueClass == Integer.class) {
      return (V)
          (Integer) Math.toIntExact(Math.addExact(value == null ? 0 : (Integer) value, integer));
    }
    if (valueClass == Double.class) {
      return (V) (Double) finite((value == null ? 0 : (Double) value) + fraction);
    }
    if (valueClass == BigDecimal.class) {
      return (V) exact(value == null ? BigDecimal.ZERO : (BigDecimal) value);
    }
    if (valueClass == String.class) {
      return (V) inText(value == null ? "" : (String) value);
    }
    if (valueClass == byte[].class) {
      String text = value == null ? "" : new String((byte[]) value, StandardCharsets.ISO_8859_1);
      return (V) inText(text).getBytes(StandardCharsets.ISO_8859_1);
    }
    throw new UnsupportedOperationException(
        owner
            + " holds values of "
            + valueClass.getName()
            + ", to which "
            + (isInteger ? "an integer" : "a fraction")
            + " cannot be added; use merge, or values of another type.");
  }

  private String inText(String text) {
    if (isInteger) {
      return Long.toString(
          Math.addExact(text.isEmpty() ? 0 : DecimalText.parseLong(text), integer));
    }
    return DecimalText.of(exact(text.isEmpty() ? BigDecimal.ZERO : DecimalText.parseDecimal(text)));
  }

  private BigDecimal exact(BigDecimal value) {
    BigDecimal by = isInteger ? BigDecimal.valueOf(integer) : BigDecimal.valueOf(fraction);
    long above = Math.max(digitsAbove(value), digitsAbove(by));
    long below = Math.max(value.scale(), by.scale());
    if (above + Math.max(0, below) > MAX_DIGITS) {
      throw new ArithmeticException(
          "The sum would have more than " + MAX_DIGITS + " digits. Nothing was changed.");
    }
    return value.add(by);
  }

  /** Digits before the point. */
  private static long digitsAbove(BigDecimal number) {
    return Math.max(0, (long) number.precision() - number.scale());
  }

  private static double finite(double sum) {
    if (!Double.isFinite(sum)) {
      throw new ArithmeticException("The sum is not a finite number. Nothing was changed.");
    }
    return sum;
  }
}
