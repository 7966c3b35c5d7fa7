package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Deadlines that reads have moved and that are not on disk yet. A read never writes for the sake of
 * its entry's expiry: it leaves a note here. Notes are written back when there are many, when one
 * runs ahead of what the record on disk allows, and when the store closes; a process that is killed
 * loses them, and its entries expire as if they had not been read.
 */
final class IdleDeadlines {
  /** How many notes are kept before they are written back together: some 200 bytes each. */
  static final int MAX_NOTES = 8_192;

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
   * @param storedMillis the deadline of the record it was moved for; a record with another one was
   *     written since
   * @param movedMillis the new deadline
   */
  record Note(long storedMillis, long movedMillis) {}

  private final ConcurrentHashMap<ByteKey, Note> notes = new ConcurrentHashMap<>();

  /** The deadline of an entry whose record says {@code storedMillis}. */
  long effective(EntryKey key, long storedMillis) {
    if (notes.isEmpty()) {
      return storedMillis;
    }
    Note note = notes.get(byteKey(key));
    return note != null && note.storedMillis == storedMillis ? note.movedMillis : storedMillis;
  }

  /**
   * Notes that a read has moved a deadline.
   *
   * @return whether the note should be written back soon
   */
  boolean move(EntryKey key, HotEntry entry, long deadlineMillis) {
    notes.put(byteKey(key), new Note(entry.deadlineMillis(), deadlineMillis));
    long moved = deadlineMillis - entry.deadlineMillis();
    // As far as a slack can say: once it is written back, the next one says more.
    return moved > entry.slackMillis() || moved == Integer.MAX_VALUE;
  }

  boolean isCrowded() {
    return notes.size() > MAX_NOTES;
  }

  void forget(EntryKey key) {
    if (!notes.isEmpty()) {
      notes.remove(byteKey(key));
    }
  }

  void clear() {
    notes.clear();
  }

  /** Hands every note to {@code writer}, and forgets those that have not changed since. */
  void drain(BiConsumer<byte[], Note> writer) {
    for (var note : List.copyOf(notes.entrySet())) {
      writer.accept(note.getKey().bytes(), note.getValue());
      notes.remove(note.getKey(), note.getValue());
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

  private static ByteKey byteKey(EntryKey key) {
    return key.hot() instanceof ByteKey bytes ? bytes : new ByteKey(key.bytes());
  }
}
