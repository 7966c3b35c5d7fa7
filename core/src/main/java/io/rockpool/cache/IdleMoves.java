package io.rockpool.cache;

import io.rockpool.cache.IdleDeadlines.Note;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.format.CacheValueFormat;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.logging.OutageLog;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the deadlines of entries that are read, and writes them back.
 *
 * <p>A longer life is noted in memory only, until the record on disk expires. A killed process
 * loses the note, and the entry expires as if it had not been read. A shorter life is written
 * immediately, so that expired entries stay expired. So is a life beyond the record's. On an engine
 * that processes share, a life that is longer by a tenth of the idle time is written, too: other
 * processes know only the deadline on the server. If there are many notes, each read that adds one
 * writes back a few, in rounds. Closing writes back all.
 *
 * <p>A failed write-back never fails a read. The deadline stays in a note, which applies to every
 * cache of the name, and is tried again. If the process ends before it is written, the deadline on
 * disk applies.
 *
 * <p>Only the times of a record change, and only if it is still the record of the note. A read in a
 * transaction counts even if the transaction fails; its deadline is written afterwards.
 */
final class IdleMoves {
  /**
   * Notes that a read checks while there are many. It is twice the number that a read adds, because
   * each note is checked twice.
   */
  private static final int PER_READ = 4;

  /** On an engine of several processes, deadlines on the server are late by at most one part. */
  private static final int PARTS_OF_IDLE_TIME = 10;

  /** For this time after a failed write, reads try no other. */
  private static final long PAUSE_MILLIS = 1_000;

  private static final String WRITE_BACK = "The write-back of deadlines that reads have moved";

  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  private final Space space;
  private final CacheEntryFormat<?, ?> format;
  private final StripedWrites writes;
  private final @Nullable HotTier tier;
  private final BooleanSupplier closed;
  private final InstantSource clock;
  private final SharedSpace shared;
  private final IdleDeadlines notes;
  private final Engine engine;

  /**
   * Moves deadlines of the entries of one cache.
   *
   * @param tier null if entries are not kept in memory
   * @param closed whether the cache was closed
   */
  IdleMoves(
      SharedSpace shared,
      Engine engine,
      Space space,
      CacheEntryFormat<?, ?> format,
      StripedWrites writes,
      @Nullable HotTier tier,
      BooleanSupplier closed) {
    this.space = space;
    this.format = format;
    this.writes = writes;
    this.tier = tier;
    this.closed = closed;
    this.clock = engine.clock();
    this.shared = shared;
    this.notes = shared.idleDeadlines;
    this.engine = engine;
  }

  /**
   * Moves the deadline of an entry that was read.
   *
   * @param deadlineMillis the new deadline; 0 to expire it immediately
   * @param limited whether the expiry of the entry's record limits the deadline
   */
  void move(EntryKey key, HotEntry entry, long deadlineMillis, boolean limited) {
    long moved = deadlineMillis == 0 && isWatched() ? nowMillis() : deadlineMillis;
    Note note = Note.of(entry, moved, limited);
    if (note.movedMillis() == notes.moved(key, entry)) {
      return;
    }
    Note noted = notes.put(key, note, clock);
    if (noted != null && !noted.isOfSameRecord(note)) {
      // The record was written back or replaced. If it has the same value, the read applies to it,
      // too.
      HotEntry now = space.get(key.bytes(), Space.NO_SORT_KEY, format.header);
      if (now == null || now.print() != note.print()) {
        return;
      }
      note = Note.of(now, moved, limited);
      noted = notes.replace(key, note, clock);
    }
    if (!note.equals(noted)) {
      return;
    }
    if (note.shortens() || note.outlivesRecord() || isMissedElsewhere(note)) {
      Note urgent = note;
      engine.afterTransaction(() -> writeBackSoon(key, urgent));
    }
    if (notes.behind || notes.isCrowded()) {
      engine.afterTransaction(this::writeBackSome);
    }
  }

  /**
   * Whether another process would miss the entry by more than a part of its idle time too early.
   */
  private boolean isMissedElsewhere(Note note) {
    return shared.changesElsewhere
        && note.movedMillis() - note.storedMillis()
            >= (note.movedMillis() - nowMillis()) / PARTS_OF_IDLE_TIME;
  }

  private void writeBackSoon(EntryKey key, Note note) {
    if (isPausing()) {
      notes.behind = true;
      writes.end(
          key, writes.begin(key), null); // no tier serves an entry that only the note expires
    } else {
      writeBack(key, note);
    }
  }

  private void writeBackSome() {
    List<Map.Entry<EntryKey, Note>> some = isPausing() ? null : notes.next(PER_READ);
    if (some == null) {
      return;
    }
    if (some.size() < PER_READ) {
      notes.behind = notes.failed;
      notes.failed = false;
      if (!notes.behind) {
        EngineUpkeep.of(engine).upkeep().succeeded(WRITE_BACK);
      }
    }
    for (Map.Entry<EntryKey, Note> next : some) {
      if (!meet(key(next.getKey().bytes()), next.getValue())) {
        return;
      }
    }
  }

  /** Writes back every note. If a write fails, the rest is lost with the process. */
  void writeBackAll() {
    for (Map.Entry<EntryKey, Note> next : notes.all()) {
      if (!meet(key(next.getKey().bytes()), next.getValue())) {
        return;
      }
    }
  }

  private boolean meet(EntryKey key, Note note) {
    if (note.isWritten() || (!note.shortens() && note.movedMillis() <= nowMillis())) {
      notes.forget(key, note);
      return true;
    }
    return writeBack(key, note);
  }

  /**
   * Writes the deadline of a note to its record, if the record still exists; returns whether that
   * succeeded.
   */
  private boolean writeBack(EntryKey key, Note note) {
    HotEntry before = tier == null ? null : tier.get(key.hot()); // before the write hides it
    long begun = writes.begin(key);
    HotEntry left = null;
    try {
      HotEntry now =
          shared
              .unsynced
              .transact(key.bytes(), row -> Optional.ofNullable(rewrite(row, note)))
              .orElse(null);
      if (now == null) {
        notes.forget(key, note);
      } else {
        notes.written(key, note, now);
        left =
            before != null && note.isOf(before)
                ? before.moved(now.deadlineMillis(), now.expiryMillis())
                : null;
      }
      return true;
    } catch (RuntimeException e) {
      failed(e);
      return false;
    } finally {
      writes.end(key, begun, left);
    }
  }

  /** The current entry; null if it was replaced or removed. */
  private @Nullable HotEntry rewrite(Row row, Note note) {
    RowRecord record = row.get(Space.NO_SORT_KEY);
    if (record == null) {
      return null;
    }
    byte[] bytes = record.value();
    int header = CacheValueFormat.headerBytes(bytes, 0, bytes.length);
    HotEntry there = format.header(bytes, 0, bytes.length, record.expiryMillis());
    if (!note.isOf(there)
        || note.print() != IdleDeadlines.print(bytes, header, bytes.length - header)) {
      return null;
    }
    long now = nowMillis();
    long moved = note.movedMillis();
    boolean watched = isWatched();
    if (moved <= now && !watched) {
      row.delete(Space.NO_SORT_KEY);
      return null;
    }
    byte[] payload = Arrays.copyOfRange(bytes, header, bytes.length);
    long slack = watched ? IdleDeadlines.WATCHED_SLACK_MILLIS : IdleDeadlines.SLACK_MILLIS;
    long expiry =
        note.limited() ? record.expiryMillis() : IdleDeadlines.recordExpiry(moved, now, slack);
    row.put(
        Space.NO_SORT_KEY,
        CacheValueFormat.encode(
            payload,
            moved,
            CacheValueFormat.refreshMillis(bytes, 0),
            CacheValueFormat.tags(bytes, 0, bytes.length)),
        expiry);
    return there.moved(moved, expiry);
  }

  private void failed(RuntimeException e) {
    if (OutageLog.isOutage(e)) {
      EngineUpkeep.of(engine).upkeep().failed(WRITE_BACK, e);
    } else if (!notes.behind && !closed.getAsBoolean()) {
      LOG.warn(
          "A deadline that a read has moved could not be written to the cache \"{}\". Reads"
              + " continue, and the write is tried again; a restart before that loses the"
              + " deadline.",
          space.name(),
          e);
    }
    notes.behind = true;
    notes.failed = true;
    notes.failedMillis = nowMillis();
  }

  private boolean isPausing() {
    return notes.failed && Math.abs(nowMillis() - notes.failedMillis) < PAUSE_MILLIS;
  }

  private boolean isWatched() {
    return shared.caches.stream().anyMatch(HotKeysOf::isWatched);
  }

  private long nowMillis() {
    return clock.millis();
  }

  /** A key from its bytes. Another cache, which knows other classes, may have written them. */
  private EntryKey key(byte[] bytes) {
    try {
      return format.keyOf(bytes);
    } catch (UndecodableValueException e) {
      return EntryKey.of(bytes, bytes, false);
    }
  }
}
