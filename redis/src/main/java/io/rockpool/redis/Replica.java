package io.rockpool.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.rockpool.redis.RedisSettings.HostPort;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one replica, which answers reads only. After a failure it answers none until
 * the upkeep has found that it has the data. Thread-safe.
 */
final class Replica implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool.redis");

  /** How long a read waits before its master is asked. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  private static final Duration UPKEEP_PATIENCE = Duration.ofMillis(500);
  private static final long RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RedisClient client;
  private final HostPort place;
  private final RedisURI server;
  private final boolean inCluster;
  private final Duration patience;
  private @Nullable StatefulRedisConnection<byte[], byte[]> connection;
  private boolean connecting;
  private boolean closed;
  private long triedNanos = System.nanoTime() - RECONNECT_NANOS;

  /** What answers reads now; null for nothing. */
  private volatile @Nullable Serving serving;

  /**
   * A connection to data that has all that the master had at a time of {@link KeyUses}. A later
   * connection may be to older data.
   */
  record Serving(
      Replica replica, StatefulRedisConnection<byte[], byte[]> connection, long hasAllUntilNanos) {}

  /** What a replica says of its data. */
  record Found(StatefulRedisConnection<byte[], byte[]> connection, ReplicationState state) {}

  Replica(RedisClient client, HostPort place, RedisSettings settings) {
    this.client = client;
    this.place = place;
    this.server = RedisClients.server(settings, place);
    this.inCluster = settings.cluster();
    this.patience = settings.timeout().compareTo(PATIENCE) < 0 ? settings.timeout() : PATIENCE;
  }

  HostPort place() {
    return place;
  }

  @Nullable Serving serving() {
    return serving;
  }

  /** Answers reads from now on, with what was found. */
  synchronized void serve(Found found, long hasAllUntilNanos) {
    if (connection == found.connection) {
      serving = new Serving(this, found.connection, hasAllUntilNanos);
    }
  }

  /** Answers no read until {@link #serve}. */
  synchronized void stopServing() {
    serving = null;
  }

  /** Begins to connect unless connected; waits for nothing. */
  synchronized void connect() {
    if (closed
        || connection != null
        || connecting
        || System.nanoTime() - triedNanos < RECONNECT_NANOS) {
      return;
    }
    connecting = true;
    triedNanos = System.nanoTime();
    CompletionStage<?> unused =
        RedisClients.connect(client, ByteArrayCodec.INSTANCE, server)
            .thenCompose(this::readOnly)
            .whenComplete(this::connected);
  }

  /** A replica of a cluster answers only connections that ask for that. */
  private CompletionStage<StatefulRedisConnection<byte[], byte[]>> readOnly(
      StatefulRedisConnection<byte[], byte[]> made) {
    if (!inCluster) {
      return CompletableFuture.completedFuture(made);
    }
    return made.async()
        .readOnly()
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                CompletableFuture<Void> unused = made.closeAsync();
              }
            })
        .thenApply(done -> made);
  }

  private synchronized void connected(
      @Nullable StatefulRedisConnection<byte[], byte[]> made, @Nullable Throwable failure) {
    connecting = false;
    if (made == null) {
      LOG.debug("The replica {} cannot be connected.", place, failure);
      return;
    }
    made.addListener(
        new RedisConnectionStateAdapter() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> ended) {
            lose(made);
          }
        });
    if (closed || !made.isOpen()) {
      CompletableFuture<Void> unused = made.closeAsync();
    } else {
      connection = made;
    }
  }

  private synchronized void lose(StatefulRedisConnection<byte[], byte[]> lost) {
    if (connection == lost) {
      connection = null;
      serving = null;
      CompletableFuture<Void> unused = lost.closeAsync();
    }
  }

  private synchronized @Nullable StatefulRedisConnection<byte[], byte[]> connection() {
    return connection;
  }

  /** Asks for the state of the replication, for {@link #found}; null without a connection. */
  @Nullable CompletionStage<Found> find() {
    StatefulRedisConnection<byte[], byte[]> there = connection();
    return there == null
        ? null
        : there
            .async()
            .info("replication")
            .thenApply(info -> new Found(there, ReplicationState.of(info)));
  }

  /** Waits for the state; null if there is no answer in time. */
  @Nullable Found found(@Nullable CompletionStage<Found> asked) {
    StatefulRedisConnection<byte[], byte[]> there = connection();
    try {
      return asked == null ? null : Answers.await(asked, UPKEEP_PATIENCE, place.toString());
    } catch (UnsettledException | RedisException e) {
      LOG.debug("The replica {} does not answer.", place, e);
      if (there != null) {
        lose(there); // else commands would pile up
      }
      return null;
    }
  }

  /** Waits a short while for reads that were sent; returns whether all were answered. */
  boolean await(RedisBatch sent) {
    try {
      sent.await(patience, place.toString());
      return true;
    } catch (UnsettledException | RedisException e) {
      LOG.debug("The replica {} did not answer a read.", place, e);
      stopServing();
      return false;
    }
  }

  @Override
  public void close() {
    StatefulRedisConnection<byte[], byte[]> there;
    synchronized (this) {
      closed = true;
      there = connection;
      connection = null;
      serving = null;
    }
    if (there != null) {
      CompletableFuture<Void> unused = there.closeAsync();
    }
  }
}
