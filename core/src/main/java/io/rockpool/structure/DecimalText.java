package io.rockpool.structure;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/**
 * Numbers as text of ASCII digits, as Redis and Pegasus keep them. Digits of other scripts, which
 * {@link Long#parseLong} accepts, are refused. No message shows the text.
 */
final class DecimalText {
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");

  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?");

  /** Longer text is refused before it is parsed, because the time to parse it is quadratic. */
  private static final int MAX_CHARACTERS = 1_024;

  /** Digits behind the point that are kept, as in Redis. */
  private static final int MAX_SCALE = 17;

  private DecimalText() {}

  /**
   * Parses an integer of 64 bits.
   *
   * @throws NumberFormatException if the text is not one
   */
  static long parseLong(String text) {
    try {
      if (isShort(text) && INTEGER.matcher(text).matches()) {
        return Long.parseLong(text);
      }
    } catch (NumberFormatException e) {
      // Out of range. Its message would show the value.
    }
    throw refused(text, "the text of an integer of 64 bits in ASCII digits");
  }

  /**
   * Parses a decimal number with an optional exponent.
   *
   * @throws NumberFormatException if the text is not one
   */
  static BigDecimal parseDecimal(String text) {
    if (isShort(text) && DECIMAL.matcher(text).matches()) {
      return new BigDecimal(text);
    }
    throw refused(text, "the text of a decimal number in ASCII digits");
  }

  /** The text without an exponent, rounded to 17 digits behind the point, without zeros there. */
  static String of(BigDecimal number) {
    BigDecimal rounded =
        number.scale() > MAX_SCALE ? number.setScale(MAX_SCALE, RoundingMode.HALF_EVEN) : number;
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  private static boolean isShort(String text) {
    return text.length() <= MAX_CHARACTERS;
  }

  private static NumberFormatException refused(String text, String needed) {
    return new NumberFormatException(
        "A value of " + text.length() + " characters is not " + needed + ". Nothing was changed.");
  }
}
