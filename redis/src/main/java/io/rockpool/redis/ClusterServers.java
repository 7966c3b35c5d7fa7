package io.rockpool.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.redis.RedisSettings.HostPort;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The masters of a cluster, each with a link of its own, which also reports what is changed there.
 * Each round of the upkeep asks one of them which master has which slots, since a master that was
 * replaced may still answer. Thread-safe.
 */
final class ClusterServers implements Servers {
  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool.redis");

  /** Slots are asked for at most so often, however many commands meet a server without theirs. */
  private static final long REFRESH_NANOS = 20_000_000;

  private static final String EPOCH = "cluster_current_epoch:";

  /** All buckets, that of the highest slot first. */
  private static final int[] BUCKETS_BY_SLOT =
      IntStream.range(0, KeyNames.BUCKETS)
          .boxed()
          .sorted(Comparator.comparingInt(KeyNames::slotOfBucket).reversed())
          .mapToInt(Integer::intValue)
          .toArray();

  private final RedisClient client;
  private final RedisSettings settings;
  private final byte[] prefix;
  private final Reports reports;

  /** Changed by the thread that asks, in the monitor, in which no thread waits for the network. */
  private final Map<HostPort, Link> links = new LinkedHashMap<>();

  private volatile List<Link> all = List.of();
  private volatile Map<Link, Set<HostPort>> replicas = Map.of();
  private volatile Link[] bySlot = new Link[0];
  private volatile boolean ending;

  /** Has one thread at a time ask for the slots. Others do not wait for it. */
  private final ReentrantLock asking = new ReentrantLock();

  private long refreshedNanos;
  private long epoch;
  private int asked;

  /** Why no server has answered with the slots: the last refusal or exception. Null if one has. */
  private volatile @Nullable RuntimeException failure;

  ClusterServers(RedisClient client, RedisSettings settings, byte[] prefix, Reports reports) {
    this.client = client;
    this.settings = settings;
    this.prefix = prefix;
    this.reports = reports;
    this.refreshedNanos = System.nanoTime() - REFRESH_NANOS;
  }

  @Override
  public Link at(int slot) {
    Link link = owner(slot);
    if (link == null) {
      boolean unused = refresh();
      link = owner(slot);
    }
    if (link == null) {
      throw new ServerUnavailableException(
          "No server of the Redis cluster at "
              + settings.place()
              + " has slot "
              + slot
              + ". Repeat the call later, or repair the cluster.",
          null);
    }
    return link;
  }

  @Override
  public @Nullable Link owner(int slot) {
    Link[] there = bySlot;
    return there.length == 0 ? null : there[slot];
  }

  @Override
  public Collection<Link> all() {
    return all;
  }

  /** Asks a server for the slots, unless this is being done or was done just now. */
  @Override
  public boolean refresh() {
    if (!asking.tryLock()) {
      return false;
    }
    try {
      if (ending || System.nanoTime() - refreshedNanos < REFRESH_NANOS) {
        return false;
      }
      refreshedNanos = System.nanoTime();
      return refreshNow();
    } finally {
      asking.unlock();
    }
  }

  private boolean refreshNow() {
    List<Link> known = all;
    for (int i = 0; i < known.size() && !ending; i++) {
      asked = (asked + 1) % known.size();
      Link link = known.get(asked);
      if (link.isConnected() && take(link)) {
        return true;
      }
    }
    if (known.stream().anyMatch(Link::isConnected)) {
      return false;
    }
    epoch = 0; // it may be another cluster now
    return takeFromAny(known.isEmpty() ? settings.openingPatience() : settings.askingPatience());
  }

  /** Asks the servers of the URI and the known masters, with a connection for this question. */
  private boolean takeFromAny(Duration patience) {
    Set<HostPort> places = new LinkedHashSet<>(settings.hosts());
    synchronized (this) {
      places.addAll(links.keySet());
    }
    failure = null;
    for (HostPort place : places) {
      if (!ending && takeFrom(place, patience)) {
        return true;
      }
    }
    return false;
  }

  private boolean takeFrom(HostPort place, Duration patience) {
    RedisURI server = RedisClients.server(settings, place);
    try (Link link = new Link(client, server, settings, prefix, Link.Observer.NONE, false)) {
      link.connect(patience, () -> true);
      return link.isConnected() && take(link);
    } catch (ServerUnavailableException e) {
      failure = Link.isRefusal(failure) ? failure : e;
      LOG.debug("The server {} cannot be asked for the slots.", place, e);
      return false;
    }
  }

  /**
   * Takes what a server knows of the slots. A server that has lost the others, or has missed a
   * failover that was known here, knows nothing new.
   */
  private boolean take(Link link) {
    try {
      Duration patience = settings.askingPatience();
      String info = link.call(commands -> commands.clusterInfo(), patience);
      long itsEpoch = epoch(info);
      boolean isSound = info.contains("cluster_state:ok");
      if (itsEpoch < epoch || (!isSound && bySlot.length > 0)) {
        return false;
      }
      List<Object> slots = link.call(commands -> commands.clusterSlots(), patience);
      take(link, slots);
      epoch = itsEpoch;
      failure = null;
      return true;
    } catch (ServerUnavailableException | UnsettledException | RedisCommandExecutionException e) {
      failure = e;
      LOG.debug("The server {} does not know the slots now.", link.place(), e);
      return false;
    }
  }

  private static long epoch(String info) {
    int at = info.indexOf(EPOCH);
    return at < 0
        ? 0
        : Long.parseLong(info.substring(at + EPOCH.length()).lines().findFirst().orElse("0"));
  }

  /** Makes links to new masters, and closes those that have no slots any longer. */
  private synchronized void take(Link from, List<Object> answer) {
    if (ending) {
      return;
    }
    Link[] owners = new Link[KeyNames.SLOTS];
    Map<HostPort, Link> there = new HashMap<>();
    Map<Link, Set<HostPort>> itsReplicas = new HashMap<>();
    for (Object each : answer) {
      List<?> range = (List<?>) each;
      Link link = there.computeIfAbsent(place(from, range.get(2)), this::link);
      Set<HostPort> ofLink = itsReplicas.computeIfAbsent(link, any -> new HashSet<>());
      range.stream().skip(3).forEach(node -> ofLink.add(place(from, node)));
      Arrays.fill(
          owners,
          Math.toIntExact((Long) range.get(0)),
          Math.toIntExact((Long) range.get(1)) + 1,
          link);
    }
    bySlot = owners;
    replicas = itsReplicas;
    for (HostPort place : Set.copyOf(links.keySet())) {
      Link gone = there.containsKey(place) ? null : links.remove(place);
      if (gone != null) {
        LOG.info("The server {} of the cluster no longer has slots.", place);
        gone.close();
        reports.forget(gone);
      }
    }
    all = List.copyOf(links.values());
  }

  /** The place of a node; one without a host has that of the server that was asked. */
  private static HostPort place(Link from, Object node) {
    List<?> parts = (List<?>) node;
    String host =
        parts.get(0) instanceof byte[] bytes && bytes.length > 0
            ? new String(bytes, US_ASCII)
            : from.host();
    return new HostPort(host, Math.toIntExact((Long) parts.get(1)));
  }

  /** Those that the cluster announces: a master knows where from its replicas have connected. */
  @Override
  public List<HostPort> replicas(Link master, ReplicationState state) {
    return List.copyOf(replicas.getOrDefault(master, Set.of()));
  }

  private Link link(HostPort place) {
    return links.computeIfAbsent(
        place,
        any -> {
          Link made =
              new Link(
                  client, RedisClients.server(settings, place), settings, prefix, reports, true);
          Link first = owner(0);
          if (first != null) {
            made.clock().beginAs(first.clock());
          }
          reports.expect(made);
          return made;
        });
  }

  @Override
  public void tend(Duration patience) {
    if (!refresh() && bySlot.length == 0) {
      throw unavailable();
    }
    List<Link> there = all;
    there.forEach(link -> link.beginToConnect(() -> true)); // one that hangs delays no other
    long end = System.nanoTime() + patience.toNanos();
    RuntimeException lost = null;
    for (Link link : there) {
      try {
        link.connect(Duration.ofNanos(Math.max(0, end - System.nanoTime())), () -> true);
      } catch (RuntimeException e) {
        lost = e;
      }
    }
    if (lost != null) {
      boolean unused = refresh();
      throw lost;
    }
  }

  @Override
  public void watch() {
    for (Link link : all) {
      link.watch(probedKey(link));
    }
  }

  private ServerUnavailableException unavailable() {
    RuntimeException cause = failure;
    if (cause instanceof RedisCommandExecutionException) {
      return new ServerUnavailableException(
          "The Redis server at "
              + settings.place()
              + " does not say which slots it has: "
              + cause.getMessage()
              + ". Leave out the option cluster=true if it is no cluster, or check the permissions"
              + " of the user.",
          cause);
    }
    if (cause != null && Link.isRefusal(cause)) {
      return new ServerUnavailableException(Objects.requireNonNull(cause.getMessage()), cause);
    }
    return new ServerUnavailableException(
        "The Redis cluster at "
            + settings.place()
            + " cannot be reached. "
            + (cause == null ? "Start it, or check its address." : cause.getMessage()),
        cause);
  }

  /**
   * A key that a server has if it is a master that has not lost the others; null for none. Its slot
   * is the last one that {@code redis-cli} moves elsewhere.
   */
  private byte @Nullable [] probedKey(Link link) {
    for (int bucket : BUCKETS_BY_SLOT) {
      if (owner(KeyNames.slotOfBucket(bucket)) == link) {
        return KeyNames.probed(prefix, bucket);
      }
    }
    return null;
  }

  @Override
  public long nowMillis() {
    Link first = owner(0);
    return first == null ? System.currentTimeMillis() : first.clock().millis();
  }

  @Override
  public void end() {
    List<Link> there;
    synchronized (this) {
      ending = true;
      there = List.copyOf(links.values());
    }
    there.forEach(Link::end);
  }

  @Override
  public void close() {
    List<Link> closing;
    synchronized (this) {
      ending = true;
      closing = List.copyOf(links.values());
    }
    closing.forEach(Link::close);
  }
}
