package io.rockpool.internal.rocksdb.rows;

/** The writers of the rows of one lock. Its monitor is held only while the memory changes. */
final class WriterStripe {
  /** The ticket while a writer runs. */
  static final long BUSY = -1;

  private static final long WRITERS = (1L << 16) - 1;

  /** How many writers run; in the upper bits how many have ended. */
  private volatile long state;

  /** Whether anything was ever kept of its rows; set before it is. */
  private boolean used;

  long ticket() {
    long now = state;
    return (now & WRITERS) == 0 ? now : BUSY;
  }

  /** Returns whether anything may be kept of its rows; if not, nothing is until the end. */
  synchronized boolean begin() {
    state = state + 1;
    return used;
  }

  synchronized void end() {
    state = state + WRITERS;
  }

  /** Whether no writer ran or began since a ticket that is not {@link #BUSY}. */
  boolean isAt(long ticket) {
    return ticket == state;
  }

  synchronized void admit(long ticket, Runnable admission) {
    if (ticket == state) {
      used = true;
      admission.run();
    }
  }
}
