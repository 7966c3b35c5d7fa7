package io.rockpool.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.push.PushMessage;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.engine.ServerClock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one server, for commands and for what the server reports. All threads share it.
 * A lost connection is never repaired silently: commands that were sent fail as {@link
 * UnsettledException}, the observer learns that the feed is lost, and {@link #connect} makes a new
 * one, which the server tracks from its beginning. A {@link LinkConnector} makes connections, and a
 * {@link LinkWatch} finds that the server is silent. Thread-safe.
 */
final class Link implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool.redis");
  private static final String INVALIDATE = "invalidate";

  private final RedisURI server;
  private final RedisSettings settings;
  private final Observer observer;
  private final Handshake handshake;
  private final LinkConnector connector;
  private final LinkWatch watch;
  private final Object monitor = new Object();
  private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;

  /** The connection, if the server reports changes on it. */
  private volatile @Nullable StatefulRedisConnection<byte[], byte[]> reporting;

  /** Whether no connection is made any more. */
  private volatile boolean ending;

  /** Why there is no connection; null if there is one, or if that is not known. */
  private volatile @Nullable Throwable failure;

  /** Whether reports may be missing, and the observer does not know it. */
  private volatile boolean isLossUnreported;

  /** Whether calls shall not wait for a connection, because a call has timed out. */
  private volatile boolean away;

  /** What a link reports; called by threads that must not wait. */
  interface Observer {
    /** Ignores everything. */
    Observer NONE =
        new Observer() {
          @Override
          public void connected() {}

          @Override
          public void feedLost(Link link) {}

          @Override
          public void feedArmed(Link link) {}

          @Override
          public void changed(@Nullable List<ByteBuffer> keys) {}
        };

    /** A connection was made. */
    void connected();

    /** Reports may be missing from now on. */
    void feedLost(Link link);

    /** Reports arrive again. */
    void feedArmed(Link link);

    /** Keys were changed by another client; null for all. */
    void changed(@Nullable List<ByteBuffer> keys);
  }

  /**
   * A link that is not connected yet.
   *
   * @param mustBeMaster whether a replica is refused: the server is about to be promoted, or was
   *     replaced
   */
  Link(
      RedisClient client,
      RedisURI server,
      RedisSettings settings,
      byte[] prefix,
      Observer to,
      boolean mustBeMaster) {
    this.server = server;
    this.settings = settings;
    this.observer = to;
    this.handshake = new Handshake(place(), settings, prefix, mustBeMaster);
    this.connector = new LinkConnector(this, client, server, settings, handshake);
    this.watch = new LinkWatch(this, settings, handshake);
  }

  /** The host and port. */
  String place() {
    return server.getHost() + ":" + server.getPort();
  }

  String host() {
    return server.getHost();
  }

  boolean isConnected() {
    return connection != null;
  }

  /** Whether no connection is made any more. */
  boolean isEnding() {
    return ending;
  }

  /** Why there is no connection; null if there is one, or if that is not known. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** The connection, if the server reports changes on it; else null. */
  @Nullable StatefulRedisConnection<byte[], byte[]> reporting() {
    return reporting;
  }

  /** Whether calls fail at once until the server is connected again. */
  boolean isAway() {
    return away;
  }

  /** The server's clock; that of the last connection until the next. */
  ServerClock clock() {
    return handshake.clock();
  }

  /** Begins to connect unless connected, connecting or closed. Does not wait. */
  void beginToConnect(BooleanSupplier isInPlace) {
    connector.beginToConnect(isInPlace);
  }

  /**
   * As {@link #beginToConnect}, and waits for that some time. A later call waits for the same
   * attempt.
   *
   * @param isInPlace is asked at the end whether the server still has its place: one that hangs may
   *     be replaced while a connection to it is made
   * @throws ServerUnavailableException if the attempt has failed, or lasts longer and an earlier
   *     one has failed
   */
  void connect(Duration patience, BooleanSupplier isInPlace) {
    connector.connect(patience, isInPlace);
  }

  /** Notes why an attempt to connect has failed; returns false if that is because the link ends. */
  boolean failed(Throwable why) {
    synchronized (monitor) {
      if (!ending) {
        failure = why;
      }
      return !ending;
    }
  }

  /** Takes a new connection, unless the link ends or the connection has ended. */
  boolean keep(StatefulRedisConnection<byte[], byte[]> made, boolean tracked) {
    synchronized (monitor) {
      if (ending || !made.isOpen()) {
        return false;
      }
      connection = made;
      reporting = tracked ? made : null;
      failure = null;
      away = false;
      monitor.notifyAll();
      return true;
    }
  }

  /** Tells the observer of a new connection. */
  void announce(StatefulRedisConnection<byte[], byte[]> made, boolean tracked) {
    observer.connected();
    if (tracked) {
      arm(made);
    }
  }

  /** Tells the observer that reports arrive. */
  void arm(StatefulRedisConnection<byte[], byte[]> made) {
    boolean armed = false;
    try {
      observer.feedArmed(this);
      armed = true;
    } finally {
      if (!armed) { // else nothing would arm the feed again
        lose(made, null);
      }
    }
    if (connection != made) { // it was lost before its reports were expected
      reportLoss();
    }
  }

  /** Gives a connection up, and all that waits for it. */
  void lose(StatefulRedisConnection<byte[], byte[]> lost, @Nullable Throwable why) {
    synchronized (monitor) {
      if (connection != lost) {
        return;
      }
      connection = null;
      reporting = null;
      failure = why;
    }
    try {
      reportLoss();
    } finally {
      CompletableFuture<Void> unused = lost.closeAsync();
    }
  }

  /** Gives the connection up, since a report on it has got lost. */
  void loseReports() {
    StatefulRedisConnection<byte[], byte[]> there = connection;
    if (there != null) {
      lose(there, null);
    }
  }

  /** Reports a loss that could not be reported. */
  void reportUnreportedLoss() {
    if (isLossUnreported) {
      reportLoss();
    }
  }

  /** Reports a loss. If the heap is too full for that, {@link #watch} does it later. */
  private void reportLoss() {
    isLossUnreported = true;
    observer.feedLost(this);
    isLossUnreported = false;
  }

  /** Takes what the server reports. */
  void pushed(StatefulRedisConnection<byte[], byte[]> from, PushMessage message) {
    try {
      pushed(message);
    } catch (Throwable e) {
      // The report is gone, so what is in memory may be old.
      lose(from, e);
      LOG.warn("A report of the server {} is lost; memory is dropped.", place(), e);
    }
  }

  private void pushed(PushMessage message) {
    if (message.getType().equals(INVALIDATE)) {
      List<Object> content = message.getContent(ByteBuffer::duplicate);
      Object keys = content.size() > 1 ? content.get(1) : null;
      observer.changed(
          keys instanceof List<?> list
              ? list.stream()
                  .filter(ByteBuffer.class::isInstance)
                  .map(ByteBuffer.class::cast)
                  .toList()
              : null);
    }
  }

  /**
   * Looks whether the server has answered, asks it again, and gives up a connection that is silent.
   * Waits for nothing. One thread does this, each {@link Pulse#PERIOD}.
   *
   * @param key what the server must answer for; it does not if another server has the data. Null
   *     for none
   */
  void watch(byte @Nullable [] key) {
    reportUnreportedLoss();
    StatefulRedisConnection<byte[], byte[]> there = connection;
    if (there != null) {
      watch.look(there, key);
    }
  }

  /** Notes that the server reports changes; returns false if the connection was lost. */
  boolean startReporting(StatefulRedisConnection<byte[], byte[]> there) {
    synchronized (monitor) {
      if (connection != there) {
        return false;
      }
      reporting = there;
      return true;
    }
  }

  /**
   * Sends commands, and waits for their answers.
   *
   * @throws ServerUnavailableException if nothing was sent
   * @throws UnsettledException if the server did not answer
   */
  void send(RedisBatch batch) {
    send(connected(), batch);
  }

  /** As {@link #send(RedisBatch)}, on a connection of this link. */
  void send(StatefulRedisConnection<byte[], byte[]> there, RedisBatch batch) {
    batch.send(there);
    try {
      batch.await(settings.timeout(), place());
    } catch (UnsettledException e) {
      if (batch.wasNeverSent()) {
        lose(there, null);
        throw unavailable(e);
      }
      throw e;
    }
  }

  /** Reads two values at one moment, as {@link #send} does; null for each absent one. */
  List<byte[]> two(byte[] one, byte[] other) {
    RedisBatch batch = new RedisBatch();
    CompletableFuture<List<byte[]>> found = batch.two(one, other);
    send(batch);
    return found.join();
  }

  /** Sends one command, and waits for its answer, as {@link #send} does. */
  <T extends @Nullable Object> T call(
      Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
    return call(command, settings.timeout());
  }

  /** As {@link #call(Function)}, with a wait of its own. */
  <T extends @Nullable Object> T call(
      Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> command, Duration patience) {
    return Answers.await(command.apply(connected().async()), patience, place());
  }

  /** Sends commands without waiting; returns false if there is no connection. */
  boolean sendLater(RedisBatch batch) {
    StatefulRedisConnection<byte[], byte[]> there = connection;
    if (there != null) {
      batch.send(there);
    }
    return there != null;
  }

  private StatefulRedisConnection<byte[], byte[]> connected() {
    StatefulRedisConnection<byte[], byte[]> there = connection;
    return there == null ? newConnection() : there;
  }

  /**
   * Waits for a connection, as each call does.
   *
   * @throws ServerUnavailableException if none is made in time
   */
  void awaitConnection() {
    StatefulRedisConnection<byte[], byte[]> unused = connected();
  }

  private StatefulRedisConnection<byte[], byte[]> newConnection() {
    long end = System.nanoTime() + settings.timeout().toNanos();
    boolean interrupted = false;
    try {
      synchronized (monitor) {
        while (connection == null && !ending) {
          long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
          if (left <= 0 || away || OpenCalls.hasWaited()) {
            away = settings.missesWhenAway();
            OpenCalls.waited();
            throw unavailable(failure);
          }
          try {
            monitor.wait(left);
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
        StatefulRedisConnection<byte[], byte[]> there = connection;
        if (there == null) {
          throw unavailable(failure);
        }
        return there;
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The error of a call that has no connection. */
  ServerUnavailableException unavailable(@Nullable Throwable cause) {
    if (cause != null && root(cause) instanceof RedisCommandExecutionException refused) {
      String refusal = reason(refused);
      return new ServerUnavailableException(
          "The Redis server "
              + place()
              + " refuses the connection: "
              + refusal
              + (refusal.contains("max number of clients")
                  ? ". Raise its option maxclients, or close other connections."
                  : ". Check the user and password, the permissions and the database."),
          cause);
    }
    return new ServerUnavailableException(
        "The Redis server "
            + place()
            + " cannot be reached"
            + (cause == null ? "" : ": " + reason(cause))
            + ". Start it, or check its address, user and password.",
        cause);
  }

  private static @Nullable Throwable root(@Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Whether a server has answered, but refuses. */
  static boolean isRefusal(@Nullable Throwable failure) {
    return root(failure) instanceof RedisCommandExecutionException;
  }

  /** What the first cause with a message says, as a part of a sentence. */
  static String reason(Throwable failure) {
    String said = failure.getClass().getSimpleName();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      said = cause.getMessage() == null ? said : cause.getMessage();
    }
    return said.replaceFirst("\\.+$", "");
  }

  /**
   * Makes no connection any more, since the engine is being closed. One that is there stays; calls
   * that wait for one fail, and are not repeated.
   */
  void end() {
    away = true;
    endAttempts();
  }

  private void endAttempts() {
    StatefulRedisConnection<byte[], byte[]> kept;
    synchronized (monitor) {
      ending = true;
      kept = connection;
      monitor.notifyAll();
    }
    connector.cancel(kept);
  }

  /** Closes the connection; calls that wait fail. */
  @Override
  public void close() {
    endAttempts();
    StatefulRedisConnection<byte[], byte[]> there;
    synchronized (monitor) {
      there = connection;
      connection = null;
    }
    if (there != null) {
      CompletableFuture<Void> unused = there.closeAsync();
    }
  }
}
