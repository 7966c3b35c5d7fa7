package io.rockpool.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreFullException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs commands on the server of a slot, and repeats those that the server has not run. */
final class RoundTrips {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

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
  Batch batch() {
    return new Batch(asked);
  }

  /** Repeats a read also if the connection is lost. */
  <T extends @Nullable Object> T read(int slot, Function<Link, T> read) {
    return read(() -> servers.at(slot), read);
  }

  /** As {@link #read(int, Function)}, on one server. */
  <T extends @Nullable Object> T read(Link link, Function<Link, T> read) {
    return read(() -> link, read);
  }

  private <T extends @Nullable Object> T read(Supplier<Link> server, Function<Link, T> read) {
    long end = System.nanoTime() + timeoutNanos;
    while (true) {
      try {
        return write(server, read);
      } catch (UnsettledException e) {
        if (System.nanoTime() - end > 0) {
          throw new ServerUnavailableException(
              e.getMessage() + " Repeat the read, or check the server.", e);
        }
      }
    }
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
              + e.getMessage()
              + " Free disk space, or repair its directory.",
          e);
    }
    if (PASSING.contains(error)) {
      return new ServerUnavailableException(
          "The Redis server cannot serve the call now: " + error + ". Repeat it later.", e);
    }
    return new RockpoolException(
        "The Redis server refused a command: "
            + e.getMessage()
            + ". Check the permissions of the user and the version of the server, at least 7.0.",
        e);
  }
}
