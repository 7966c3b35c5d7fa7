package io.rockpool.internal.backup;

import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.RestorableTimes;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.logging.LoggerNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The moments that a target can restore: its backups, and the logs that go on from them. */
public final class LogHistory {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private final TargetObjects target;

  /** By time. */
  private final List<Stretch> stretches = new ArrayList<>();

  LogHistory(TargetObjects target) {
    this.target = target;
    Map<String, List<SegmentName>> logs = new HashMap<>();
    for (SegmentName segment : new SegmentList(target).names()) {
      logs.computeIfAbsent(segment.timeline(), timeline -> new ArrayList<>()).add(segment);
    }
    BackupList backups = new BackupList(target);
    for (BackupList.Named backup : backups.names()) {
      try {
        Manifest manifest = backups.read(backup);
        stretches.add(stretch(manifest, logs.getOrDefault(manifest.timeline(), List.of())));
      } catch (CorruptStoreException e) {
        LOG.error("A backup cannot be used.", e);
      }
    }
    stretches.sort(Comparator.comparing(stretch -> stretch.backup().until()));
  }

  /**
   * A backup, and the segments that go on from it without a gap.
   *
   * @param until the newest moment of all
   */
  record Stretch(Manifest backup, List<SegmentName> segments, Instant until) {}

  private static Stretch stretch(Manifest backup, List<SegmentName> log) {
    List<SegmentName> segments = new ArrayList<>();
    long last = backup.info().sequence();
    Instant until = backup.until();
    for (SegmentName segment : log) {
      // A shipping that was begun later has no moments of the time in between.
      if (segment.first() > last + 1 || segment.from().isAfter(until)) {
        break;
      }
      if (segment.last() >= last) {
        segments.add(segment);
        last = segment.last();
        until = segment.until().isAfter(until) ? segment.until() : until;
      }
    }
    return new Stretch(backup, segments, until);
  }

  /** The times that a target can restore, the earliest first. */
  public static List<RestorableTimes> of(BackupTarget target) {
    return new LogHistory(new TargetObjects(target)).times();
  }

  private List<RestorableTimes> times() {
    List<RestorableTimes> times = new ArrayList<>();
    for (Stretch stretch : stretches) {
      int newest = times.size() - 1;
      Instant from = stretch.backup().until();
      if (newest >= 0 && !from.isAfter(times.get(newest).until())) {
        RestorableTimes before = times.get(newest);
        Instant until = before.until().isAfter(stretch.until()) ? before.until() : stretch.until();
        times.set(newest, new RestorableTimes(before.from(), until));
      } else {
        times.add(new RestorableTimes(from, stretch.until()));
      }
    }
    return times;
  }

  /**
   * The newest backup from which a moment can be restored, and the segments until then.
   *
   * @throws StoreIoException if there is none
   */
  Stretch leadingTo(Instant moment) {
    for (int i = stretches.size() - 1; i >= 0; i--) {
      Stretch stretch = stretches.get(i);
      if (!stretch.backup().until().isAfter(moment) && !moment.isAfter(stretch.until())) {
        return cut(stretch, moment);
      }
    }
    throw new StoreIoException(
        "The backups in "
            + target
            + " cannot restore "
            + moment
            + ". They can restore "
            + around(moment)
            + ". Choose one of these times.",
        null,
        null);
  }

  private static Stretch cut(Stretch stretch, Instant moment) {
    if (moment.equals(stretch.backup().until())) {
      return new Stretch(stretch.backup(), List.of(), moment);
    }
    int count = 0;
    while (stretch.segments().get(count++).until().isBefore(moment)) {
      // All of this segment is needed.
    }
    return new Stretch(stretch.backup(), stretch.segments().subList(0, count), moment);
  }

  /** The last times before a moment, and the first ones after it. */
  private String around(Instant moment) {
    List<RestorableTimes> times = times();
    int later = 0;
    while (later < times.size() && times.get(later).from().isBefore(moment)) {
      later++;
    }
    List<String> around =
        times.subList(Math.max(0, later - 1), Math.min(times.size(), later + 1)).stream()
            .map(range -> range.from() + " to " + range.until())
            .toList();
    return around.isEmpty() ? "nothing" : String.join(", and ", around);
  }
}
