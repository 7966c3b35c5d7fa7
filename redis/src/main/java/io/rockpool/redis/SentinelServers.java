package io.rockpool.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.redis.RedisSettings.HostPort;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
  private final Object asking = new Object();
  private volatile @Nullable Link current;
  private volatile boolean ending;

  /** The sentinel that is asked, and the connection to it. */
  private int asked;

  private volatile @Nullable StatefulRedisConnection<String, String> sentinel;

  /**
   * Why the sentinels that were asked have not named a master: a refusal, or the reason of the last
   * one. Null if it has.
   */
  private volatile @Nullable Exception failure;

  /** Whether it was logged that a sentinel does not know the master. */
  private boolean warned;

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
      throw unavailable();
    }
    return link;
  }

  @Override
  public @Nullable Link owner(int slot) {
    return current;
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
  public long nowMillis() {
    Link link = current;
    return link == null ? System.currentTimeMillis() : link.clock().millis();
  }

  @Override
  public void tend(Duration patience) {
    HostPort named = master();
    if (ending) {
      return;
    }
    Link link = current;
    if (named != null && (link == null || !link.place().equals(named.toString()))) {
      link = replace(link, named);
    }
    if (link == null) {
      throw unavailable();
    }
    String place = link.place();
    link.connect(patience, () -> isMaster(place));
  }

  /** Whether the sentinels name a server, or do not answer. */
  private boolean isMaster(String place) {
    HostPort named = master();
    return named == null || named.toString().equals(place);
  }

  @Override
  public void watch() {
    Link link = current;
    if (link != null) {
      link.watch(null);
    }
  }

  /** Uses another server. The calls of the one before find out what became of them. */
  private Link replace(@Nullable Link before, HostPort place) {
    Link made =
        new Link(client, RedisClients.server(settings, place), settings, prefix, reports, true);
    reports.expect(made);
    if (before != null) {
      made.clock().beginAs(before.clock());
    }
    current = made;
    if (ending) {
      made.end();
    }
    if (before != null) {
      LOG.info("The master {} is now {}; it was {}.", master, place, before.place());
      before.close();
      reports.forget(before);
    }
    return made;
  }

  /**
   * The master's place as the first sentinel that answers has it; null if none does. One thread at
   * a time asks.
   */
  private @Nullable HostPort master() {
    synchronized (asking) {
      int count = settings.hosts().size();
      failure = null;
      for (int tries = 0; tries < count && !ending; tries++) {
        HostPort place = settings.hosts().get(asked % count);
        try {
          HostPort found = ask(place);
          if (found != null) {
            failure = null; // of a sentinel before it
            warned = false;
            return found;
          }
          failure = new UnsettledException(place + " knows no master of this name.", null);
          if (!warned) {
            warned = true;
            LOG.warn("The sentinel {} knows no master \"{}\". Check the name.", place, master);
          }
        } catch (RedisException | UnsettledException e) {
          failure = Link.isRefusal(failure) ? failure : e;
          LOG.debug("The sentinel {} does not answer.", place, e);
        }
        closeSentinel();
        asked = (asked + 1) % count;
      }
      return null;
    }
  }

  private @Nullable HostPort ask(HostPort place) {
    StatefulRedisConnection<String, String> there = sentinel;
    if (there == null || !there.isOpen()) {
      there = connect(place);
      sentinel = there;
      if (ending) { // the end may have come before it
        closeSentinel();
      }
    }
    CompletionStage<List<String>> answer =
        there
            .async()
            .dispatch(
                CommandType.SENTINEL,
                new ValueListOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8).add("GET-MASTER-ADDR-BY-NAME").add(master));
    List<String> address = Answers.await(answer, patience(), place.toString());
    return address == null || address.size() != 2
        ? null
        : new HostPort(address.get(0), Integer.parseInt(address.get(1)));
  }

  private Duration patience() {
    return current == null ? settings.openingPatience() : settings.askingPatience();
  }

  /** As to a server of data: the client's own connections to sentinels log each failure. */
  private StatefulRedisConnection<String, String> connect(HostPort place) {
    CompletableFuture<StatefulRedisConnection<String, String>> made =
        RedisClients.connect(client, StringCodec.UTF8, RedisClients.sentinel(settings, place));
    try {
      return Answers.await(made, patience(), place.toString());
    } catch (UnsettledException e) {
      CompletableFuture<Void> unused = made.thenCompose(StatefulRedisConnection::closeAsync);
      throw e;
    }
  }

  private void closeSentinel() {
    StatefulRedisConnection<String, String> there = sentinel;
    sentinel = null;
    if (there != null) {
      CompletableFuture<Void> unused = there.closeAsync();
    }
  }

  private ServerUnavailableException unavailable() {
    Exception cause = failure;
    String reason = cause == null ? "" : ": " + Link.reason(cause);
    return new ServerUnavailableException(
        "No sentinel names a master for "
            + settings.place()
            + reason
            + (Link.isRefusal(cause)
                ? ". Check sentinel-username and sentinel-password."
                : ". Start them, or check their addresses and the name of the master."),
        cause);
  }

  @Override
  public void end() {
    ending = true;
    closeSentinel();
    Link link = current;
    if (link != null) {
      link.end();
    }
  }

  @Override
  public void close() {
    end();
    Link link = current;
    if (link != null) {
      link.close();
    }
  }
}
