package io.rockpool.internal.format;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file that marks a directory as a store: two lines of text, each with a line feed.
 *
 * <pre>
 * Rockpool store
 * format 1
 * </pre>
 *
 * <p>Of a newer format, a reader understands only the version number; more lines may follow.
 */
public final class MarkerFormat {
  /** The format version that this library writes. */
  public static final int VERSION = 1;

  private static final Pattern MARKER =
      Pattern.compile("Rockpool store\nformat ([1-9][0-9]{0,8})\n.*", Pattern.DOTALL);

  private MarkerFormat() {}

  /** The marker text of this format version. */
  public static String encode() {
    return encode(VERSION);
  }

  static String encode(int version) {
    return "Rockpool store\nformat " + version + "\n";
  }

  /** The format version in a marker text, or empty if it is not a marker. */
  public static OptionalInt decode(String text) {
    Matcher marker = MARKER.matcher(text);
    return marker.matches()
        ? OptionalInt.of(Integer.parseInt(marker.group(1)))
        : OptionalInt.empty();
  }
}
