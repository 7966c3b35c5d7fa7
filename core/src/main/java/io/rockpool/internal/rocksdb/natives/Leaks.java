package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.store.LeakDetection;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes cursors and snapshots that became unreachable without being closed, counts them, and logs
 * where they were opened, if known. Does nothing once the store is closed, because closing it
 * closes them.
 */
public final class Leaks {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);
  private static final Cleaner CLEANER = Cleaner.create();

  /** For one in so many it records where it was opened; a power of two. */
  private static final int SAMPLE = 64;

  /** The most places that are logged: later ones add no information. */
  private static final int MAX_PLACES = 100;

  /** Stacks with the same top frames count as one place. */
  private static final int COMPARED_FRAMES = 16;

  private static final int UNKNOWN_PLACE = 0;

  private final CloseGuard guard;
  private final LeakDetection detection;
  private final LongAdder count = new LongAdder();
  private final Set<Integer> places = ConcurrentHashMap.newKeySet();

  public Leaks(CloseGuard guard, LeakDetection detection) {
    this.guard = guard;
    this.detection = detection;
  }

  /** How many were not closed. */
  public long count() {
    return count.sum();
  }

  /**
   * Watches {@code owner}.
   *
   * @param what its kind, such as "a cursor"
   * @param space the name of its space
   * @param release called once, inside the {@link CloseGuard}, unless the store is closed; must not
   *     refer to the owner
   */
  public Watch watch(Object owner, String what, String space, Runnable release) {
    boolean remember =
        switch (detection) {
          case COUNTED -> false;
          case SAMPLED -> (ThreadLocalRandom.current().nextInt() & SAMPLE - 1) == 0;
          case ALL -> true;
        };
    Watched watched =
        new Watched(what, space, release, remember ? new Throwable("It was opened here.") : null);
    return new Watch(watched, CLEANER.register(owner, watched));
  }

  /** With this, an owner closes what it holds. */
  public static final class Watch {
    private final Watched watched;
    private final Cleaner.Cleanable cleanable;

    private Watch(Watched watched, Cleaner.Cleanable cleanable) {
      this.watched = watched;
      this.cleanable = cleanable;
    }

    /** Releases what the owner holds, and ends the watch. A second call does nothing. */
    public void close() {
      watched.closed = true;
      cleanable.clean();
    }
  }

  private final class Watched implements Runnable {
    private final String what;
    private final String space;
    private final Runnable release;
    private final @Nullable Throwable opened;
    private volatile boolean closed;

    private Watched(String what, String space, Runnable release, @Nullable Throwable opened) {
      this.what = what;
      this.space = space;
      this.release = release;
      this.opened = opened;
    }

    @Override
    public void run() {
      if (guard.tryEnter()) {
        try {
          release.run();
        } finally {
          guard.leave();
        }
        if (!closed) {
          report();
          count.increment();
        }
      }
    }

    private void report() {
      int place = opened == null ? UNKNOWN_PLACE : place(opened);
      if (places.size() >= MAX_PLACES || !places.add(place)) {
        return;
      }
      String found =
          what
              + " of \""
              + space
              + "\" was never closed. It was, now that nobody can reach it any more; until then it kept files or old"
              + " records on the disk. Close it where it is opened, in a try-with-resources statement. ";
      if (opened != null) {
        LOG.warn("{}It was opened here:", found, opened);
      } else {
        LOG.warn(
            "{}Where it was opened is not known; run with -D{}=all to find out.",
            found,
            LeakDetection.PROPERTY);
      }
    }

    private static int place(Throwable opened) {
      StackTraceElement[] stack = opened.getStackTrace();
      return Arrays.hashCode(Arrays.copyOf(stack, Math.min(stack.length, COMPARED_FRAMES)));
    }
  }
}
