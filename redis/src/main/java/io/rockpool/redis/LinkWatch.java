package io.rockpool.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds that the server of a {@link Link} is silent or lacks its data, keeps the clock, and asks
 * for reports that the server has refused. Waits for nothing. One thread uses it.
 */
final class LinkWatch {
  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool.redis");

  /** How often the server is asked for its time. */
  private static final long CLOCK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How many times {@code feed-timeout} pass before refused reports are asked for again. */
  private static final int REFUSALS = 30;

  private final Link link;
  private final RedisSettings settings;
  private final Handshake handshake;
  private @Nullable Pulse pulse;

  /** When the server was last asked to report changes. */
  private long trackedNanos;

  /** When the server was last asked for its time. */
  private long clockNanos;

  LinkWatch(Link link, RedisSettings settings, Handshake handshake) {
    this.link = link;
    this.settings = settings;
    this.handshake = handshake;
  }

  /** As {@link Link#watch}, on the connection that the link has. */
  void look(StatefulRedisConnection<byte[], byte[]> there, byte @Nullable [] key) {
    long nowNanos = System.nanoTime();
    Pulse beating = pulse;
    if (beating == null || !beating.isOf(there)) {
      beating = new Pulse(there, settings.feedTimeout(), nowNanos);
      pulse = beating;
      trackedNanos = nowNanos;
      clockNanos = nowNanos;
    }
    if (beating.lookForSilence(nowNanos)) {
      String millis = settings.feedTimeout().toMillis() + " ms";
      link.lose(there, new UnsettledException("It has not answered for " + millis + ".", null));
      return;
    }
    try {
      beating.ask(nowNanos, () -> ask(there, key, nowNanos));
      if (link.reporting() == null
          && nowNanos - trackedNanos > REFUSALS * settings.feedTimeout().toNanos()) {
        trackedNanos = nowNanos;
        trackAgain(there);
      }
    } catch (RuntimeException e) { // the other links must be watched, too
      LOG.debug("The server {} cannot be asked whether it answers.", link.place(), e);
    }
  }

  /** Asks for the reports that the server has refused. Its administrator may allow them by now. */
  private void trackAgain(StatefulRedisConnection<byte[], byte[]> there) {
    CompletionStage<?> unused =
        handshake
            .track(there.async())
            .whenComplete(
                (answer, failed) -> {
                  if (failed == null && link.startReporting(there)) {
                    LOG.info("The server {} reports changes now.", link.place());
                    link.arm(there);
                  }
                });
  }

  private CompletionStage<?> ask(
      StatefulRedisConnection<byte[], byte[]> there, byte @Nullable [] key, long nowNanos) {
    RedisAsyncCommands<byte[], byte[]> commands = there.async();
    if (nowNanos - clockNanos >= CLOCK_NANOS) {
      clockNanos = nowNanos;
      CompletionStage<?> unused = handshake.adjustClock(commands);
    }
    CompletionStage<?> answer = key == null ? commands.ping() : commands.get(key);
    CompletionStage<?> unused = answer.whenComplete((any, failed) -> refused(there, failed));
    return answer;
  }

  private void refused(StatefulRedisConnection<byte[], byte[]> there, @Nullable Throwable failed) {
    if (failed instanceof RedisCommandExecutionException refused) {
      LOG.debug("The server {} answered a probe with an error.", link.place(), refused);
      if (RoundTrips.isMisplaced(refused)) {
        String reason = "It lacks its data: " + refused.getMessage();
        link.lose(there, new UnsettledException(reason, null));
      }
    }
  }
}
