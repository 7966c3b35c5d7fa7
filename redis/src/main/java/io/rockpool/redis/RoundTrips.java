package io.rockpool.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreFullException;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs commands on the server of a slot, and repeats those that the server has not run. */
final class RoundTrips {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * How often a read is sent whose connections are lost. The server may end them because the answer
   * is too large, and each takes the calls of all threads with it. Two may be lost in a failover.
   */
  private static final int READS = 3;

  private static final String LOST_AGAIN =
      " The server may have ended the connection because the answer is larger than its"
          + " client-output-buffer-limit or maxmemory-clients allows.";

  /** The longest pause after the first new connection. */
  private static final long LOST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final Pattern COMMAND = Pattern.compile("'[a-z|]+' command");
  private static final Pattern KEYS_REFUSED =
      Pattern.compile("(ermissions to|can't) access .*\\bkeys?\\b");
  private static final String BUSY = "BUSY";

  /**
   * Errors of servers that change their roles, slots or replicas, or run a script that takes long;
   * the command was not run.
   */
  private static final Set<String> PASSING =
      Set.of(
          "MOVED",
          "ASK",
          "TRYAGAIN",
          "CLUSTERDOWN",
          "READONLY",
          "LOADING",
          "MASTERDOWN",
          "NOREPLICAS",
          BUSY);

  private static final Set<String> MISPLACED =
      Set.of("MOVED", "CLUSTERDOWN", "READONLY", "MASTERDOWN", "LOADING");

  private final Servers servers;
  private final long timeoutNanos;
  private final Function<String, @Nullable Link> asked;

  /**
   * @param asked returns the link to the server at a place, or null; must not wait
   */
  RoundTrips(Servers servers, RedisSettings settings, Function<String, @Nullable Link> asked) {
    this.servers = servers;
    this.asked = asked;
    this.timeoutNanos = settings.timeout().toNanos();
  }

  Servers servers() {
    return servers;
  }

  /** A batch whose commands follow keys to other servers, while their slots move. */
  RedisBatch batch() {
    return new RedisBatch(asked);
  }

  /** Repeats a read also if the connection is lost, but not endlessly. */
  <T extends @Nullable Object> T read(int slot, Function<Link, T> read) {
    return read(() -> servers.at(slot), read);
  }

  /** As {@link #read(int, Function)}, on one server. */
  <T extends @Nullable Object> T read(Link link, Function<Link, T> read) {
    return read(() -> link, read);
  }

  private <T extends @Nullable Object> T read(Supplier<Link> server, Function<Link, T> read) {
    long end = System.nanoTime() + timeoutNanos;
    for (int reads = 1; ; reads++) {
      long pauseNanos = (reads - 1) * LOST_PAUSE_NANOS;
      try {
        return write(server, link -> readLater(link, read, pauseNanos));
      } catch (UnsettledException e) {
        if (reads == READS || System.nanoTime() - end > 0) {
          throw new ServerUnavailableException(
              e.getMessage()
                  + (reads > 1 ? LOST_AGAIN : "")
                  + " Repeat the read, or check the server.",
              e);
        }
      }
    }
  }

  /**
   * Reads at a random time after the connection is there. Other threads read again at other times,
   * so that they are not disturbed if this read ends the connection once more.
   */
  private static <T extends @Nullable Object> T readLater(
      Link link, Function<Link, T> read, long pauseNanos) {
    if (pauseNanos > 0) {
      link.awaitConnection();
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pauseNanos));
    }
    return read.apply(link);
  }

  /**
   * Runs a write once.
   *
   * @throws UnsettledException if its outcome is unknown
   */
  <T extends @Nullable Object> T write(int slot, Function<Link, T> write) {
    return write(() -> servers.at(slot), write);
  }

  /** As {@link #write(int, Function)}, on one server. */
  <T extends @Nullable Object> T write(Link link, Function<Link, T> write) {
    return write(() -> link, write);
  }

  private <T extends @Nullable Object> T write(Supplier<Link> server, Function<Link, T> write) {
    long end = System.nanoTime() + timeoutNanos;
    while (true) {
      Link link = server.get();
      try {
        return write.apply(link);
      } catch (ServerUnavailableException e) {
        // Nothing was sent. The next connection, or another server, may answer in time.
        if (System.nanoTime() - end > 0 || link.isAway() || OpenCalls.hasWaited()) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      } catch (RedisCommandExecutionException e) {
        String error = error(e);
        boolean passing = PASSING.contains(error);
        if (System.nanoTime() - end > 0 || !(passing || error.equals("NOSCRIPT"))) {
          throw refused(e, error);
        }
        if (!passing) {
          load(link);
        } else if (!servers.refresh()) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  private static void load(Link link) {
    for (Scripts script : Scripts.values()) {
      String unused = link.call(commands -> commands.scriptLoad(script.source()));
    }
  }

  /**
   * Whether a server refused a read because it does not have the data. One whose slot is moving
   * has: it answers with {@code ASK} or {@code TRYAGAIN}.
   */
  static boolean isMisplaced(RedisCommandExecutionException e) {
    return MISPLACED.contains(error(e));
  }

  /** Whether a command's keys are on two servers, because their slot moves. */
  static boolean isDivided(RedisCommandExecutionException e) {
    String error = error(e);
    return error.equals("TRYAGAIN") || error.equals("ASK");
  }

  private static String error(RedisCommandExecutionException e) {
    String message = String.valueOf(e.getMessage());
    int space = message.indexOf(' ');
    return space < 0 ? message : message.substring(0, space);
  }

  private static RuntimeException refused(RedisCommandExecutionException e, String error) {
    String message = String.valueOf(e.getMessage());
    if (error.equals("OOM")) {
      return new StoreFullException(
          "The Redis server has reached its maxmemory and has nothing that its policy may evict."
              + " Give it more memory, or an eviction policy such as allkeys-lru; a volatile policy"
              + " evicts only entries with a TTL.",
          e);
    }
    if (error.equals("MISCONF")) {
      return new StoreFullException(
          "The Redis server cannot save its data, so it rejects all writes: "
              + message
              + " Free disk space, or repair its directory.",
          e);
    }
    if (PASSING.contains(error)) {
      return new ServerUnavailableException(
          "The Redis server cannot serve the call now: " + error + ". Repeat it later.", e);
    }
    if (message.contains("invalid bulk length")) {
      return new RockpoolException(
          "A key or value is larger than the Redis server's proto-max-bulk-len allows: "
              + message
              + ". Raise that option, or store smaller values.",
          e);
    }
    return new RockpoolException(
        "The Redis server refused a command: "
            + message.replaceFirst("\\.+$", "")
            + ". "
            + remedy(message),
        e);
  }

  /** What to do about a refusal. Servers before 7.2 do not name a command inside a script. */
  private static String remedy(String message) {
    if (KEYS_REFUSED.matcher(message).find()) {
      return "Give the user the permissions for all keys that begin with the option prefix.";
    }
    boolean isUnnamed = message.contains("script") && !COMMAND.matcher(message).find();
    return "Check the permissions of the user"
        + (isUnnamed ? ", whose scripts need " + String.join(", ", Scripts.commands()) + "," : "")
        + " and the version of the server, at least 7.0.";
  }
}
