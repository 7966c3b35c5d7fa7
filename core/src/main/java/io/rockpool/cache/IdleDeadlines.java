package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Deadlines that reads have moved and that are not on disk yet, as notes in memory. A note belongs
 * to one record: it says nothing of another record of the same key, however alike their times are.
 *
 * <p>{@link IdleMoves} says when notes are written back. A process that is killed loses those that
 * were not, and their entries expire as if they had not been read.
 */
final class IdleDeadlines {
  /** From that many notes on, each read that leaves one writes some back: some 200 bytes each. */
  static final int MAX_NOTES = 8_192;

  /**
   * From that many notes on, which takes a disk that cannot be written to, reads leave none that
   * only lets an entry live longer.
   */
  static final int MOST_NOTES = 4 * MAX_NOTES;

  /** The least time by which a record outlives its deadline on disk. */
  static final long SLACK_MILLIS = 1_000;

  /**
   * The same where somebody is to be told of its end: some scans go by in that time, unless there
   * are tens of millions of entries, or who is told takes minutes for it.
   */
  static final long WATCHED_SLACK_MILLIS = 5 * ExpiryScans.PERIOD.toMillis();

  /**
   * A moved deadline.
   *
   * @param print of the value of the record it was moved for
   * @param storedMillis that record's deadline
   * @param expiryMillis that record's expiry
   * @param movedMillis the new deadline; 0 for one that ends the entry without a trace
   * @param limited whether the record's expiry is the limit of what reads may do
   */
  record Note(int print, long storedMillis, long expiryMillis, long movedMillis, boolean limited) {
    /** A note that the deadline of an entry is moved. */
    static Note of(HotEntry entry, long movedMillis, boolean limited) {
      return new Note(
          entry.print(),
          entry.deadlineMillis(),
          entry.expiryMillis(),
          limited ? Math.min(movedMillis, entry.expiryMillis()) : movedMillis,
          limited);
    }

    /** Whether this is about the record of an entry. A cache that takes no prints goes by times. */
    boolean isOf(HotEntry entry) {
      return storedMillis == entry.deadlineMillis()
          && expiryMillis == entry.expiryMillis()
          && (print == entry.print() || entry.print() == HotEntry.NO_PRINT);
    }

    boolean isOfSameRecord(Note other) {
      return print == other.print
          && storedMillis == other.storedMillis
          && expiryMillis == other.expiryMillis;
    }

    /** Whether the entry ends before its record on disk says so. */
    boolean shortens() {
      return movedMillis < storedMillis;
    }

    /** Whether the record on disk is gone before the entry ends. */
    boolean outlivesRecord() {
      return movedMillis > expiryMillis;
    }

    /** Whether the record's deadline, as the note that is there has moved it, is not past. */
    boolean comesInTime(@Nullable Note there, InstantSource clock) {
      long deadline =
          there != null && there.isOfSameRecord(this) ? there.movedMillis : storedMillis;
      return !Expiry.isPast(Math.min(deadline, expiryMillis), clock);
    }

    /** What is noted after this note came to another one, or to none: this, if it counts. */
    @Nullable Note after(@Nullable Note there, InstantSource clock) {
      return (there == null || there.isOfSameRecord(this)) && comesInTime(there, clock)
          ? this
          : there;
    }

    /** Whether the disk says the same. */
    boolean isWritten() {
      return movedMillis == storedMillis;
    }
  }

  private final ConcurrentHashMap<ByteKey, Note> notes = new ConcurrentHashMap<>();

  /** Whether notes may be left that should have been written and could not. */
  volatile boolean behind;

  /** Whether a write has failed in this round over the notes, and when. */
  volatile boolean failed;

  volatile long failedMillis;

  /** Held while the next notes are picked, never while they are written. */
  private final ReentrantLock hand = new ReentrantLock();

  private Iterator<Map.Entry<ByteKey, Note>> round = Collections.emptyIterator();

  /** A number by which values of a key are told apart; never {@link HotEntry#NO_PRINT}. */
  static int print(byte[] bytes, int offset, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, offset, length);
    int print = (int) sum.getValue();
    return print == HotEntry.NO_PRINT ? 1 : print;
  }

  /** The deadline of an entry, as reads have moved it; no later than its record lasts. */
  long effective(EntryKey key, HotEntry entry) {
    return Math.min(moved(key, entry), entry.expiryMillis());
  }

  /** As {@link #effective}; later than its record lasts where that is still to be written. */
  long moved(EntryKey key, HotEntry entry) {
    if (notes.isEmpty()) {
      return entry.deadlineMillis();
    }
    Note note = notes.get(key);
    return note != null && note.isOf(entry) ? note.movedMillis : entry.deadlineMillis();
  }

  /**
   * Notes that a read has moved a deadline, unless that is past: another read may have missed the
   * entry already, and it must not come back.
   *
   * @return what is noted of the key now: {@code note}, if it counts; that of another record if
   *     there is one, since one of the two is old
   */
  @Nullable Note put(EntryKey key, Note note, InstantSource clock) {
    Note noted = notes.computeIfPresent(key, (k, there) -> note.after(there, clock));
    if (noted != null) {
      return noted;
    }
    if (!note.shortens() && notes.size() >= MOST_NOTES) {
      return note.comesInTime(null, clock) ? note : null;
    }
    return notes.compute(key.byBytes(), (k, there) -> note.after(there, clock));
  }

  /** As {@link #put}, of the record that is on disk now. */
  @Nullable Note replace(EntryKey key, Note note, InstantSource clock) {
    return notes.compute(
        key.byBytes(), (k, there) -> note.comesInTime(there, clock) ? note : there);
  }

  /**
   * As {@link #effective}, after any read that is about to move the deadline. What is past now
   * stays past: such a read asks the clock later.
   */
  long settled(EntryKey key, HotEntry entry) {
    Note[] note = new Note[1];
    notes.computeIfPresent(key, (k, there) -> note[0] = there);
    long moved =
        note[0] != null && note[0].isOf(entry) ? note[0].movedMillis : entry.deadlineMillis();
    return Math.min(moved, entry.expiryMillis());
  }

  /**
   * Records that a note was written back, which gave the record new times. The rest of the note
   * stays until the next clock round: it shows a concurrent read that its record is out of date.
   */
  void written(EntryKey key, Note note, HotEntry now) {
    notes.computeIfPresent(
        key,
        (k, there) ->
            there.isOfSameRecord(note)
                ? Note.of(
                    now,
                    there.equals(note) ? now.deadlineMillis() : there.movedMillis,
                    note.limited)
                : there);
  }

  boolean isCrowded() {
    return notes.size() > MAX_NOTES;
  }

  /** Forgets what was noted of a key before this entry was written. */
  void forgetBefore(EntryKey key, HotEntry written) {
    if (!notes.isEmpty()) {
      notes.computeIfPresent(key, (k, note) -> note.isOf(written) ? note : null);
    }
  }

  void forget(EntryKey key) {
    if (!notes.isEmpty()) {
      notes.remove(key);
    }
  }

  /** Forgets a note, unless there is a newer one. */
  void forget(EntryKey key, Note note) {
    notes.remove(key, note);
  }

  void clear() {
    notes.clear();
  }

  List<Map.Entry<ByteKey, Note>> all() {
    return List.copyOf(notes.entrySet());
  }

  /**
   * The next few notes of a round over all; fewer at the end of a round; null where another thread
   * picks its own just now.
   */
  @Nullable List<Map.Entry<ByteKey, Note>> next(int most) {
    if (!hand.tryLock()) {
      return null;
    }
    try {
      if (!round.hasNext()) {
        round = notes.entrySet().iterator();
      }
      List<Map.Entry<ByteKey, Note>> picked = new ArrayList<>(most);
      while (picked.size() < most && round.hasNext()) {
        picked.add(round.next());
      }
      return picked;
    } finally {
      hand.unlock();
    }
  }

  /**
   * How long a record with this deadline is kept on disk: as long again as it has to live, so that
   * reads seldom write.
   */
  static long recordExpiry(long deadlineMillis, long nowMillis, long leastSlackMillis) {
    return deadlineMillis == Expiry.NEVER
        ? Expiry.NEVER
        : Expiry.after(deadlineMillis, Math.max(leastSlackMillis, deadlineMillis - nowMillis));
  }
}
