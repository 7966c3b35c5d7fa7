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
      case "fsync", "fdatasync" -> {
        // Those before it were forced before; and a newer one would have to be forced, too.
        if (logs.getOrDefault(call.descriptor(), -1) == newest) {
          forces.add(call);
          sureBefore = Math.max(sureBefore, call.begun());
        }
      }
      default -> {
        // does nothing to logs that matters here
      }
    }
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
