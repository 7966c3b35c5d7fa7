package io.rockpool.internal.backup;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.rocksdb.files.LogRecord;
import io.rockpool.internal.rocksdb.files.RestoredFiles;
import io.rockpool.internal.rocksdb.natives.LogReplay;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds the changes of a log to the files of a restored backup, up to a moment. */
final class MomentReplay {
  private final TargetObjects target;
  private final SegmentList segments;
  private final Path directory;
  private byte @Nullable [] classes;
  private boolean mayHoldCollections;

  /**
   * @param directory the files of the backup
   */
  MomentReplay(TargetObjects target, Path directory) {
    this.target = target;
    this.segments = new SegmentList(target);
    this.directory = directory;
  }

  /**
   * Adds the changes of these segments.
   *
   * @param start the last moment of the backup
   * @param moment in the last segment
   * @param check throws if it must not continue
   * @return the newest known moment that is not after {@code moment}
   */
  LogMark run(LogMark start, List<SegmentName> names, Instant moment, Runnable check) {
    Segment last = segments.read(names.get(names.size() - 1));
    try (LogReplay replay = LogReplay.open(directory, RestoredFiles.database(directory))) {
      LogMark end = newest(last, moment, start);
      for (SegmentName name : names) {
        check.run();
        if (name.first() <= end.sequence() || name.equals(names.get(names.size() - 1))) {
          add(name, replay, end.sequence());
        }
      }
      if (replay.sequence() != end.sequence()) {
        throw target.damaged(
            names.get(names.size() - 1).object(),
            "ends with change " + replay.sequence() + " instead of " + end.sequence());
      }
      replay.finish();
      RestoredFiles.complete(directory, replay.sequence(), classes, mayHoldCollections);
      return end;
    }
  }

  /** The newest moment of a segment until {@code moment}, or the start if that is later. */
  private static LogMark newest(Segment segment, Instant moment, LogMark start) {
    LogMark newest = start;
    for (LogMark mark : segment.marks()) {
      if (mark.millis() <= moment.toEpochMilli() && mark.sequence() >= newest.sequence()) {
        newest = mark;
      }
    }
    return newest;
  }

  private void add(SegmentName name, LogReplay replay, long last) {
    Segment segment;
    try {
      segment = segments.read(name);
    } catch (CorruptStoreException e) {
      throw new CorruptStoreException(
          e.getMessage() + " Times until " + name.from() + " can be restored without it.", e);
    }
    byte[] list = segment.classes();
    if (list != null) {
      classes = list;
    }
    mayHoldCollections |= segment.mayHoldCollections();
    try {
      for (LogRecord record : segment.records()) {
        if (record.first() <= last) {
          replay.add(record, last);
        }
      }
    } catch (IllegalArgumentException e) {
      throw target.damaged(name.object(), "does not go on from the one before: " + e.getMessage());
    }
  }
}
