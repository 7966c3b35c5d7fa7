package io.rockpool.redis;

import io.rockpool.redis.RedisSettings.HostPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of its replication.
 *
 * @param isSynced whether it is a replica that gets every change of its master
 * @param history the data that offsets are positions in
 * @param offset up to where the server has the changes
 * @param replicas the replicas that follow a master
 */
record ReplicationState(boolean isSynced, String history, long offset, List<HostPort> replicas) {
  /** Reads the answer to {@code INFO replication}. */
  static ReplicationState of(String info) {
    Map<String, String> fields =
        info.lines()
            .filter(line -> line.indexOf(':') > 0)
            .collect(
                Collectors.toMap(
                    line -> line.substring(0, line.indexOf(':')),
                    line -> line.substring(line.indexOf(':') + 1).strip(),
                    (one, other) -> other));
    boolean isReplica = "slave".equals(fields.get("role"));
    return new ReplicationState(
        isReplica && "up".equals(fields.get("master_link_status")),
        fields.getOrDefault("master_replid", ""),
        number(fields.get(isReplica ? "slave_repl_offset" : "master_repl_offset"), -1),
        isReplica ? List.of() : replicas(fields));
  }

  /** Whether a replica has all that a master had at an offset. */
  boolean hasAll(String masterHistory, long masterOffset) {
    return isSynced && history.equals(masterHistory) && offset >= masterOffset;
  }

  private static List<HostPort> replicas(Map<String, String> fields) {
    List<HostPort> found = new ArrayList<>();
    long count = number(fields.get("connected_slaves"), 0);
    for (int i = 0; i < count; i++) {
      Map<String, String> replica = parts(fields.getOrDefault("slave" + i, ""));
      long port = number(replica.get("port"), 0);
      String host = replica.get("ip");
      if (host != null && port > 0 && "online".equals(replica.get("state"))) {
        found.add(new HostPort(host, Math.toIntExact(port)));
      }
    }
    return found;
  }

  private static Map<String, String> parts(String replica) {
    return List.of(replica.split(",", -1)).stream()
        .filter(part -> part.indexOf('=') > 0)
        .collect(
            Collectors.toMap(
                part -> part.substring(0, part.indexOf('=')),
                part -> part.substring(part.indexOf('=') + 1),
                (one, other) -> other));
  }

  private static long number(@Nullable String text, long otherwise) {
    return text == null || text.isEmpty() ? otherwise : Long.parseLong(text);
  }
}
