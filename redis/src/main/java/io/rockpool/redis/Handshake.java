package io.rockpool.redis;

import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.push.PushListener;
import io.rockpool.internal.engine.ServerClock;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is asked of a server on each new connection, before calls use it. */
final class Handshake {
  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool.redis");
  private static final Pattern VERSION = Pattern.compile("redis_version:((\\d{1,4})[^\\s]*)");

  /** An older server does not take the scripts. */
  private static final int LEAST_VERSION = 7;

  private static final Pattern CLUSTER_SIZE = Pattern.compile("cluster_size:([0-9]{1,9})");

  private final String place;
  private final RedisSettings settings;
  private final byte[] prefix;
  private final boolean mustBeMaster;
  private final ServerClock clock = new ServerClock(InstantSource.system());

  /** The connection before, to end what the server has not yet read of it. */
  private @Nullable String lastRun;

  private long lastId;

  /**
   * @param place the server's host and port
   * @param mustBeMaster whether a replica is refused
   */
  Handshake(String place, RedisSettings settings, byte[] prefix, boolean mustBeMaster) {
    this.place = place;
    this.settings = settings;
    this.prefix = prefix;
    this.mustBeMaster = mustBeMaster;
  }

  /** The server's clock. */
  ServerClock clock() {
    return clock;
  }

  /**
   * Loads the scripts, ends the earlier connection, sets the clock and starts the reports. One
   * thread at a time.
   *
   * @param onPush gets what the server reports
   * @param onLost is run when the connection ends
   * @return whether the server reports changes
   * @throws UnsettledException if the server does not answer, or is a replica and must not be
   */
  boolean run(StatefulRedisConnection<byte[], byte[]> made, PushListener onPush, Runnable onLost) {
    RedisAsyncCommands<byte[], byte[]> commands = made.async();
    if (mustBeMaster && !await(commands.info("replication")).contains("role:master")) {
      throw new UnsettledException("It is a replica.", null);
    }
    String info = await(commands.info("server"));
    checkVersion(place, info);
    String run = runId(info);
    if (run.equals(lastRun)) {
      killLast(commands);
    }
    if (!settings.cluster() && info.contains("redis_mode:cluster")) {
      refuseCluster(commands);
    }
    lastRun = run;
    lastId = await(commands.clientId());
    for (Scripts script : Scripts.values()) {
      String unused = await(commands.scriptLoad(script.source()));
    }
    for (int i = 0; i == 0 || (i < ServerClock.ANSWERS && !clock.isPrecise()); i++) {
      List<byte[]> unused = await(adjustClock(commands));
    }
    made.addListener(onPush);
    made.addListener(
        new RedisConnectionStateAdapter() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> ended) {
            onLost.run();
          }
        });
    try {
      String unused = await(track(commands));
      return true;
    } catch (RedisCommandExecutionException e) {
      LOG.warn(
          "The server {} does not report changes, so no entry is kept in memory. Allow this user"
              + " CLIENT TRACKING.",
          place,
          e);
      return false;
    }
  }

  /** Asks the server to report changes on this connection. */
  CompletionStage<String> track(RedisAsyncCommands<byte[], byte[]> commands) {
    return commands.clientTracking(
        TrackingArgs.Builder.enabled()
            .bcast()
            .prefixes(new String(prefix, StandardCharsets.UTF_8))
            .noloop());
  }

  /**
   * Refuses a server whose scripts lack what ours need.
   *
   * @param info what the server says of itself; Valkey says which Redis it is compatible with
   */
  static void checkVersion(String place, String info) {
    Matcher version = VERSION.matcher(info);
    if (version.find() && Integer.parseInt(version.group(2)) < LEAST_VERSION) {
      throw new IllegalArgumentException(
          "The server "
              + place
              + " is Redis "
              + version.group(1)
              + ", and Rockpool needs Redis 7.0 or Valkey. Nothing was changed. Upgrade the server,"
              + " or name another one.");
    }
  }

  /** Refuses a member of a cluster of several masters, which has only some of the slots. */
  private void refuseCluster(RedisAsyncCommands<byte[], byte[]> commands) {
    String info;
    try {
      info = await(commands.clusterInfo());
    } catch (RedisCommandExecutionException e) {
      LOG.debug("The server {} does not show its cluster.", place, e);
      return;
    }
    Matcher size = CLUSTER_SIZE.matcher(info);
    if (size.find() && Integer.parseInt(size.group(1)) > 1) {
      throw new IllegalArgumentException(
          "The Redis server " + place + " is a member of a cluster. Add the option cluster=true.");
    }
  }

  private void killLast(RedisAsyncCommands<byte[], byte[]> commands) {
    try {
      Long unused = await(commands.clientKill(KillArgs.Builder.id(lastId)));
    } catch (RedisCommandExecutionException e) {
      LOG.debug("The last connection to {} could not be ended.", place, e);
    }
  }

  /** Asks the server for its time, and adjusts the clock when the answer is here. */
  CompletionStage<List<byte[]>> adjustClock(RedisAsyncCommands<byte[], byte[]> commands) {
    long askedNanos = System.nanoTime();
    return commands
        .time()
        .thenApply(
            time -> {
              clock.adjust(micros(time), askedNanos, System.nanoTime());
              return time;
            });
  }

  private static long micros(List<byte[]> time) {
    long seconds = Long.parseLong(new String(time.get(0), StandardCharsets.US_ASCII));
    long micros = Long.parseLong(new String(time.get(1), StandardCharsets.US_ASCII));
    return TimeUnit.SECONDS.toMicros(seconds) + micros;
  }

  private static String runId(String info) {
    int at = info.indexOf("run_id:");
    return at < 0 ? "" : info.substring(at).lines().findFirst().orElse("");
  }

  private <T> T await(CompletionStage<T> answer) {
    return Answers.await(answer, settings.timeout(), place);
  }
}
