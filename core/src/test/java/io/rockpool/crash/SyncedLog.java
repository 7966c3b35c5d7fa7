package io.rockpool.crash;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which of RocksDB's write-ahead logs was forced to the disk, and when. */
final class SyncedLog {
  private final Map<Integer, Integer> logs = new HashMap<>();
  private final List<TracedCall> forces = new ArrayList<>();
  private int newest;
  private final List<TracedCall> writes = new ArrayList<>();
  private int sureBefore;

  /** Takes notice of a call. */
  void see(TracedCall call) {
    if (!call.succeeded()) {
      return;
    }
    switch (call.name()) {
      case "openat" -> {
        String file = String.valueOf(Path.of(call.path(0)).getFileName());
        if (file.matches("\\d+\\.log")) {
          int number = Integer.parseInt(file.substring(0, file.indexOf('.')));
          logs.put(call.number(), number);
          newest = Math.max(newest, number);
        } else {
          logs.remove(call.number());
        }
      }
      case "close" -> logs.remove(call.descriptor());
      case "write" -> {
        if (logs.containsKey(call.descriptor())) {
          writes.add(call);
        }
      }
      case "fsync", "fdatasync" -> {
        // Those before it were forced before; and a newer one would have to be forced, too.
        if (logs.getOrDefault(call.descriptor(), -1) == newest) {
          forces.add(call);
          sureBefore = Math.max(sureBefore, bufferedBefore(call));
        }
      }
      default -> {
        // does nothing to logs that matters here
      }
    }
  }

  /**
   * What was buffered when a write to the log began is in the log after the next write. Returns
   * when the last write but one began, of those that had ended before the force.
   */
  private int bufferedBefore(TracedCall force) {
    int last = 0;
    int before = 0;
    for (TracedCall write : writes) {
      if (write.ended() < force.begun()) {
        before = last;
        last = write.begun();
      }
    }
    return before;
  }

  /** The calls that forced the newest log. */
  List<TracedCall> forces() {
    return forces;
  }

  /** Before which place of the calls all that was written is on the disk. */
  int sureBefore() {
    return sureBefore;
  }
}
