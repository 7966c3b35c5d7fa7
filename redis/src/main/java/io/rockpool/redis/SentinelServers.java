package io.rockpool.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.redis.RedisSettings.HostPort;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The master that sentinels name. They are asked in each round of the upkeep, also while the master
 * answers: one that they have replaced may not know it yet. Thread-safe.
 */
final class SentinelServers implements Servers {
  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool.redis");

  private final RedisClient client;
  private final RedisSettings settings;
  private final String master;
  private final byte[] prefix;
  private final Reports reports;
  private final Object tending = new Object();
  private volatile @Nullable Link current;
  private volatile boolean closed;

  /** The sentinel that is asked, and the connection to it. */
  private int asked;

  private @Nullable StatefulRedisSentinelConnection<String, String> sentinel;

  SentinelServers(RedisClient client, RedisSettings settings, byte[] prefix, Reports reports) {
    this.client = client;
    this.settings = settings;
    this.master = Objects.requireNonNull(settings.master());
    this.prefix = prefix;
    this.reports = reports;
  }

  @Override
  public Link at(int slot) {
    Link link = current;
    if (link == null) {
      throw unavailable(null);
    }
    return link;
  }

  @Override
  public Collection<Link> all() {
    Link link = current;
    return link == null ? List.of() : List.of(link);
  }

  /** The upkeep asks the sentinels; a caller waits for it. */
  @Override
  public boolean refresh() {
    return false;
  }

  @Override
  public long offsetMillis() {
    Link link = current;
    return link == null ? 0 : link.offsetMillis();
  }

  @Override
  public void tend() {
    synchronized (tending) {
      if (closed) {
        return;
      }
      HostPort named = master();
      Link link = current;
      if (named != null && (link == null || !link.place().equals(named.toString()))) {
        link = replace(link, named);
      }
      if (link == null) {
        throw unavailable(null);
      }
      link.probe();
      String place = link.place();
      link.connect(() -> isMaster(place));
    }
  }

  /** Whether the sentinels name a server, or do not answer. */
  private boolean isMaster(String place) {
    HostPort named = master();
    return named == null || named.toString().equals(place);
  }

  /** Uses another server. The calls of the one before find out what became of them. */
  private Link replace(@Nullable Link before, HostPort place) {
    Link made =
        new Link(client, RedisClients.server(settings, place), settings, prefix, reports, true);
    reports.expect(made);
    current = made;
    if (before != null) {
      LOG.info("The master {} is now {}; it was {}.", master, place, before.place());
      before.close();
      reports.forget(before);
    }
    return made;
  }

  /** The master's place as the first sentinel that answers has it; null if none does. */
  private @Nullable HostPort master() {
    int count = settings.hosts().size();
    for (int tries = 0; tries < count; tries++) {
      HostPort place = settings.hosts().get(asked % count);
      try {
        StatefulRedisSentinelConnection<String, String> there = sentinel;
        if (there == null || !there.isOpen()) {
          there = client.connectSentinel(StringCodec.UTF8, RedisClients.sentinel(settings, place));
          sentinel = there;
        }
        if (there.sync().getMasterAddrByName(master) instanceof InetSocketAddress address) {
          return new HostPort(address.getHostString(), address.getPort());
        }
        LOG.warn("The sentinel {} knows no master \"{}\". Check the name.", place, master);
      } catch (RedisException e) {
        LOG.debug("The sentinel {} does not answer.", place, e);
      }
      closeSentinel();
      asked = (asked + 1) % count;
    }
    return null;
  }

  private void closeSentinel() {
    StatefulRedisSentinelConnection<String, String> there = sentinel;
    sentinel = null;
    if (there != null) {
      var unused = there.closeAsync();
    }
  }

  private ServerUnavailableException unavailable(@Nullable Throwable cause) {
    return new ServerUnavailableException(
        "No sentinel names a master for "
            + settings.place()
            + ". Start them, or check their addresses and the name of the master.",
        cause);
  }

  @Override
  public void close() {
    closed = true;
    Link link = current;
    if (link != null) {
      link.close();
    }
    synchronized (tending) {
      StatefulRedisSentinelConnection<String, String> there = sentinel;
      sentinel = null;
      if (there != null) {
        try {
          there.closeAsync().get(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException
            | java.util.concurrent.TimeoutException e) {
          LOG.debug("The connection to a sentinel was not closed in time.", e);
        }
      }
    }
  }
}
