package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.SendOptions;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.testing.RoundTripCalls;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every call ends soon, and says why, while no server is there. */
@Slow
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Needs(Tool.POSTGRESQL)
final class AwayServerTest {
  /** More than the pool's limit for a connection, 10 s, and less than two attempts in turn take. */
  private static final long MOST_MILLIS = 19_000;

  private static final Duration WAIT = Duration.ofSeconds(1);

  @Test
  void everyCallEndsWithinTheLimitOfOneConnection() throws Exception {
    PostgresServer server = PostgresServer.startNew();
    try (Rockpool pool =
        Rockpool.at(URI.create("postgresql://rockpool@127.0.0.1:" + server.port() + "/postgres"))
            .open()) {
      Map<String, Callable<?>> calls = new TreeMap<>();
      RoundTripCalls.of(pool)
          .forEach(
              (name, call) ->
                  calls.put(
                      name,
                      () -> {
                        call.run();
                        return null;
                      }));
      addWaiting(pool, calls);
      calls.put("atomically", () -> pool.atomically(tx -> pool.counter("counter").get()));
      calls.put("once", () -> pool.once("key", Duration.ofHours(1), tx -> "value"));
      calls.put("names", pool.names()::list);
      calls.put("open", () -> pool.map("new", String.class, String.class));
      int unused = pool.once("before", Duration.ofHours(1), tx -> 1);
      assertThat(
              server.number(
                  "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'rockpool'"))
          .isPositive();
      server.kill();
      Map<String, String> late = new ConcurrentSkipListMap<>();
      Map<String, String> answered = new ConcurrentSkipListMap<>();
      List<Running<?>> running = new ArrayList<>();
      calls.forEach(
          (name, call) ->
              running.add(
                  Threads.start(
                      () -> {
                        call(name, call, late, answered);
                        return null;
                      })));
      for (Running<?> each : running) {
        each.result();
      }
      assertThat(late).isEmpty();
      assertThat(answered.keySet()).isEmpty();
    } finally {
      server.delete();
    }
  }

  private static void call(
      String name, Callable<?> call, Map<String, String> late, Map<String, String> answered)
      throws Exception {
    long start = System.nanoTime();
    try {
      answered.put(name, String.valueOf(call.call()));
    } catch (ServerUnavailableException e) {
      // as it should be
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    if (millis > MOST_MILLIS) {
      late.put(name, millis + " ms");
    }
  }

  private static void addWaiting(Rockpool pool, Map<String, Callable<?>> calls) {
    PersistentDeque<String> deque = pool.deque("waiting", String.class);
    calls.put("deque.poll, timed", () -> deque.poll(1, TimeUnit.SECONDS));
    calls.put("deque.take", deque::take);
    calls.put("deque.offer, timed", () -> deque.offer("a", 1, TimeUnit.SECONDS));
    PersistentQueue<String> queue = pool.queue("queue", String.class);
    calls.put("queue.send", () -> queue.send("a"));
    calls.put("queue.receive", queue::receive);
    calls.put("queue.receive, timed", () -> queue.receive(1, WAIT));
    calls.put("queue.offer", () -> queue.offer("a", SendOptions.defaults(), WAIT));
    calls.put("queue.size", queue::size);
  }
}
