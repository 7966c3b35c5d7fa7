package io.rockpool.cache;

import io.rockpool.cache.IdleDeadlines.Note;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.format.CacheValueFormat;
import io.rockpool.internal.logging.LoggerNames;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the deadlines of entries that are read, and writes them back.
 *
 * <p>What a read adds to an entry's life is noted in memory alone, as far as the record on disk
 * lasts: a killed process loses it, and the entry ends as if it had not been read. What a read
 * takes from an entry's life is written at once, so that what has ended stays so; and so is what
 * goes beyond the record. Where notes are many, each read that leaves one writes back a few, in
 * rounds. Closing writes back all.
 *
 * <p>A read never fails because of that. A deadline that cannot be written stays a note, which
 * counts for every cache of the name and is tried again; until it is written, a restart brings back
 * the deadline that the disk has.
 *
 * <p>Only the times of a record change, and only if it is still the one that the note is about. A
 * read in a transaction counts whatever becomes of it; what is to be written is so afterwards.
 */
final class IdleMoves {
  /** Notes looked at by a read while they are many: twice as many as come, as each is met twice. */
  private static final int PER_READ = 4;

  /** After a failed write reads try no other for so long. */
  private static final long PAUSE_MILLIS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  private final CacheEntries<?, ?> entries;
  private final SharedSpace shared;
  private final IdleDeadlines notes;
  private final Engine engine;

  IdleMoves(CacheEntries<?, ?> entries, SharedSpace shared, Engine engine) {
    this.entries = entries;
    this.shared = shared;
    this.notes = shared.idleDeadlines;
    this.engine = engine;
  }

  /**
   * Moves the deadline of an entry that was read.
   *
   * @param deadlineMillis the new deadline; 0 to end it at once
   * @param limited whether it is not moved beyond the expiry of the entry's record
   */
  void move(EntryKey key, HotEntry entry, long deadlineMillis, boolean limited) {
    long moved = deadlineMillis == 0 && isWatched() ? nowMillis() : deadlineMillis;
    Note note = Note.of(entry, moved, limited);
    if (note.movedMillis() == notes.moved(key, entry)) {
      return;
    }
    Note noted = notes.put(key, note, entries.clock());
    if (noted != null && !noted.isOfSameRecord(note)) {
      // Written back meanwhile, or replaced: where the value is the same, so was it read.
      HotEntry now = entries.space().get(key.bytes(), Space.NO_SORT_KEY, entries.format.header);
      if (now == null || now.print() != note.print()) {
        return;
      }
      note = Note.of(now, moved, limited);
      noted = notes.replace(key, note, entries.clock());
    }
    if (!note.equals(noted)) {
      return;
    }
    if (note.shortens() || note.outlivesRecord()) {
      Note urgent = note;
      engine.afterTransaction(() -> writeBackSoon(key, urgent));
    }
    if (notes.behind || notes.isCrowded()) {
      engine.afterTransaction(this::writeBackSome);
    }
  }

  private void writeBackSoon(EntryKey key, Note note) {
    if (isPausing()) {
      notes.behind = true;
      entries.writes.end(
          key, entries.writes.begin(key), null); // no tier serves what only the note ends
    } else {
      writeBack(key, note);
    }
  }

  private void writeBackSome() {
    List<Map.Entry<ByteKey, Note>> some = isPausing() ? null : notes.next(PER_READ);
    if (some == null) {
      return;
    }
    if (some.size() < PER_READ) {
      notes.behind = notes.failed;
      notes.failed = false;
    }
    for (Map.Entry<ByteKey, Note> next : some) {
      if (!meet(key(next.getKey().bytes()), next.getValue())) {
        return;
      }
    }
  }

  /** Writes back every note; those that are left where a write fails are lost with the process. */
  void writeBackAll() {
    for (Map.Entry<ByteKey, Note> next : notes.all()) {
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

  /** Gives the note's record its deadline, if it is still there; says whether that went well. */
  private boolean writeBack(EntryKey key, Note note) {
    HotTier tier = entries.hotTier();
    HotEntry hot = tier == null ? null : tier.get(key.hot()); // which the write hides
    long begun = entries.writes.begin(key);
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
            hot != null && note.isOf(hot)
                ? hot.moved(now.deadlineMillis(), now.expiryMillis())
                : null;
      }
      return true;
    } catch (RuntimeException e) {
      failed(e);
      return false;
    } finally {
      entries.writes.end(key, begun, left);
    }
  }

  /** The entry as it is now; null if it was another, or is gone. */
  private @Nullable HotEntry rewrite(Row row, Note note) {
    RowRecord record = row.get(Space.NO_SORT_KEY);
    if (record == null) {
      return null;
    }
    byte[] bytes = record.value();
    int header = CacheValueFormat.headerBytes(bytes, 0, bytes.length);
    HotEntry there = entries.format.header(bytes, 0, bytes.length, record.expiryMillis());
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
        CacheValueFormat.encode(payload, moved, CacheValueFormat.refreshMillis(bytes, 0)),
        expiry);
    return there.moved(moved, expiry);
  }

  private void failed(RuntimeException e) {
    if (!notes.behind && !entries.isClosed()) {
      LOG.warn(
          "A deadline that a read has moved could not be written to the cache \"{}\". Reads go on, and it is tried"
              + " again; until then a restart loses it.",
          entries.space().name(),
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
    return shared.caches.stream().anyMatch(cache -> cache.ended.isWatched());
  }

  private long nowMillis() {
    return entries.clock().millis();
  }

  /** A key by its bytes, which may be those of a cache that knows other classes. */
  private EntryKey key(byte[] bytes) {
    try {
      return entries.format.keyOf(bytes);
    } catch (UndecodableValueException e) {
      return EntryKey.of(bytes, bytes, false);
    }
  }
}
