package io.rockpool.compatibility.machines;

import io.rockpool.compatibility.machines.MachineOperation.Ending;
import io.rockpool.compatibility.machines.MachineOperation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the calls on one key are linearizable: whether each can have had its effect at
 * one moment between its start and its end. A call of unknown outcome may have its effect at any
 * time after its start, or never. A call that promises to have changed nothing may have no effect.
 *
 * <p>While servers replace each other and lose writes, calls may see any value that was written.
 *
 * <p>It follows the events in the order of time, with all states that the key may be in, as Wing
 * and Gong described.
 */
final class RegisterChecker {
  private static final int MAX_STATES = 500_000;
  private static final int SHOWN = 12;

  /** The value of a key after a {@link Loss}: any that it ever had, until a call shows which. */
  private static final Long ANY = Long.MIN_VALUE;

  private final List<MachineOperation> pending = new ArrayList<>();
  private final Set<@Nullable Long> written;
  private Set<State> states = new HashSet<>();

  /** A value that the key may have, and which of the pending calls have had their effect. */
  private record State(@Nullable Long value, BitSet made) {}

  /** The start or the end of a call. */
  private record Event(long nanos, boolean isEnd, MachineOperation operation) {}

  private RegisterChecker(Set<@Nullable Long> written, @Nullable Long first) {
    this.written = written;
    states.add(new State(first, new BitSet()));
  }

  /**
   * Checks the calls on one key, which is absent at first.
   *
   * @param loss the fault that may have taken writes back; null if nothing may
   * @return what cannot be explained, or null if the calls are linearizable
   */
  static @Nullable String violation(List<MachineOperation> calls, @Nullable Loss loss) {
    Set<@Nullable Long> written = new HashSet<>(Arrays.asList((Long) null));
    calls.stream().filter(MachineOperation::maybeMade).forEach(it -> written.add(it.argument()));
    if (loss == null) {
      return new RegisterChecker(written, null).find(calls);
    }
    List<MachineOperation> before = new ArrayList<>();
    List<MachineOperation> after = new ArrayList<>();
    for (MachineOperation call : calls) {
      if (call.endNanos() < loss.fromNanos()) {
        before.add(call);
      } else if (call.startNanos() >= loss.servedNanos()) {
        after.add(call);
      } else {
        if (call.returned() && call.kind() == Kind.GET && !written.contains(call.result())) {
          return "read what was not written: " + call;
        }
        if (call.startNanos() < loss.fromNanos() && call.maybeMade()) {
          before.add(call.unknownFrom(call.startNanos()));
        }
        if (call.endNanos() > loss.servedNanos() && call.maybeMade()) {
          after.add(call.unknownFrom(loss.servedNanos()));
        }
      }
    }
    String violation = new RegisterChecker(written, null).find(before);
    return violation == null ? new RegisterChecker(written, ANY).find(after) : violation;
  }

  private @Nullable String find(List<MachineOperation> calls) {
    List<Event> events = new ArrayList<>();
    for (MachineOperation call : calls) {
      boolean reads = call.kind() == Kind.GET;
      if (call.returned() || (!reads && call.ending() == Ending.UNKNOWN)) {
        events.add(new Event(call.startNanos(), false, call));
        if (call.returned()) {
          events.add(new Event(call.endNanos(), true, call));
        }
      }
    }
    // At the same nanosecond, starts come first: such calls overlap.
    events.sort(Comparator.comparingLong(Event::nanos).thenComparing(Event::isEnd));
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      if (!event.isEnd) {
        start(event.operation);
      } else if (!end(event.operation)) {
        return describe(events, i);
      }
    }
    return null;
  }

  private void start(MachineOperation call) {
    int free = pending.indexOf(null);
    if (free < 0) {
      pending.add(call);
    } else {
      pending.set(free, call);
    }
  }

  /** Keeps the states in which a call has had its effect; returns false if there is none. */
  private boolean end(MachineOperation call) {
    int index = indexOf(call);
    Set<State> reached = new HashSet<>(states);
    List<State> open = new ArrayList<>(states);
    Set<State> after = new HashSet<>();
    while (!open.isEmpty()) {
      State state = open.remove(open.size() - 1);
      if (state.made.get(index)) {
        BitSet made = (BitSet) state.made.clone();
        made.clear(index);
        after.add(new State(state.value, made));
        continue;
      }
      for (int i = 0; i < pending.size(); i++) {
        MachineOperation next = pending.get(i);
        if (next != null && !state.made.get(i) && isPossible(next, state.value)) {
          BitSet made = (BitSet) state.made.clone();
          made.set(i);
          State then = new State(after(next, state.value), made);
          if (reached.add(then)) {
            open.add(then);
          }
        }
      }
      if (reached.size() > MAX_STATES) {
        throw new IllegalStateException("Too many calls of unknown outcome to decide: " + call);
      }
    }
    states = after;
    pending.set(index, null);
    return !after.isEmpty();
  }

  private int indexOf(MachineOperation call) {
    for (int i = 0; i < pending.size(); i++) {
      if (call.equals(pending.get(i))) {
        return i;
      }
    }
    throw new IllegalStateException("not started: " + call);
  }

  /** Whether a call can have returned what it did if the key had this value. */
  private boolean isPossible(MachineOperation call, @Nullable Long value) {
    if (!call.returned()) {
      return true;
    }
    Long result = call.result();
    if (ANY.equals(value)) {
      return switch (call.kind()) {
        case GET, PUT_IF_ABSENT -> written.contains(result);
        case REPLACE -> !isTrue(result) || written.contains(call.expected());
        default -> true;
      };
    }
    return switch (call.kind()) {
      case GET, PUT_IF_ABSENT -> Objects.equals(result, value);
      case PUT -> true;
      case REMOVE -> (value != null) == isTrue(result);
      case REPLACE -> Objects.equals(value, call.expected()) == isTrue(result);
      default -> throw new IllegalArgumentException("not of a key: " + call);
    };
  }

  private static boolean isTrue(@Nullable Long result) {
    return result != null && result == 1;
  }

  private static @Nullable Long after(MachineOperation call, @Nullable Long value) {
    if (ANY.equals(value)) {
      return afterLoss(call);
    }
    return switch (call.kind()) {
      case GET -> value;
      case PUT -> call.argument();
      case REMOVE -> null;
      case PUT_IF_ABSENT -> value == null ? call.argument() : value;
      case REPLACE -> Objects.equals(value, call.expected()) ? call.argument() : value;
      default -> throw new IllegalArgumentException("not of a key: " + call);
    };
  }

  private static @Nullable Long afterLoss(MachineOperation call) {
    Long result = call.result();
    return switch (call.kind()) {
      case PUT -> call.argument();
      case REMOVE -> null;
      case GET -> result;
      case PUT_IF_ABSENT -> call.returned() ? result == null ? call.argument() : result : ANY;
      case REPLACE -> isTrue(result) ? call.argument() : ANY;
      default -> ANY;
    };
  }

  private static String describe(List<Event> events, int at) {
    StringBuilder text = new StringBuilder("not linearizable, the last of these:");
    for (Event event : events.subList(Math.max(0, at - SHOWN), at + 1)) {
      text.append("\n  ").append(event.isEnd ? "end " : "start ").append(event.operation);
    }
    return text.toString();
  }
}
