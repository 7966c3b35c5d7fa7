package io.rockpool.testing.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Makes clusters of Redis, as {@code redis-cli --cluster} does. */
public final class RedisClusters {
  private static final int SLOTS = 16_384;
  private static final int BATCH = 100;

  private RedisClusters() {}

  /**
   * Makes a cluster of servers that were started with {@code --cluster-enabled yes}. The first of
   * them become masters with neighbouring slots, the others replicas.
   */
  public static void create(List<RedisProcess> members, int replicas) {
    int masters = members.size() / (replicas + 1);
    for (int i = 0; i < members.size(); i++) {
      RedisProcess member = members.get(i);
      ok(member, "CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
      if (i < masters) {
        int from = slot(i, masters);
        int to = slot(i + 1, masters);
        List<String> words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        IntStream.range(from, to).forEach(slot -> words.add("" + slot));
        ok(member, words.toArray(String[]::new));
      }
    }
    members.subList(1, members.size()).forEach(member -> meet(member, members.get(0)));
    await(members, members.size());
    for (int i = masters; i < members.size(); i++) {
      String master = members.get(i % masters).command("CLUSTER", "MYID");
      ok(members.get(i), "CLUSTER", "REPLICATE", master);
    }
    for (RedisProcess replica : members.subList(masters, members.size())) {
      awaitData(replica);
    }
    for (RedisProcess member : members) {
      Processes.await(
          "each member knows the replicas",
          () ->
              member.command("CLUSTER", "NODES").lines().filter(it -> it.contains("slave")).count()
                  == members.size() - masters);
    }
  }

  private static int slot(int master, int masters) {
    return Math.round((float) SLOTS * master / masters);
  }

  private static void meet(RedisProcess one, RedisProcess other) {
    String bus = busPort(other);
    if (bus.isEmpty()) {
      ok(one, "CLUSTER", "MEET", "127.0.0.1", "" + other.port());
    } else {
      ok(one, "CLUSTER", "MEET", "127.0.0.1", "" + other.port(), bus);
    }
  }

  /** The port for other members; a server of before 7.0 cannot be asked and has the default. */
  private static String busPort(RedisProcess server) {
    List<String> answer = server.command("CONFIG", "GET", "cluster-port").lines().toList();
    return answer.size() == 2 && !answer.get(1).equals("0") ? answer.get(1) : "";
  }

  private static void await(List<RedisProcess> members, int known) {
    for (RedisProcess member : members) {
      Processes.await(
          "the members know each other",
          () -> {
            String info = member.command("CLUSTER", "INFO");
            return info.contains("cluster_known_nodes:" + known)
                && info.contains("cluster_slots_assigned:" + SLOTS)
                && info.contains("cluster_state:ok");
          });
    }
  }

  /** Waits until a replica has the data of its master. */
  public static void awaitData(RedisProcess replica) {
    Processes.await(
        "a replica has its data",
        () -> replica.command("INFO", "replication").contains("master_link_status:up"));
  }

  /** Adds a master without slots. */
  public static void add(RedisProcess added, List<RedisProcess> members) {
    meet(added, members.get(0));
    List<RedisProcess> all = new ArrayList<>(members);
    all.add(added);
    await(all, all.size());
  }

  /** Moves the first slots of a master to another one, while clients use them. */
  public static void reshard(
      RedisProcess from, RedisProcess to, List<RedisProcess> masters, int count) {
    String source = from.command("CLUSTER", "MYID");
    String target = to.command("CLUSTER", "MYID");
    for (String slot : slots(from, source).subList(0, count)) {
      ok(to, "CLUSTER", "SETSLOT", slot, "IMPORTING", source);
      ok(from, "CLUSTER", "SETSLOT", slot, "MIGRATING", target);
      while (true) {
        List<String> keys =
            from.command("CLUSTER", "GETKEYSINSLOT", slot, "" + BATCH)
                .lines()
                .filter(key -> !key.isEmpty())
                .toList();
        if (keys.isEmpty()) {
          break;
        }
        List<String> words =
            new ArrayList<>(
                List.of("MIGRATE", "127.0.0.1", "" + to.port(), "", "0", "20000", "KEYS"));
        words.addAll(keys);
        String answer = from.command(words.toArray(String[]::new));
        if (!answer.equals("OK") && !answer.equals("NOKEY")) {
          throw new IllegalStateException("Keys cannot be moved: " + answer);
        }
      }
      ok(to, "CLUSTER", "SETSLOT", slot, "NODE", target);
      for (RedisProcess master : masters) {
        if (master != to) {
          ok(master, "CLUSTER", "SETSLOT", slot, "NODE", target);
        }
      }
    }
  }

  private static List<String> slots(RedisProcess master, String id) {
    String line =
        master
            .command("CLUSTER", "NODES")
            .lines()
            .filter(each -> each.startsWith(id))
            .findFirst()
            .orElseThrow();
    List<String> all = new ArrayList<>();
    List<String> words = List.of(line.split(" ", -1));
    for (String range : words.subList(8, words.size())) {
      String[] ends = range.split("-", -1);
      IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
          .forEach(slot -> all.add("" + slot));
    }
    return all;
  }

  private static void ok(RedisProcess server, String... words) {
    String answer = server.command(words);
    if (!answer.equals("OK")) {
      throw new IllegalStateException(List.of(words) + " was refused: " + answer);
    }
  }
}
