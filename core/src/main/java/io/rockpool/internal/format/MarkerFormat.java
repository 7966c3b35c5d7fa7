package io.rockpool.internal.format;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The file that marks a directory as a store: lines of text, each with a line feed. A line for each
 * feature that the store began to use after its format says which libraries may open it: those that
 * know the feature's word.
 *
 * <pre>
 * Rockpool store
 * format 1
 * readable by WORD since VERSION
 * writable by WORD since VERSION
 * </pre>
 *
 * <p>Of a newer format, a reader understands only the version number.
 */
public final class MarkerFormat {
  /** The format version that this library writes. */
  public static final int VERSION = 1;

  /** The first version of Rockpool that reads and writes this format version. */
  private static final String FIRST = "0.1.0";

  private static final Pattern MARKER =
      Pattern.compile("Rockpool store\nformat ([1-9][0-9]{0,8})\n.*", Pattern.DOTALL);

  private static final Pattern FEATURE =
      Pattern.compile("(readable|writable) by ([a-z0-9-]{1,64}) since ([A-Za-z0-9.-]{1,32})");

  private MarkerFormat() {}

  /**
   * A feature that a store uses, and its format did not have at first.
   *
   * @param toRead whether a library needs the feature to read the store, or only to write it
   * @param since the first version of Rockpool that knows it
   */
  public record Feature(boolean toRead, String word, String since) {
    String line() {
      return (toRead ? "readable" : "writable") + " by " + word + " since " + since;
    }
  }

  /** The marker text of this format version. */
  public static String encode() {
    return encode(VERSION);
  }

  static String encode(int version) {
    return "Rockpool store\nformat " + version + "\n";
  }

  /** The marker text of a store that uses features. */
  static String encode(int version, List<Feature> features) {
    StringBuilder text = new StringBuilder(encode(version));
    features.forEach(feature -> text.append(feature.line()).append('\n'));
    return text.toString();
  }

  /**
   * The features of a store of this format version that this library does not know, which is each:
   * format 1 has none yet. A line that is no feature is one, too.
   *
   * @param toWrite whether the store is to be written, or only read
   */
  public static List<Feature> unknown(String text, boolean toWrite) {
    return features(text).stream().filter(feature -> toWrite || feature.toRead()).toList();
  }

  /**
   * Which versions of Rockpool may open a store of this format version.
   *
   * @param toWrite whether for writing
   */
  public static String openableBy(String text, boolean toWrite) {
    List<Feature> needed = unknown(text, toWrite);
    return needed.isEmpty()
        ? FIRST + " and later"
        : needed.stream()
            .map(it -> "those with " + it.word() + " (since " + it.since() + ")")
            .collect(Collectors.joining(", "));
  }

  /** The marker text of a copy that is only read. */
  public static String ofCopy(String text) {
    return text.lines()
        .filter(line -> !line.startsWith("writable by "))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** The features in a marker text. */
  static List<Feature> features(String text) {
    return text.lines().skip(2).map(MarkerFormat::feature).toList();
  }

  private static Feature feature(String line) {
    Matcher feature = FEATURE.matcher(line);
    return feature.matches()
        ? new Feature(feature.group(1).equals("readable"), feature.group(2), feature.group(3))
        : new Feature(true, line, "unknown");
  }

  /** The format version in a marker text, or empty if it is not a marker. */
  public static OptionalInt decode(String text) {
    Matcher marker = MARKER.matcher(text);
    return marker.matches()
        ? OptionalInt.of(Integer.parseInt(marker.group(1)))
        : OptionalInt.empty();
  }
}
