package io.rockpool.cache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The keys with pending changes, in memory: which are to be written next, and how much is pending.
 * The changes themselves are in the store. A key is added after its commit, so the index may
 * briefly miss a key, or have one whose change was already written. Thread-safe; its lock is held
 * for moments only, and no other lock is taken under it.
 */
final class PendingIndex {
  private final Map<EntryKey, PendingItem> items = new HashMap<>();

  /** All items that are not dead letters. */
  private final TreeSet<PendingItem> live = new TreeSet<>(PendingItem.BY_AGE);

  /** Items that have not failed and are not in flight. */
  private final TreeSet<PendingItem> fresh = new TreeSet<>(PendingItem.BY_AGE);

  /** Items that wait for their next attempt. */
  private final TreeSet<PendingItem> failed = new TreeSet<>(PendingItem.BY_RETRY);

  private WriteBehindOptions options = WriteBehindOptions.defaults();
  private long bytes;
  private int dead;

  /** Changes up to this number are written without waiting for others. */
  private long urgent;

  private boolean stopped;

  synchronized void use(WriteBehindOptions newOptions) {
    options = newOptions;
    notifyAll();
  }

  /** Adds a change that was found in the store or has been committed. */
  synchronized void changed(
      EntryKey key, long sequence, long timeMillis, long size, boolean isDead) {
    PendingItem item = items.get(key);
    if (item == null) {
      item = new PendingItem(key, sequence, timeMillis, size);
      item.dead = isDead;
      items.put(key, item);
      bytes += size;
      if (isDead) {
        dead++;
      } else {
        revive(item);
      }
    } else if (sequence > item.sequence) {
      bytes += size - item.bytes;
      item.bytes = size;
      item.sequence = sequence;
      if (item.dead) {
        item.dead = false;
        dead--;
        item.first = sequence;
        item.sinceMillis = timeMillis;
        revive(item);
      }
    }
    notifyAll();
  }

  private void revive(PendingItem item) {
    item.failures = 0;
    item.company = Integer.MAX_VALUE;
    live.add(item);
    fresh.add(item);
  }

  /** Makes a dead letter live again. */
  synchronized void revive(EntryKey key) {
    PendingItem item = items.get(key);
    if (item != null && item.dead) {
      item.dead = false;
      dead--;
      revive(item);
      notifyAll();
    }
  }

  /** Takes the next batch, at most one item a key; empty if nothing is due. */
  synchronized List<PendingItem> claim(long nowMillis) {
    List<PendingItem> batch = new ArrayList<>();
    if (!failed.isEmpty() && failed.first().retryMillis <= nowMillis) {
      take(failed.iterator(), batch, nowMillis);
    } else if (dueMillis(nowMillis) <= nowMillis) {
      take(fresh.iterator(), batch, Long.MAX_VALUE);
    }
    for (PendingItem item : batch) {
      item.inFlight = true;
      item.claimed = item.sequence;
    }
    return batch;
  }

  private void take(Iterator<PendingItem> next, List<PendingItem> batch, long latestRetry) {
    int limit = options.batchSize();
    while (next.hasNext()) {
      PendingItem item = next.next();
      limit = Math.min(limit, item.company);
      if (batch.size() >= limit || item.retryMillis > latestRetry) {
        return;
      }
      batch.add(item);
      next.remove();
    }
  }

  /** When the next fresh batch is due. */
  private long dueMillis(long nowMillis) {
    if (fresh.isEmpty()) {
      return Long.MAX_VALUE;
    }
    PendingItem oldest = fresh.first();
    boolean now =
        fresh.size() >= options.batchSize() || oldest.first <= urgent || isFull(nowMillis);
    return now ? Long.MIN_VALUE : oldest.sinceMillis + options.delayMillis();
  }

  /**
   * Waits until a batch may be due.
   *
   * @param longestMillis the longest wait, because the clock may be another than the system's
   * @return false if stopped
   */
  synchronized boolean awaitDue(long nowMillis, long longestMillis) throws InterruptedException {
    if (stopped) {
      return false;
    }
    long due =
        Math.min(
            dueMillis(nowMillis), failed.isEmpty() ? Long.MAX_VALUE : failed.first().retryMillis);
    if (due > nowMillis) {
      TimeUnit.MILLISECONDS.timedWait(this, Math.min(longestMillis, due - nowMillis));
    }
    return !stopped;
  }

  /** Ends the wait of the thread that drains, now and later. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  synchronized void start() {
    stopped = false;
  }

  /** A claimed change up to this number was written and acknowledged, or is not there any more. */
  synchronized void done(PendingItem item, long sequence, long nowMillis) {
    item.inFlight = false;
    item.failures = 0;
    item.company = Integer.MAX_VALUE;
    if (item.sequence <= sequence) {
      forget(item);
    } else {
      live.remove(item);
      item.first = item.sequence; // a later change, which came while this one was written
      item.sinceMillis = nowMillis;
      live.add(item);
      fresh.add(item);
    }
    notifyAll();
  }

  private void forget(PendingItem item) {
    items.remove(item.key);
    live.remove(item);
    bytes -= item.bytes;
  }

  /**
   * A claimed change was not written, or not acknowledged.
   *
   * @param company the largest batch of its next attempt
   */
  synchronized void retry(PendingItem item, int company, long nowMillis) {
    item.inFlight = false;
    item.failures++;
    item.company = Math.max(1, company);
    item.retryMillis = nowMillis + options.backoffMillis(item.failures);
    failed.add(item);
    notifyAll();
  }

  /** A claimed change up to this number was given up; a later one is tried. */
  synchronized void died(PendingItem item, long sequence) {
    item.inFlight = false;
    live.remove(item);
    if (item.sequence > sequence) {
      item.first = item.sequence;
      revive(item);
    } else {
      item.dead = true;
      dead++;
    }
    notifyAll();
  }

  /** A dead letter was dropped. */
  synchronized void dropped(EntryKey key) {
    PendingItem item = items.get(key);
    if (item != null && item.dead) {
      dead--;
      forget(item);
      notifyAll();
    }
  }

  /**
   * Makes everything that is pending now urgent; returns the number of the last change, dead
   * letters included.
   */
  synchronized long hurry(long nowMillis) {
    long last = 0;
    for (PendingItem item : items.values()) {
      last = Math.max(last, item.sequence);
    }
    urgent = Math.max(urgent, last);
    Collection<PendingItem> waiting = List.copyOf(failed);
    failed.clear();
    for (PendingItem item : waiting) {
      item.retryMillis = nowMillis;
      failed.add(item);
    }
    notifyAll();
    return last;
  }

  /**
   * Waits until every change up to this number was written or given up; returns whether all were
   * written.
   */
  synchronized boolean awaitWritten(long last, long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    while (!live.isEmpty() && live.first().first <= last) {
      long left = end - System.nanoTime();
      if (left <= 0 || stopped) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000_000));
    }
    return dead == 0 || items.values().stream().noneMatch(it -> it.dead && it.first <= last);
  }

  /** Whether a change of a key has to wait, because another one would exceed a maximum. */
  synchronized boolean isFull(@Nullable EntryKey key, long nowMillis) {
    return (key == null || !items.containsKey(key)) && isFull(nowMillis);
  }

  private boolean isFull(long nowMillis) {
    return items.size() >= options.maximumPending()
        || bytes >= options.maximumPendingBytes()
        || (!live.isEmpty() && nowMillis - live.first().sinceMillis >= options.maximumAgeMillis());
  }

  /** Whether twice a maximum is reached, except that of age. */
  synchronized boolean isTwiceFull() {
    return items.size() / 2 >= options.maximumPending()
        || bytes / 2 >= options.maximumPendingBytes();
  }

  /** Waits until something has changed. While a maximum is reached, every change is due. */
  synchronized void awaitRoom(long nowMillis, long millis) throws InterruptedException {
    if (isFull(nowMillis)) {
      TimeUnit.MILLISECONDS.timedWait(this, millis);
    }
  }

  synchronized boolean contains(EntryKey key) {
    return items.containsKey(key);
  }

  synchronized boolean isEmpty() {
    return items.isEmpty();
  }

  /** The keys of dead letters. */
  synchronized List<EntryKey> deadKeys() {
    return items.values().stream().filter(item -> item.dead).map(item -> item.key).toList();
  }

  /** How much is pending: changes, bytes, dead letters, and since when. */
  synchronized Amount amount() {
    long since = live.isEmpty() ? Long.MAX_VALUE : live.first().sinceMillis;
    return new Amount(live.size(), bytes, dead, since);
  }

  /**
   * How much is pending.
   *
   * @param changes without dead letters
   * @param sinceMillis when the oldest change was made; {@link Long#MAX_VALUE} if there is none
   */
  record Amount(int changes, long bytes, int dead, long sinceMillis) {
    /** Nothing is pending. */
    static final Amount NONE = new Amount(0, 0, 0, Long.MAX_VALUE);
  }
}
