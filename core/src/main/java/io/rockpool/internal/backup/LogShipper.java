package io.rockpool.internal.backup;

import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.BackupMarker;
import io.rockpool.internal.rocksdb.files.LogRecord;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ships the log of a store to a target in segments, after a backup. A segment is one object, so it
 * is there whole or not at all. For one thread, unless a method says otherwise.
 */
public final class LogShipper implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** Segments are made on the heap. */
  private static final int MAX_SEGMENT_BYTES = 4 << 20;

  /** A restore replays this within a second. */
  private static final long MIN_LOG_BYTES = 64L << 20;

  /** Busy writers may be ahead of what one round ships. */
  private static final int MAX_ROUNDS = 100;

  private final TargetObjects target;
  private final SegmentList segments;
  private final LogSource source;
  private final String timeline;
  private final ShippingOptions options;
  private final Marks marks = new Marks();
  private final Closeable lock;
  private final AtomicBoolean unlocked = new AtomicBoolean();

  /** The number of the last change that was shipped. */
  private long position;

  /** The records that were read after it, and the number of their last change. */
  private final List<LogRecord> unsent = new ArrayList<>();

  private long unsentBytes;
  private long last;

  /** The record after those, which was not forced to disk yet. */
  private @Nullable LogRecord pending;

  /** The last segment if it has no changes: the next one replaces it. */
  private @Nullable SegmentName empty;

  private byte[] classes = {};
  private boolean gap;

  /** The last backup, and how much was shipped since. */
  private volatile LogSource.@Nullable Full full;

  private final AtomicLong loggedBytes = new AtomicLong();
  private volatile LogMark shipped = new LogMark(0, 0);

  private LogShipper(
      BackupTarget target, LogSource source, String timeline, ShippingOptions options) {
    this.target = new TargetObjects(target);
    this.segments = new SegmentList(this.target);
    this.source = source;
    this.timeline = timeline;
    this.options = options;
    this.lock = this.target.lock(BackupTarget.LOG);
  }

  /** Locks the log of a target. The source must be able to read what is written from now on. */
  public static LogShipper begin(
      BackupTarget target, LogSource source, String timeline, ShippingOptions options) {
    return new LogShipper(target, source, timeline, options);
  }

  /** Notes a moment of the store. On any thread. */
  public void mark(long sequence, long millis) {
    marks.add(sequence, millis);
  }

  /** The newest moment that can be restored. On any thread. */
  public Instant until() {
    return Instant.ofEpochMilli(shipped.millis());
  }

  /** Makes the backup with which the log begins. */
  public void backUpFirst() {
    LogSource.Full made = backUp();
    last = made.end().sequence();
    goOnAfter(made.end());
    shipped = made.end();
    loggedBytes.set(0);
    gap = false;
  }

  private LogSource.Full backUp() {
    long before = loggedBytes.get();
    LogSource.Full made = source.backUp();
    full = made;
    loggedBytes.addAndGet(-before);
    try (Closeable unused = target.lock(BackupTarget.BACKUPS)) {
      Instant oldest = Instant.ofEpochMilli(made.end().millis()).minus(options.keep());
      new Retention(target).keepSince(oldest);
    } catch (StoreLockedException e) {
      LOG.debug("Old backups stay for now: another backup is being made.", e);
    } catch (IOException e) {
      LOG.warn("Old backups stay for now.", e);
    }
    return made;
  }

  /**
   * Ships every change that was acknowledged before the call. Makes a backup if a part of the log
   * is missing or cannot be read, or after the target had vanished; has one made if it is due.
   */
  public void ship() {
    boolean complete;
    try {
      complete = shipRest();
    } catch (StoreIoException e) {
      gap |= hasNoBackups();
      throw e;
    }
    if (gap || !complete) {
      LOG.warn("The log that is shipped to {} has a gap; a new backup is made.", target);
      backUpFirst();
    }
    if (isBackupDue()) {
      source.backUpSoon();
    }
  }

  /** Whether the target has vanished with its backups; another may be there the next time. */
  private boolean hasNoBackups() {
    try {
      return new BackupList(target).names().isEmpty();
    } catch (StoreIoException e) {
      return BackupMarker.isMissing(e);
    }
  }

  /** Makes a backup if one is due. On any thread. */
  public void backUpIfDue() {
    if (isBackupDue()) {
      try {
        LogSource.Full unused = backUp();
      } catch (StoreLockedException e) {
        LOG.debug("A backup is made later: another one is being made.", e);
      }
    }
  }

  /**
   * Ships every change that was acknowledged before the call, unless a part is missing.
   *
   * @return whether the target has them all
   */
  public boolean shipRest() {
    source.look();
    LogMark goal = marks.newest();
    for (int round = 0; round < MAX_ROUNDS && !gap && isBehind(goal); round++) {
      shipOnce();
      if (isBehind(goal)) {
        source.look(); // the changes may be in a file of the log that has begun meanwhile
      }
    }
    return !isBehind(goal);
  }

  private boolean isBehind(LogMark goal) {
    return shipped.millis() < goal.millis() || shipped.sequence() < goal.sequence();
  }

  private boolean isBackupDue() {
    LogSource.Full before = full;
    long bytes = loggedBytes.get();
    return before != null
        && bytes > 0
        && (bytes > Math.max(before.bytes(), MIN_LOG_BYTES)
            || shipped.millis() - before.end().millis() >= options.backupPeriod().toMillis());
  }

  private void shipOnce() {
    long forced = source.force();
    while (readMany(forced)) {
      store();
    }
    store();
  }

  /** Reads records for a segment; returns whether it is full. */
  private boolean readMany(long forced) {
    while (unsentBytes < MAX_SEGMENT_BYTES) {
      LogRecord record = next(forced);
      gap = record != null && record.first() > last + 1;
      if (record == null || gap) {
        return false;
      }
      pending = null;
      if (record.last() > last) {
        unsent.add(record);
        unsentBytes += record.batch().length;
        last = record.last();
      }
    }
    return true;
  }

  /** The next record, if all of it was forced to disk; it stays {@link #pending}. */
  private @Nullable LogRecord next(long forced) {
    if (pending == null) {
      pending = source.read();
    }
    return pending != null && pending.last() <= forced ? pending : null;
  }

  /** Stores a segment with the unsent records, unless it says nothing new. */
  private void store() {
    List<LogMark> moments = marks.upTo(last);
    LogMark newest = moments.get(moments.size() - 1);
    if (unsent.isEmpty() && newest.millis() <= shipped.millis()) {
      return;
    }
    byte[] now = source.classes();
    boolean same = Arrays.equals(now, classes);
    Segment segment = new Segment(source.mayHoldCollections(), moments, same ? null : now, unsent);
    SegmentName stored = segments.add(timeline, position + 1, last, segment);
    SegmentName replaced = empty;
    shipped = newest;
    if (stored.isEmpty()) {
      empty = stored;
    } else {
      goOnAfter(newest);
      classes = now;
    }
    if (replaced != null && !replaced.equals(stored)) {
      target.delete(replaced.object());
    }
  }

  private void goOnAfter(LogMark mark) {
    marks.beginWith(mark);
    loggedBytes.addAndGet(unsentBytes);
    position = last;
    empty = null;
    unsent.clear();
    unsentBytes = 0;
  }

  /** Unlocks the target. On any thread; a second call does nothing. */
  @Override
  public void close() {
    if (unlocked.compareAndSet(false, true)) {
      target.unlock(lock);
    }
  }
}
