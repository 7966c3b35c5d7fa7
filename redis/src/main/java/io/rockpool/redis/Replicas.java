package io.rockpool.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.redis.RedisSettings.HostPort;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of each master, and until when they have what their masters had. A thread compares
 * the positions of masters and replicas in the stream of changes. Each bucket has one replica, so
 * that reads of a key do not alternate between replicas that are behind differently; if that one
 * does not answer, the master does. Thread-safe.
 */
final class Replicas implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool.redis");
  private static final String THREAD = "rockpool-redis-replicas";
  private static final Duration PERIOD = Duration.ofMillis(250);

  /** A replica that is further behind, or was not asked for so long, answers nothing. */
  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final Comparator<HostPort> ORDER =
      Comparator.comparing(HostPort::host).thenComparingInt(HostPort::port);

  private final RedisClient client;
  private final RedisSettings settings;
  private final Servers servers;
  private final BooleanSupplier reported;
  private final BackgroundThread thread;
  private final KeyUses uses;
  private final Map<Link, Group> groups = new ConcurrentHashMap<>();
  private final Map<Link, Deque<Position>> positions = new HashMap<>();
  private final Map<HostPort, Replica> known = new HashMap<>();

  /** Where a master was in its stream of changes at a time, at least. */
  private record Position(long nanos, String history, long offset) {}

  /** The replicas that answer for a master, since a time. */
  private static final class Group {
    private final List<Replica> members;
    private final long sinceNanos = KeyUses.nowNanos();

    Group(List<Replica> members) {
      this.members = members;
    }
  }

  /**
   * Replicas that are not connected yet.
   *
   * @param reported whether the masters report what other processes change
   */
  Replicas(
      RedisClient client,
      RedisSettings settings,
      Servers servers,
      KeyUses uses,
      BooleanSupplier reported,
      Upkeep upkeep) {
    this.client = client;
    this.settings = settings;
    this.servers = servers;
    this.uses = uses;
    this.reported = reported;
    this.thread = new BackgroundThread(THREAD, PERIOD, this::check, upkeep);
  }

  void start() {
    check();
    BackgroundThread unused = thread.start();
  }

  KeyUses uses() {
    return uses;
  }

  /** A replica that may answer for some keys of a bucket. */
  final class Reader {
    private final Link master;
    private final Group group;
    private final Replica.Serving serving;

    private Reader(Link master, Group group, Replica.Serving serving) {
      this.master = master;
      this.group = group;
      this.serving = serving;
    }

    Replica.Serving serving() {
      return serving;
    }

    /** Whether the replica has all that this process has seen of a key. */
    boolean has(RedisSpaceState state, byte[] hashKey) {
      long hasUntil = serving.hasAllUntilNanos();
      return hasUntil > group.sinceNanos
          && hasUntil > state.renewedNanos()
          && hasUntil > uses.lastNanos(state.id, hashKey)
          && KeyUses.nowNanos() - hasUntil < MAX_AGE_NANOS;
    }

    /** Notes keys that were read while the replicas changed: the next one may be behind. */
    void ended(RedisSpaceState state, Collection<byte[]> hashKeys) {
      if (groups.get(master) != group) {
        hashKeys.forEach(hashKey -> uses.changed(state.id, hashKey));
      }
    }
  }

  /** The reader of a bucket; null if the master has to answer. */
  @Nullable Reader reader(int bucket) {
    if (!reported.getAsBoolean()) {
      return null;
    }
    Link master = servers.at(KeyNames.slotOfBucket(bucket));
    Group group = groups.get(master);
    if (group == null || group.members.isEmpty()) {
      return null;
    }
    Replica.Serving serving = group.members.get(bucket % group.members.size()).serving();
    return serving == null ? null : new Reader(master, group, serving);
  }

  /** Asks all servers how far they are. */
  private void check() {
    Collection<Link> masters = servers.all();
    groups.keySet().retainAll(masters);
    positions.keySet().retainAll(masters);
    Set<HostPort> there = new HashSet<>();
    for (Link master : masters) {
      List<HostPort> places = master.isConnected() ? check(master) : List.of();
      there.addAll(places);
    }
    known
        .values()
        .removeIf(
            replica -> {
              boolean gone = !there.contains(replica.place());
              if (gone) {
                replica.close();
              }
              return gone;
            });
  }

  /** Finds how much the replicas of a master have; returns their places. */
  private List<HostPort> check(Link master) {
    List<HostPort> places = List.of();
    try {
      long nowNanos = KeyUses.nowNanos();
      String info = master.call(commands -> commands.info("replication"));
      ReplicationState state = ReplicationState.of(info);
      note(master, new Position(nowNanos, state.history(), state.offset()));
      places = servers.replicas(master, state).stream().sorted(ORDER).toList();
    } catch (ServerUnavailableException | UnsettledException | RedisException e) {
      LOG.debug("The master {} does not say which replicas it has.", master.place(), e);
    }
    List<Replica> members =
        places.stream().map(place -> known.computeIfAbsent(place, this::connecting)).toList();
    Group before = groups.get(master);
    if (before == null ? !members.isEmpty() : !before.members.equals(members)) {
      LOG.info("Replicas of {} that answer reads: {}.", master.place(), places);
      groups.put(master, new Group(members));
    }
    members.forEach(Replica::connect);
    Map<Replica, @Nullable CompletionStage<Replica.Found>> asked = new LinkedHashMap<>();
    members.forEach(replica -> asked.put(replica, replica.find()));
    asked.forEach((replica, answer) -> serve(master, replica, replica.found(answer)));
    return places;
  }

  private Replica connecting(HostPort place) {
    return new Replica(client, place, settings);
  }

  private void note(Link master, Position now) {
    Deque<Position> noted = positions.computeIfAbsent(master, any -> new ArrayDeque<>());
    noted.removeIf(
        each ->
            now.nanos - each.nanos > MAX_AGE_NANOS
                || !each.history.equals(now.history)
                || each.offset > now.offset);
    noted.addFirst(now);
  }

  /** Lets a replica answer, for what it has. */
  private void serve(Link master, Replica replica, Replica.@Nullable Found found) {
    for (Position position : positions.getOrDefault(master, new ArrayDeque<>())) {
      if (found != null && found.state().hasAll(position.history, position.offset)) {
        replica.serve(found, position.nanos);
        return;
      }
    }
    replica.stopServing();
  }

  @Override
  public void close() {
    thread.close();
    known.values().forEach(Replica::close);
  }
}
