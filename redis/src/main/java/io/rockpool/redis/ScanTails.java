package io.rockpool.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The hash keys that closed cursors had still to show, so that a walk which continues after its
 * last record need not list all keys of the server again. It forgets a tail after its use or a
 * minute, and keeps few. Thread-safe.
 */
final class ScanTails {
  private static final int KEPT = 4;
  private static final int MAX_ADDED = 10_000;

  /** A walk that continues later than this lists the keys again; most others have been given up. */
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ConcurrentLinkedDeque<Tail> tails = new ConcurrentLinkedDeque<>();
  private volatile boolean ended;

  /** Keys after one of them, and those that were written since they were listed. */
  private static final class Tail {
    private final byte[] after;
    private final List<byte[]> keys;
    private final long keptNanos = System.nanoTime();
    private final NavigableSet<byte[]> written =
        new ConcurrentSkipListSet<>(Arrays::compareUnsigned);

    Tail(byte[] after, List<byte[]> keys) {
      this.after = after;
      this.keys = keys;
    }
  }

  /** Keeps the keys that follow the one a cursor has shown last. */
  void keep(byte[] after, List<byte[]> keys) {
    tails.addFirst(new Tail(after, keys));
    while (tails.size() > KEPT) {
      tails.pollLast();
    }
    if (ended) {
      clear();
    }
  }

  /** The sorted keys after one, if a cursor was closed there; else null. */
  @Nullable List<byte[]> take(byte[] after) {
    for (Tail tail : tails) {
      if (Arrays.equals(tail.after, after) && tails.remove(tail)) {
        return merged(tail);
      }
    }
    return null;
  }

  private static List<byte[]> merged(Tail tail) {
    NavigableSet<byte[]> written = tail.written.tailSet(tail.after, false);
    if (written.isEmpty()) {
      return tail.keys;
    }
    List<byte[]> all = new ArrayList<>(tail.keys.size() + written.size());
    Iterator<byte[]> added = written.iterator();
    byte[] next = added.next();
    for (byte[] key : tail.keys) {
      while (next != null && Arrays.compareUnsigned(next, key) <= 0) {
        if (!Arrays.equals(next, key)) {
          all.add(next);
        }
        next = added.hasNext() ? added.next() : null;
      }
      all.add(key);
    }
    while (next != null) {
      all.add(next);
      next = added.hasNext() ? added.next() : null;
    }
    return all;
  }

  /** Notes that a key was written, by any client. */
  void written(byte[] hashKey) {
    for (Tail tail : tails) {
      if (tail.written.size() < MAX_ADDED) {
        tail.written.add(hashKey);
      } else {
        tails.remove(tail);
      }
    }
  }

  /** Forgets the tails of walks that did not go on for a minute. */
  void clearOld(long nowNanos) {
    if (!tails.isEmpty()) {
      boolean unused = tails.removeIf(tail -> nowNanos - tail.keptNanos > KEPT_NANOS);
    }
  }

  /** Forgets all: keys may have been written unnoticed, or all entries are gone. */
  void clear() {
    tails.clear();
  }

  /** Forgets all, and keeps none from now on. */
  void end() {
    ended = true;
    clear();
  }
}
