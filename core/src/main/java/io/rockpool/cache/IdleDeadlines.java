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
 * Deadlines that reads have moved and that are not yet on disk, as notes in memory. A note belongs
 * to one record. It does not apply to another record of the same key, even one with the same times.
 *
 * <p>{@link IdleMoves} writes notes back. A killed process loses the others, and their entries
 * expire as if they had not been read.
 */
final class IdleDeadlines {
  /**
   * From this many notes on, each read that adds one writes some back. A note takes some 200 bytes.
   */
  static final int MAX_NOTES = 8_192;

  /**
   * From this many notes on, reads add none that only prolong a life. It takes a disk that cannot
   * be written to.
   */
  static final int MOST_NOTES = 4 * MAX_NOTES;

  /** The minimum time by which a record on disk outlives its deadline. */
  static final long SLACK_MILLIS = 1_000;

  /**
   * The same if listeners are notified of expired entries. Several scans start in that time, unless
   * there are tens of millions of entries or a listener takes minutes.
   */
  static final long WATCHED_SLACK_MILLIS = 5 * ExpiryScans.PERIOD.toMillis();

  /**
   * A moved deadline.
   *
   * @param print the print of the value in its record
   * @param storedMillis the deadline of its record
   * @param expiryMillis the expiry of its record
   * @param movedMillis the new deadline; 0 expires the entry without a trace
   * @param limited whether the record's expiry limits the deadline
   */
  record Note(int print, long storedMillis, long expiryMillis, long movedMillis, boolean limited) {
    /** A note about the record of an entry. */
    static Note of(HotEntry entry, long movedMillis, boolean limited) {
      return new Note(
          entry.print(),
          entry.deadlineMillis(),
          entry.expiryMillis(),
          limited ? Math.min(movedMillis, entry.expiryMillis()) : movedMillis,
          limited);
    }

    /**
     * Whether this note is about the record of an entry. In a cache without prints, the times
     * decide.
     */
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

    /** Whether the entry expires before the deadline on disk. */
    boolean shortens() {
      return movedMillis < storedMillis;
    }

    /** Whether the entry expires after its record on disk. */
    boolean outlivesRecord() {
      return movedMillis > expiryMillis;
    }

    /**
     * Whether the current deadline of the record, from {@code there} or else from disk, is not
     * past.
     */
    boolean comesInTime(@Nullable Note there, InstantSource clock) {
      long deadline =
          there != null && there.isOfSameRecord(this) ? there.movedMillis : storedMillis;
      return !Expiry.isPast(Math.min(deadline, expiryMillis), clock);
    }

    /**
     * The note that replaces {@code there}: this one, if it is for the same record and not too
     * late.
     */
    @Nullable Note after(@Nullable Note there, InstantSource clock) {
      return (there == null || there.isOfSameRecord(this)) && comesInTime(there, clock)
          ? this
          : there;
    }

    /** Whether the deadline on disk is the same. */
    boolean isWritten() {
      return movedMillis == storedMillis;
    }
  }

  private final ConcurrentHashMap<EntryKey, Note> notes = new ConcurrentHashMap<>();

  /** Whether there was ever a note. If not, the deadlines of entries are those of their records. */
  volatile boolean used;

  /** Whether there may be notes whose write failed. */
  volatile boolean behind;

  /** Whether a write has failed in this round, and when. */
  volatile boolean failed;

  volatile long failedMillis;

  /** Held while notes are chosen, not while they are written. */
  private final ReentrantLock hand = new ReentrantLock();

  private Iterator<Map.Entry<EntryKey, Note>> round = Collections.emptyIterator();

  /** A number that distinguishes values of a key; never {@link HotEntry#NO_PRINT}. */
  static int print(byte[] bytes, int offset, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, offset, length);
    int print = (int) sum.getValue();
    return print == HotEntry.NO_PRINT ? 1 : print;
  }

  /** The deadline of an entry with the moves of reads, at most the expiry of its record. */
  long effective(EntryKey key, HotEntry entry) {
    return Math.min(moved(key, entry), entry.expiryMillis());
  }

  /** Like {@link #effective}, but after the expiry of the record if that is still to be written. */
  long moved(EntryKey key, HotEntry entry) {
    Note note = notes.get(key);
    return note != null && note.isOf(entry) ? note.movedMillis : entry.deadlineMillis();
  }

  /**
   * Notes that a read has moved a deadline, unless that is past: another read may have found the
   * entry expired, so it must not reappear.
   *
   * @return the current note of the key: {@code note} if it was added, or that of another record,
   *     because one of the two is out of date
   */
  @Nullable Note put(EntryKey key, Note note, InstantSource clock) {
    used = true; // before there is a note
    Note noted = notes.computeIfPresent(key, (k, there) -> note.after(there, clock));
    if (noted != null) {
      return noted;
    }
    if (!note.shortens() && notes.size() >= MOST_NOTES) {
      return note.comesInTime(null, clock) ? note : null;
    }
    return notes.compute(key.byBytes(), (k, there) -> note.after(there, clock));
  }

  /** Like {@link #put}, for the record that is on disk now. */
  @Nullable Note replace(EntryKey key, Note note, InstantSource clock) {
    used = true;
    return notes.compute(
        key.byBytes(), (k, there) -> note.comesInTime(there, clock) ? note : there);
  }

  /**
   * Like {@link #effective}, after concurrent reads have moved the deadline. An entry that has
   * expired now stays expired, because later reads check the clock later.
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

  /** Removes the note of a key, unless it is about this entry, which was just written. */
  void forgetBefore(EntryKey key, HotEntry written) {
    if (notes.containsKey(key)) {
      notes.computeIfPresent(key, (k, note) -> note.isOf(written) ? note : null);
    }
  }

  void forget(EntryKey key) {
    notes.remove(key);
  }

  /** Removes a note, unless it was replaced. */
  void forget(EntryKey key, Note note) {
    notes.remove(key, note);
  }

  void clear() {
    notes.clear();
  }

  List<Map.Entry<EntryKey, Note>> all() {
    return List.copyOf(notes.entrySet());
  }

  /**
   * The next notes of a round over all; fewer at the end of a round; null if another thread is
   * choosing.
   */
  @Nullable List<Map.Entry<EntryKey, Note>> next(int most) {
    if (!hand.tryLock()) {
      return null;
    }
    try {
      if (!round.hasNext()) {
        round = notes.entrySet().iterator();
      }
      List<Map.Entry<EntryKey, Note>> picked = new ArrayList<>(most);
      while (picked.size() < most && round.hasNext()) {
        picked.add(round.next());
      }
      return picked;
    } finally {
      hand.unlock();
    }
  }

  /**
   * The expiry of a record with this deadline. It doubles the remaining life, so that reads rarely
   * write.
   */
  static long recordExpiry(long deadlineMillis, long nowMillis, long leastSlackMillis) {
    return deadlineMillis == Expiry.NEVER
        ? Expiry.NEVER
        : Expiry.after(deadlineMillis, Math.max(leastSlackMillis, deadlineMillis - nowMillis));
  }
}
