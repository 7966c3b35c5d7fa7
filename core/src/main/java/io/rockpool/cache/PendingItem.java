package io.rockpool.cache;

import java.util.Comparator;

/** A key with a pending change. Only {@link PendingIndex} changes it, under its lock. */
final class PendingItem {
  /** The order of the oldest changes of the keys. */
  static final Comparator<PendingItem> BY_AGE = Comparator.comparingLong(item -> item.first);

  /** The order in which keys are tried again. */
  static final Comparator<PendingItem> BY_RETRY =
      Comparator.<PendingItem>comparingLong(item -> item.retryMillis).thenComparing(BY_AGE);

  final EntryKey key;

  /** The sequence number of the oldest change that was not written; the position by age. */
  long first;

  /** When that change was made. */
  long sinceMillis;

  /** The sequence number of the newest change. */
  long sequence;

  /** The sequence number of the newest change when the item was claimed. */
  long claimed;

  /** The sequence number of the change that was written, but not yet acknowledged in the store. */
  long written;

  long bytes;

  /** Failures since the last success, alone or in a batch. */
  int failures;

  /** The largest batch in which the change may be tried again. */
  int company = Integer.MAX_VALUE;

  /** When the key is tried again; used after a failure only. */
  long retryMillis;

  boolean inFlight;
  boolean dead;

  PendingItem(EntryKey key, long sequence, long sinceMillis, long bytes) {
    this.key = key;
    this.first = sequence;
    this.sequence = sequence;
    this.sinceMillis = sinceMillis;
    this.bytes = bytes;
  }
}
