package io.rockpool.compatibility.machines;

import io.rockpool.compatibility.machines.MachineOperation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides whether a queue has kept its promise: each message that was sent is delivered, or still
 * there, and none is delivered after its acknowledgement has returned true.
 */
final class QueueChecker {
  private QueueChecker() {}

  /**
   * What is wrong.
   *
   * @param calls the calls on one queue
   * @param left the messages that were delivered at the end
   * @param leased how many messages were not, because a lease had not ended
   */
  static List<String> violations(List<MachineOperation> calls, List<Long> left, long leased) {
    List<String> found = new ArrayList<>();
    Map<Long, MachineOperation> sent = new HashMap<>();
    // When an acknowledgement was certain, and when it may have happened.
    Map<Long, Long> acknowledgedNanos = new HashMap<>();
    Set<Long> maybeAcknowledged = new HashSet<>();
    for (MachineOperation call : calls) {
      Long id = call.argument();
      if (id == null) {
        continue;
      }
      if (call.kind() == Kind.SEND) {
        sent.put(id, call);
      } else if (call.kind() == Kind.ACKNOWLEDGE) {
        Long result = call.result();
        boolean certain = result != null && result == 1;
        if (certain) {
          acknowledgedNanos.merge(id, call.endNanos(), Math::min);
        }
        if (certain || call.ending() == MachineOperation.Ending.UNKNOWN) {
          maybeAcknowledged.add(id);
        }
      }
    }
    for (MachineOperation call : calls) {
      Long id = call.result();
      if (call.kind() != Kind.RECEIVE || id == null) {
        continue;
      }
      MachineOperation send = sent.get(id);
      if (send == null || !send.maybeMade()) {
        found.add("a message that was not sent: " + call + ", sent by " + send);
      }
      Long done = acknowledgedNanos.get(id);
      if (done != null && call.startNanos() > done) {
        found.add("a message after its acknowledgement: " + call);
      }
    }
    for (Long id : left) {
      MachineOperation send = sent.get(id);
      if (send == null || !send.maybeMade()) {
        found.add("left, and not sent: " + id);
      } else if (acknowledgedNanos.containsKey(id)) {
        found.add("left, and acknowledged: " + id);
      }
    }
    List<MachineOperation> lost =
        sent.values().stream()
            .filter(MachineOperation::returned)
            .filter(send -> !maybeAcknowledged.contains(send.argument()))
            .filter(send -> !left.contains(send.argument()))
            .toList();
    if (lost.size() > leased) {
      found.add(lost.size() + " messages were lost, " + leased + " are leased: " + lost);
    }
    return found;
  }
}
