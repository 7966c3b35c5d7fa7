package io.rockpool.compatibility.machines;

import org.jspecify.annotations.Nullable;

/**
 * One call of a machine, and what is known of its outcome. Times are those of {@link
 * System#nanoTime}, which all processes of a computer share.
 *
 * @param process which machine and which of its lives; a restarted machine is another process
 * @param key the entry, or the collection
 * @param argument the value or element that was written
 * @param expected what a conditional write compares with
 * @param result what the call returned; booleans are 1 and 0
 * @param endNanos when the call returned or threw; {@link #NEVER} if its process died before
 */
record MachineOperation(
    Life process,
    Kind kind,
    String key,
    @Nullable Long argument,
    @Nullable Long expected,
    @Nullable Long result,
    long startNanos,
    long endNanos,
    Ending ending) {
  static final long NEVER = Long.MAX_VALUE;

  /** A machine, and how often it had been restarted. */
  record Life(int machine, int life) {}

  /** What was called. */
  enum Kind {
    GET,
    PUT,
    REMOVE,
    PUT_IF_ABSENT,
    REPLACE,
    /** A put or get of a cache with a hot tier. */
    HOT_PUT,
    HOT_GET,
    /** A transfer between two accounts, and the sum of all, each in one transaction. */
    TRANSFER,
    SUM,
    /** At the ends of a deque. */
    ADD,
    POLL,
    /** Of a queue. */
    SEND,
    RECEIVE,
    ACKNOWLEDGE
  }

  /** How a call ended. */
  enum Ending {
    RETURNED,
    /** It may have been made, may be made later, or never. */
    UNKNOWN,
    /** It threw an exception that promises that nothing was changed. */
    NOT_MADE,
    /** It threw what no caller expects. */
    FAILED
  }

  boolean returned() {
    return ending == Ending.RETURNED;
  }

  /** The same call, which may have its effect at any time after another start. */
  MachineOperation unknownFrom(long nanos) {
    return new MachineOperation(
        process, kind, key, argument, expected, null, nanos, NEVER, Ending.UNKNOWN);
  }

  /** Whether the call may have had an effect. */
  boolean maybeMade() {
    return ending == Ending.RETURNED || ending == Ending.UNKNOWN;
  }
}
