package io.rockpool.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeOptions;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.QueueListener;
import io.rockpool.structure.PersistentMap;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * While the server of a store is away, each kind of its background work logs one warning of one
 * line, and one line when the server is back.
 */
@Timeout(180)
public abstract class QuietOutageContract {
  private static final int OUTAGES = 2;
  private static final int STORES = 2;
  private static final Duration IDLE = Duration.ofSeconds(8);
  private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(8);
  private static final Pattern AWAY = Pattern.compile("WARN io\\.rockpool\\S* - (.+) waits for");
  private static final Pattern BACK = Pattern.compile("INFO io\\.rockpool\\S* - (.+) has its");

  private final PrintStream standardError = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  /** Opens a store on the server. */
  protected abstract Rockpool open() throws Exception;

  /** Stops the server, or lets it answer again. */
  protected abstract void away(boolean away) throws Exception;

  /** Whether the engine has collections and queues. */
  protected abstract boolean hasCollections();

  @BeforeEach
  void catchLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void letLogGo() {
    System.setErr(standardError);
    standardError.print(log.toString(UTF_8));
  }

  @Test
  void oneLineAtTheBeginningAndOneAtTheEnd() throws Exception {
    try (Rockpool pool = open();
        Rockpool other = open()) {
      List<Runnable> work = new ArrayList<>(caches(pool));
      work.addAll(caches(other));
      QueueListener<Integer> listener = null;
      if (hasCollections()) {
        work.addAll(collections(pool));
        PersistentQueue<Integer> queue =
            pool.queue("q", Integer.class, o -> o.visibilityTimeout(Duration.ofSeconds(2)));
        work.add(() -> queue.send(1));
        listener = QueueListener.on(queue, message -> Thread.sleep(1_000)).concurrency(2).start();
      }
      for (int outage = 0; outage < OUTAGES; outage++) {
        run(work, TimeUnit.SECONDS.toNanos(2));
        away(true);
        run(work, AWAY_NANOS);
        away(false);
        run(work, TimeUnit.SECONDS.toNanos(10));
      }
      if (listener != null) {
        listener.close();
      }
    }
    check();
  }

  private static List<Runnable> caches(Rockpool pool) {
    PersistentCache<Integer, Integer> idle =
        pool.cache(
            "idle", Integer.class, Integer.class, o -> o.expiry(CacheExpiry.afterAccess(IDLE)));
    PersistentCache<Integer, Integer> refreshed =
        pool.cache(
            "refreshed",
            Integer.class,
            Integer.class,
            o -> o.softTtl(Duration.ofMillis(300)).refreshLoader(key -> key));
    for (int key = 0; key < 20; key++) {
      idle.put(key, key);
      refreshed.put(key, key);
    }
    List<Runnable> work = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int key = i;
      work.add(
          () -> {
            if (idle.get(key) == null) {
              idle.put(key, key); // it has expired during an outage
            }
          });
      work.add(() -> refreshed.get(key));
    }
    return work;
  }

  private static List<Runnable> collections(Rockpool pool) {
    PersistentMap<Integer, Integer> map =
        pool.map("map", Integer.class, Integer.class, o -> o.changes(ChangeOptions.keep(IDLE)));
    return List.of(() -> map.put(1, 1));
  }

  /** Does work again and again; what the application calls may fail. */
  private static void run(List<Runnable> work, long nanos) throws InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      for (Runnable each : work) {
        try {
          each.run();
        } catch (ServerUnavailableException | OutcomeUnknownException e) {
          if (System.nanoTime() - start >= nanos) {
            return;
          }
        }
      }
      Thread.sleep(100);
    }
  }

  private void check() {
    List<String> lines = log.toString(UTF_8).lines().toList();
    assertThat(lines).noneMatch(line -> line.startsWith("\tat "));
    assertThat(lines).noneMatch(line -> line.contains("ERROR io.rockpool"));
    assertThat(lines)
        .filteredOn(line -> line.contains("WARN io.rockpool"))
        .isNotEmpty()
        .allMatch(line -> AWAY.matcher(line).find());
    Map<String, Long> away = counts(lines, AWAY);
    assertThat(away.values())
        .allMatch(count -> count <= OUTAGES * STORES, "at most one for an outage of a store");
    assertThat(counts(lines, BACK)).isEqualTo(away);
  }

  private static Map<String, Long> counts(List<String> lines, Pattern kind) {
    return lines.stream()
        .flatMap(line -> kind.matcher(line).results())
        .map(match -> match.group(1))
        .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
  }
}
