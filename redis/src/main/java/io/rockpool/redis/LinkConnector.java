package io.rockpool.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.rockpool.internal.engine.Upkeep;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Makes the connections of a {@link Link}, on threads of its own, one at a time. Thread-safe. */
final class LinkConnector {
  private static final String THREAD = "rockpool-redis-connecting";

  private final Link link;
  private final RedisClient client;
  private final RedisURI server;
  private final RedisSettings settings;
  private final Handshake handshake;

  /** The attempt to connect whose outcome no thread has seen yet. */
  private @Nullable Attempt attempt;

  /** One attempt to connect. */
  private static final class Attempt {
    /** The connection, before it is prepared. Cancelled if it comes too late. */
    private final CompletableFuture<StatefulRedisConnection<byte[], byte[]>> made =
        new CompletableFuture<>();

    /** Null if it has succeeded. */
    private final CompletableFuture<@Nullable Throwable> outcome = new CompletableFuture<>();
  }

  LinkConnector(
      Link link, RedisClient client, RedisURI server, RedisSettings settings, Handshake handshake) {
    this.link = link;
    this.client = client;
    this.server = server;
    this.settings = settings;
    this.handshake = handshake;
  }

  /** As {@link Link#beginToConnect}. */
  void beginToConnect(BooleanSupplier isInPlace) {
    Attempt unused = begin(isInPlace);
  }

  /** As {@link Link#connect}. */
  void connect(Duration patience, BooleanSupplier isInPlace) {
    Attempt begun = begin(isInPlace);
    if (begun == null) {
      return;
    }
    Throwable failed;
    try {
      failed = Answers.await(begun.outcome, patience, link.place());
    } catch (UnsettledException e) {
      Throwable earlier = link.failure();
      if (earlier != null) {
        throw link.unavailable(earlier);
      }
      return;
    }
    synchronized (this) {
      if (attempt == begun) {
        attempt = null;
      }
    }
    Upkeep.rethrow(failed);
  }

  private synchronized @Nullable Attempt begin(BooleanSupplier isInPlace) {
    if (link.isConnected() || link.isEnding()) {
      return null;
    }
    Attempt there = attempt;
    if (there == null) {
      Attempt begun = new Attempt();
      Thread thread = new Thread(null, () -> run(begun, isInPlace), THREAD, 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(LinkConnector.class.getClassLoader());
      thread.start();
      attempt = begun;
      there = begun;
    }
    return there;
  }

  private void run(Attempt begun, BooleanSupplier isInPlace) {
    Throwable failed = null;
    try {
      connectNow(begun, isInPlace);
      synchronized (this) {
        attempt = null;
      }
    } catch (Throwable e) {
      if (link.failed(e)) { // else it was cancelled
        failed = e;
      }
    } finally {
      begun.made.cancel(false);
      begun.outcome.complete(failed);
    }
  }

  private void connectNow(Attempt begun, BooleanSupplier isInPlace) {
    StatefulRedisConnection<byte[], byte[]> made;
    try {
      CompletionStage<?> unused =
          RedisClients.connect(client, ByteArrayCodec.INSTANCE, server)
              .whenComplete((arrived, failed) -> arrived(begun, arrived, failed));
      made = Answers.await(begun.made, settings.openingPatience(), link.place());
    } catch (RedisException | UnsettledException e) {
      throw link.unavailable(e);
    }
    boolean kept = false;
    try {
      boolean tracked =
          handshake.run(made, message -> link.pushed(made, message), () -> link.lose(made, null));
      if (!isInPlace.getAsBoolean()) {
        throw new UnsettledException("Another server has replaced it.", null);
      }
      link.reportUnreportedLoss();
      kept = link.keep(made, tracked);
      if (kept) {
        link.announce(made, tracked);
      }
    } catch (RedisException | UnsettledException e) {
      throw link.unavailable(e);
    } finally {
      if (!kept) {
        CompletableFuture<Void> unused = made.closeAsync();
      }
    }
  }

  private static void arrived(
      Attempt begun,
      @Nullable StatefulRedisConnection<byte[], byte[]> arrived,
      @Nullable Throwable failed) {
    if (arrived == null) {
      begun.made.completeExceptionally(Objects.requireNonNull(failed));
    } else if (!begun.made.complete(arrived)) {
      CompletableFuture<Void> unused = arrived.closeAsync();
    }
  }

  /**
   * Cancels the attempt, once the link is ending.
   *
   * @param kept the connection that the link has, which stays open
   */
  void cancel(@Nullable StatefulRedisConnection<byte[], byte[]> kept) {
    Attempt there;
    synchronized (this) {
      there = attempt;
    }
    if (there != null && !there.made.cancel(false) && !there.made.isCompletedExceptionally()) {
      StatefulRedisConnection<byte[], byte[]> made = there.made.join();
      if (made != kept) {
        CompletableFuture<Void> unused = made.closeAsync();
      }
    }
  }
}
