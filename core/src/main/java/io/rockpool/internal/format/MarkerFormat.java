package io.rockpool.internal.format;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file that says that a directory is a store: two lines of text, each ended by a line feed.
 *
 * <pre>
 * Rockpool store
 * format 1
 * </pre>
 *
 * <p>What a reader knows of a newer format is its number alone; lines may follow.
 */
public final class MarkerFormat {
  /** The format this library writes. */
  public static final int VERSION = 1;

  private static final Pattern MARKER =
      Pattern.compile("Rockpool store\nformat ([1-9][0-9]{0,8})\n.*", Pattern.DOTALL);

  private MarkerFormat() {}

  /** The text of a store of this format. */
  public static String encode() {
    return encode(VERSION);
  }

  static String encode(int version) {
    return "Rockpool store\nformat " + version + "\n";
  }

  /** The format a text names, or nothing if it is no marker. */
  public static OptionalInt decode(String text) {
    Matcher marker = MARKER.matcher(text);
    return marker.matches()
        ? OptionalInt.of(Integer.parseInt(marker.group(1)))
        : OptionalInt.empty();
  }
}
