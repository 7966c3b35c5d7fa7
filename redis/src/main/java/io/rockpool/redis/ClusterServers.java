package io.rockpool.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.rockpool.error.ServerUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The masters of a cluster, each with a link of its own, which also reports what is changed there.
 * The first link is to the server of the URI and only asks which master has which slots.
 * Thread-safe.
 */
final class ClusterServers implements Servers {
  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool.redis");

  /** Slots are asked for at most so often, however many commands meet a server without theirs. */
  private static final long REFRESH_NANOS = 20_000_000;

  private final RedisClient client;
  private final RedisURI seed;
  private final RedisSettings settings;
  private final byte[] prefix;
  private final Reports reports;
  private final Map<String, Link> links = new HashMap<>();
  private volatile Link[] bySlot = new Link[0];
  private long refreshedNanos;
  private boolean closed;

  ClusterServers(
      RedisClient client, RedisURI seed, RedisSettings settings, byte[] prefix, Reports reports) {
    this.client = client;
    this.seed = seed;
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

  private @Nullable Link owner(int slot) {
    Link[] there = bySlot;
    return there.length == 0 ? null : there[slot];
  }

  @Override
  public synchronized Collection<Link> all() {
    return List.copyOf(links.values());
  }

  /** Asks a server for the slots, unless this was done just now. */
  @Override
  public synchronized boolean refresh() {
    if (closed || System.nanoTime() - refreshedNanos < REFRESH_NANOS) {
      return false;
    }
    refreshedNanos = System.nanoTime();
    for (Link asked : askable()) {
      try {
        asked.connect();
        List<Object> slots = asked.call(commands -> commands.clusterSlots());
        take(slots);
        return true;
      } catch (ServerUnavailableException | UnsettledException | RedisCommandExecutionException e) {
        LOG.debug("The server {} does not know the slots now.", asked.place(), e);
      }
    }
    return false;
  }

  /**
   * The known masters, and with none the server of the URI, whose link is kept if it is a master.
   */
  private List<Link> askable() {
    List<Link> known = new ArrayList<>(links.values());
    String place = place(seed.getHost(), seed.getPort());
    if (!links.containsKey(place)) {
      known.add(link(place, seed.getHost(), seed.getPort()));
    }
    return known;
  }

  private Link link(String place, String host, long port) {
    return links.computeIfAbsent(
        place,
        any -> {
          RedisURI server = RedisURI.builder(seed).withHost(host).withPort((int) port).build();
          Link made = new Link(client, server, settings, prefix, reports);
          reports.expect(made);
          return made;
        });
  }

  private static String place(String host, long port) {
    return host + ':' + port;
  }

  /** Makes links to new masters, and closes those that have no slots any longer. */
  private void take(List<Object> answer) {
    Link[] owners = new Link[KeyNames.SLOTS];
    Set<String> there = new HashSet<>();
    for (Object each : answer) {
      List<?> range = (List<?>) each;
      List<?> master = (List<?>) range.get(2);
      String host = new String((byte[]) master.get(0), StandardCharsets.US_ASCII);
      long port = (Long) master.get(1);
      String place = place(host.isEmpty() ? seed.getHost() : host, port);
      Link link = link(place, host.isEmpty() ? seed.getHost() : host, port);
      there.add(place);
      for (long slot = (Long) range.get(0); slot <= (Long) range.get(1); slot++) {
        owners[(int) slot] = link;
      }
    }
    bySlot = owners;
    for (String place : Set.copyOf(links.keySet())) {
      if (!there.contains(place)) {
        Link gone = links.remove(place);
        if (gone != null) {
          gone.close();
          reports.forget(gone);
        }
      }
    }
  }

  @Override
  public void tend() {
    if (bySlot.length == 0 && !refresh()) {
      throw new ServerUnavailableException(
          "The Redis cluster at "
              + settings.place()
              + " cannot be reached. Start it, or check its"
              + " address, user and password.",
          null);
    }
    RuntimeException failure = null;
    for (Link link : all()) {
      try {
        link.probe();
        link.connect();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      boolean unused = refresh();
      throw failure;
    }
  }

  @Override
  public long offsetMillis() {
    Link[] there = bySlot;
    Link any = there.length == 0 ? null : there[0];
    return any == null ? 0 : any.offsetMillis();
  }

  @Override
  public void close() {
    List<Link> closing;
    synchronized (this) {
      closed = true;
      closing = List.copyOf(links.values());
    }
    closing.forEach(Link::close);
  }
}
