package io.rockpool.internal.backup;

import io.rockpool.error.CorruptStoreException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The segments of the shipped logs in a target. */
final class SegmentList {
  /** A segment without changes comes before one that replaces it. */
  private static final Comparator<SegmentName> ORDER =
      Comparator.comparingLong(SegmentName::first).thenComparingLong(SegmentName::untilMillis);

  private final TargetObjects target;

  SegmentList(TargetObjects target) {
    this.target = target;
  }

  /** All segments, each timeline's in the order of their changes. */
  List<SegmentName> names() {
    List<SegmentName> names = new ArrayList<>();
    for (String object : target.list(SegmentName.FOLDER).keySet()) {
      SegmentName.of(object).ifPresent(names::add);
    }
    names.sort(ORDER);
    return names;
  }

  /**
   * Reads a segment.
   *
   * @throws CorruptStoreException if it is damaged
   */
  Segment read(SegmentName name) {
    byte[] bytes =
        target.access(
            "read from",
            () -> {
              try (InputStream in = target.get(name.object())) {
                return in.readAllBytes();
              }
            });
    String found = Sha256.of(bytes);
    if (!found.equals(name.sha256())) {
      throw target.damaged(name.object(), "has the SHA-256 " + found);
    }
    try {
      return Segment.decode(bytes);
    } catch (IllegalArgumentException e) {
      throw target.damaged(name.object(), "cannot be read: " + e.getMessage());
    }
  }

  /** Stores a segment; returns its name. */
  SegmentName add(String timeline, long first, long last, Segment segment) {
    byte[] bytes = segment.encode();
    List<LogMark> marks = segment.marks();
    SegmentName name =
        new SegmentName(
            timeline,
            first,
            last,
            marks.get(0).millis(),
            marks.get(marks.size() - 1).millis(),
            Sha256.of(bytes));
    target.put(name.object(), bytes.length, new ByteArrayInputStream(bytes));
    return name;
  }
}
