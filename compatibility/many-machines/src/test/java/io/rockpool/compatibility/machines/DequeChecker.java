package io.rockpool.compatibility.machines;

import io.rockpool.compatibility.machines.MachineOperation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides whether a deque has lost an element, or given one twice. Each element is added once. A
 * poll of unknown outcome may have taken one.
 */
final class DequeChecker {
  private DequeChecker() {}

  /**
   * What is wrong.
   *
   * @param calls the calls on one deque
   * @param left the elements at the end
   */
  static List<String> violations(List<MachineOperation> calls, List<Long> left) {
    List<String> found = new ArrayList<>();
    Map<Long, MachineOperation> added = new HashMap<>();
    Set<Long> seen = new HashSet<>();
    int unknownPolls = 0;
    for (MachineOperation call : calls) {
      Long id = call.argument();
      if (call.kind() == Kind.ADD && id != null) {
        added.put(id, call);
      } else if (call.kind() == Kind.POLL && call.ending() == MachineOperation.Ending.UNKNOWN) {
        unknownPolls++;
      }
    }
    for (MachineOperation call : calls) {
      Long id = call.result();
      if (call.kind() == Kind.POLL && id != null) {
        see(id, call.toString(), added, seen, found);
      }
    }
    for (Long id : left) {
      see(id, "at the end", added, seen, found);
    }
    List<MachineOperation> lost =
        added.values().stream()
            .filter(call -> call.returned() && !seen.contains(call.argument()))
            .toList();
    if (lost.size() > unknownPolls) {
      found.add(
          "%d elements were lost, and only %d polls are unknown: %s"
              .formatted(lost.size(), unknownPolls, lost));
    }
    return found;
  }

  private static void see(
      Long id,
      String where,
      Map<Long, MachineOperation> added,
      Set<Long> seen,
      List<String> found) {
    MachineOperation add = added.get(id);
    if (add == null || !add.maybeMade()) {
      found.add("an element that was not added: " + id + ", " + where + ", added by " + add);
    }
    if (!seen.add(id)) {
      found.add("an element twice: " + id + ", " + where);
    }
  }
}
