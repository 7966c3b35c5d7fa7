package io.rockpool.internal.backup;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a segment of a shipped log, which says what is in it: the changes of a timeline from
 * {@code first} to {@code last}, which were all made at or before {@code until}. {@code from} is
 * the {@code until} of the segment or backup before.
 *
 * <p>A <i>timeline</i> is one use of a store, from its opening to its close. So a number never
 * means two different changes of a timeline, whatever is restored or copied.
 *
 * @param timeline in hexadecimal
 * @param last {@code first - 1} if there are no changes
 * @param fromMillis since the epoch
 * @param sha256 the SHA-256 of the content, in hexadecimal
 */
record SegmentName(
    String timeline, long first, long last, long fromMillis, long untilMillis, String sha256) {
  /** The prefix of the names of all segments. */
  static final String FOLDER = "log/";

  private static final String NUMBER = "-(\\d{1,18})";
  private static final Pattern NAME =
      Pattern.compile(FOLDER + "([0-9a-f]{16})" + NUMBER.repeat(4) + "-([0-9a-f]{64})");

  /** The name of its object in the target. */
  String object() {
    return FOLDER
        + "%s-%s-%s-%s-%s-%s".formatted(timeline, first, last, fromMillis, untilMillis, sha256);
  }

  /** The segment that an object is, or nothing if it is something else. */
  static Optional<SegmentName> of(String object) {
    Matcher name = NAME.matcher(object);
    return name.matches()
        ? Optional.of(
            new SegmentName(
                name.group(1),
                Long.parseLong(name.group(2)),
                Long.parseLong(name.group(3)),
                Long.parseLong(name.group(4)),
                Long.parseLong(name.group(5)),
                name.group(6)))
        : Optional.empty();
  }

  boolean isEmpty() {
    return last < first;
  }

  Instant from() {
    return Instant.ofEpochMilli(fromMillis);
  }

  Instant until() {
    return Instant.ofEpochMilli(untilMillis);
  }
}
