package io.rockpool.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.rockpool.redis.RedisSettings.HostPort;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The servers of the data, and which has which slot. */
interface Servers extends AutoCloseable {
  /** The server that has a slot. */
  Link at(int slot);

  /** The server that has a slot, if that is known. Waits for nothing. */
  @Nullable Link owner(int slot);

  /** All servers that have slots. */
  Collection<Link> all();

  /** Looks again which server has which slot; returns whether it can help to repeat a command. */
  boolean refresh();

  /** The time by the servers' clocks; by this machine's while none has said it. */
  long nowMillis();

  /**
   * Connects what is not connected, and finds which servers have the slots.
   *
   * @param patience how long it waits for connections; attempts go on after that
   */
  void tend(Duration patience);

  /** Gives up connections whose servers are silent. Waits for nothing; see {@link Link#watch}. */
  void watch();

  /** Makes no connection any more; what waits for one ends soon. */
  void end();

  /**
   * The replicas of a server.
   *
   * @param state the state of replication that it has reported
   */
  default List<HostPort> replicas(Link master, ReplicationState state) {
    return state.replicas();
  }

  @Override
  void close();

  /** The servers of the settings, not yet connected. */
  static Servers of(RedisClient client, RedisSettings settings, KeyNames keys, Reports reports) {
    if (settings.master() != null) {
      return new SentinelServers(client, settings, keys.prefix(), reports);
    }
    if (settings.cluster()) {
      return new ClusterServers(client, settings, keys.prefix(), reports);
    }
    RedisURI server = RedisClients.server(settings, settings.hosts().get(0));
    Link link = new Link(client, server, settings, keys.prefix(), reports, false);
    reports.expect(link);
    return of(link);
  }

  /** One server that has all slots. */
  static Servers of(Link link) {
    return new Servers() {
      @Override
      public Link at(int slot) {
        return link;
      }

      @Override
      public Link owner(int slot) {
        return link;
      }

      @Override
      public Collection<Link> all() {
        return List.of(link);
      }

      @Override
      public boolean refresh() {
        return false;
      }

      @Override
      public long nowMillis() {
        return link.clock().millis();
      }

      @Override
      public void tend(Duration patience) {
        link.connect(patience, () -> true);
      }

      @Override
      public void watch() {
        link.watch(null);
      }

      @Override
      public void end() {
        link.end();
      }

      @Override
      public void close() {
        link.close();
      }
    };
  }
}
