package io.rockpool.compatibility.machines;

import io.rockpool.compatibility.machines.MachineOperation.Kind;
import io.rockpool.compatibility.machines.MachineOperation.Life;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether reads of a cache with a hot tier keep their promise: a read is at most so old as
 * stated, a process sees its own writes at once, and no process sees a key go backwards. Each key
 * has one writing machine, whose values grow.
 *
 * <p>After a {@link Loss}, a read may miss what was acknowledged before. A process may see a key go
 * backwards once, until the bound has passed.
 *
 * <p>Time in which the reading process was held up does not count: it could not hear anything.
 */
final class StalenessChecker {
  private final long boundNanos;
  private final List<Pause> pauses;
  private final @Nullable Loss loss;

  /** A time in which a machine was held up. */
  record Pause(int machine, long fromNanos, long toNanos) {
    private long overlap(long from, long to) {
      return Math.max(0, Math.min(to, toNanos) - Math.max(from, fromNanos));
    }
  }

  StalenessChecker(long boundNanos, List<Pause> pauses, @Nullable Loss loss) {
    this.boundNanos = boundNanos;
    this.pauses = pauses;
    this.loss = loss;
  }

  /** What breaks the promise, for the calls on one key. */
  List<String> violations(List<MachineOperation> calls) {
    List<String> found = new ArrayList<>();
    Map<Long, MachineOperation> writes = new HashMap<>();
    // By the time of the acknowledgement, the largest value that was acknowledged by then.
    NavigableMap<Long, MachineOperation> acknowledged = new TreeMap<>();
    for (MachineOperation call : byEnd(calls)) {
      Long argument = call.argument();
      if (call.kind() == Kind.HOT_PUT && argument != null) {
        writes.put(argument, call);
        Map.Entry<Long, MachineOperation> last = acknowledged.lastEntry();
        if (call.returned() && (last == null || value(last.getValue()) < argument)) {
          acknowledged.put(call.endNanos(), call);
        }
      }
    }
    Map<Life, NavigableMap<Long, Long>> seen = new HashMap<>();
    Map<Life, NavigableMap<Long, Long>> seenAfter = new HashMap<>();
    for (MachineOperation read : byEnd(calls)) {
      if (read.kind() != Kind.HOT_GET || !read.returned()) {
        continue;
      }
      Long result = read.result();
      MachineOperation write = result == null ? null : writes.get(result);
      if (result != null && (write == null || !write.maybeMade())) {
        found.add("read what was not written: " + read);
      } else if (write == null || write.returned()) {
        // Else a write of unknown outcome may replace newer values at any time.
        long value = result == null ? Long.MIN_VALUE : result;
        check(read, value, acknowledged, found);
        boolean isAfter = loss != null && read.startNanos() > loss.fromNanos();
        checkOrder(read, value, isAfter ? seenAfter : seen, found);
      }
    }
    return found;
  }

  private static List<MachineOperation> byEnd(List<MachineOperation> calls) {
    return calls.stream().sorted(Comparator.comparingLong(MachineOperation::endNanos)).toList();
  }

  private static long value(MachineOperation write) {
    Long argument = write.argument();
    return argument == null ? Long.MIN_VALUE : argument;
  }

  private void check(
      MachineOperation read,
      long value,
      NavigableMap<Long, MachineOperation> acknowledged,
      List<String> found) {
    // The oldest newer value decides: it was acknowledged before all other newer ones.
    MachineOperation newer = null;
    for (MachineOperation write : acknowledged.headMap(read.startNanos(), false).values()) {
      if (value(write) > value && !isLost(write, read)) {
        newer = write;
        break;
      }
    }
    if (newer == null) {
      return;
    }
    long age = runningNanos(read.process().machine(), newer.endNanos(), read.startNanos());
    boolean own = newer.process().equals(read.process());
    if (own || age > boundNanos) {
      found.add(
          "%s%,d us after a newer value was acknowledged: %s, newer %s"
              .formatted(own ? "own write missed, " : "", age / 1_000, read, newer));
    }
  }

  private boolean isLost(MachineOperation write, MachineOperation read) {
    return loss != null
        && read.startNanos() > loss.fromNanos()
        && write.endNanos() < loss.untilNanos();
  }

  /** Whether a process may see an older value than before. */
  private boolean isLosing(MachineOperation read) {
    return loss != null
        && read.endNanos() > loss.fromNanos()
        && read.startNanos() < loss.servedNanos() + boundNanos;
  }

  private long runningNanos(int machine, long from, long to) {
    long nanos = to - from;
    for (Pause pause : pauses) {
      if (pause.machine == machine) {
        nanos -= pause.overlap(from, to);
      }
    }
    return nanos;
  }

  /** Reads of a process that follow each other return values in order. */
  private void checkOrder(
      MachineOperation read,
      long value,
      Map<Life, NavigableMap<Long, Long>> seen,
      List<String> found) {
    if (isLosing(read)) {
      return;
    }
    NavigableMap<Long, Long> before = seen.computeIfAbsent(read.process(), any -> new TreeMap<>());
    Map.Entry<Long, Long> earlier = before.lowerEntry(read.startNanos());
    if (earlier != null && earlier.getValue() > value) {
      found.add("went backwards from " + earlier.getValue() + ": " + read);
    }
    Map.Entry<Long, Long> last = before.lastEntry();
    if (last == null || last.getValue() < value) {
      before.put(read.endNanos(), value);
    }
  }

  /** The greatest age of a read in nanoseconds, as far as it was older than what it could be. */
  long worstNanos(List<MachineOperation> calls) {
    return calls.stream()
        .filter(call -> call.kind() == Kind.HOT_GET && call.returned())
        .mapToLong(read -> ageNanos(read, calls))
        .max()
        .orElse(0);
  }

  private long ageNanos(MachineOperation read, List<MachineOperation> calls) {
    Long result = read.result();
    long value = result == null ? Long.MIN_VALUE : result;
    return calls.stream()
        .filter(call -> call.kind() == Kind.HOT_PUT && call.returned())
        .filter(write -> value(write) > value && write.endNanos() < read.startNanos())
        .mapToLong(
            write -> runningNanos(read.process().machine(), write.endNanos(), read.startNanos()))
        .max()
        .orElse(0);
  }
}
