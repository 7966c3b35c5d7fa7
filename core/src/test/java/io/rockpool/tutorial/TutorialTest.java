package io.rockpool.tutorial;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import io.rockpool.store.Durability;
import io.rockpool.structure.DequeEnd;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.ScoredElement;
import io.rockpool.testing.DocumentExamples;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of {@code docs/tutorial.md}, as they are there. */
final class TutorialTest {
  private record Session(String user) {}

  private record Product(String id, long cents) {}

  private record Job(String task) {}

  private final Rockpool pool = Rockpool.temporary().open();

  @AfterEach
  void close() {
    pool.close();
  }

  /** The one of the document, which counts. */
  private static final class Catalog {
    private static final Map<String, Integer> LOADS = new ConcurrentHashMap<>();

    static Product load(String id) {
      LOADS.merge(id, 1, Integer::sum);
      return new Product(id, 100);
    }

    static Map<String, Product> loadAll(Set<String> ids) {
      Map<String, Product> products = new HashMap<>();
      ids.forEach(id -> products.put(id, load(id)));
      return products;
    }
  }

  @Test
  void sessionStore() {
    // TUTORIAL
    PersistentCache<String, Session> sessions =
        pool.cache(
            "sessions",
            String.class,
            Session.class,
            o -> o.expiry(CacheExpiry.afterAccess(ofMinutes(30))));
    sessions.put("s-1", new Session("ann"));
    Session session = sessions.get("s-1"); // lives for 30 more minutes
    sessions.remove("s-1"); // logs out
    // TUTORIAL
    assertThat(session).isEqualTo(new Session("ann"));
    assertThat(sessions.get("s-1")).isNull();
  }

  @Test
  void leaderboard() {
    // TUTORIAL
    PersistentScoredSet<String> board = pool.scoredSet("game/board", String.class);
    board.incrementScore("ann", 120);
    board.incrementScore("bob", 80);
    List<ScoredElement<String>> best = board.last(10);
    long place = board.reverseRank("bob").getAsLong(); // 0 is the best
    // TUTORIAL
    assertThat(best)
        .containsExactly(new ScoredElement<>("ann", 120), new ScoredElement<>("bob", 80));
    assertThat(place).isEqualTo(1);
  }

  private boolean mayCall(String user, Instant now) {
    // TUTORIAL
    PersistentMap<String, Long> calls = pool.map("calls", String.class, Long.class);
    String minute = user + "/" + now.getEpochSecond() / 60;
    boolean allowed = calls.increment(minute, 1, ofMinutes(2)) <= 100;
    // TUTORIAL
    return allowed;
  }

  @Test
  void rateCounter() {
    Instant now = Instant.EPOCH;
    for (int i = 0; i < 100; i++) {
      assertThat(mayCall("ann", now)).isTrue();
    }
    assertThat(mayCall("ann", now)).isFalse();
    assertThat(mayCall("bob", now)).isTrue();
    assertThat(mayCall("ann", now.plusSeconds(60))).isTrue();
    PersistentMap<String, Long> calls = pool.map("calls", String.class, Long.class);
    assertThat(calls.ttl("ann/0").orElseThrow()).isLessThanOrEqualTo(ofMinutes(2));
  }

  @Test
  void workQueue() throws InterruptedException {
    // TUTORIAL
    PersistentDeque<Job> waiting = pool.deque("jobs/waiting", Job.class);
    PersistentDeque<Job> running = pool.deque("jobs/running", Job.class);
    waiting.addLast(new Job("resize"));
    Job job = waiting.takeFirstTo(running, DequeEnd.LAST); // waits for a job
    // ... do it ...
    running.remove(job); // what a killed process has left here is done again
    // TUTORIAL
    assertThat(job).isEqualTo(new Job("resize"));
    assertThat(waiting).isEmpty();
    assertThat(running).isEmpty();
  }

  @Test
  void timeSeries() {
    Instant now = Instant.parse("2026-01-01T12:00:00Z");
    // TUTORIAL
    PersistentTable<String, Instant, Double> readings =
        pool.table("readings", String.class, Instant.class, Double.class);
    readings.put("cellar", now, 12.5, ofDays(30));
    Map<Instant, Double> lastHour = readings.row("cellar").tailMap(now.minus(ofHours(1)));
    // TUTORIAL
    assertThat(lastHour).containsOnly(Map.entry(now, 12.5));
  }

  @Test
  void loadingCache() {
    Catalog.LOADS.clear();
    // TUTORIAL
    PersistentCache<String, Product> products = pool.cache("products", String.class, Product.class);
    Product one = products.get("p-1", id -> Catalog.load(id)); // one load, however many threads ask
    Map<String, Product> some = products.getAll(List.of("p-1", "p-2"), ids -> Catalog.loadAll(ids));
    // TUTORIAL
    assertThat(one).isEqualTo(new Product("p-1", 100));
    assertThat(some).containsOnlyKeys("p-1", "p-2");
    assertThat(Catalog.LOADS).containsOnly(Map.entry("p-1", 1), Map.entry("p-2", 1));
  }

  @Test
  void staleWhileRevalidate() {
    // TUTORIAL
    PersistentCache<String, Product> prices =
        pool.cache(
            "prices",
            String.class,
            Product.class,
            o -> o.softTtl(ofMinutes(1)).expiry(CacheExpiry.afterWrite(ofHours(1))));
    Product price = prices.get("p-1", id -> Catalog.load(id)); // after a minute: old, and reloaded
    // TUTORIAL
    assertThat(price).isEqualTo(new Product("p-1", 100));
  }

  @Test
  void tagging() {
    // TUTORIAL
    PersistentTable<String, String, Boolean> tags =
        pool.table("tags", String.class, String.class, Boolean.class);
    tags.put("java", "article-1", true);
    tags.put("java", "article-2", true);
    Set<String> tagged = tags.row("java").keySet();
    tags.remove("java", "article-2");
    // TUTORIAL
    assertThat(tagged).containsExactly("article-1");
  }

  @Test
  void atomicTransfer() {
    // TUTORIAL
    PersistentMap<String, Long> accounts = pool.map("accounts", String.class, Long.class);
    pool.runAtomically(
        tx -> {
          accounts.merge("ann", -50L, Long::sum);
          accounts.merge("bob", 50L, Long::sum);
        });
    // TUTORIAL
    assertThat(accounts).containsOnly(Map.entry("ann", -50L), Map.entry("bob", 50L));
  }

  @Test
  void iterateOverMillions() {
    pool.map("stock", String.class, Long.class)
        .putAllFrom(IntStream.range(0, 10_000).mapToObj(i -> Map.entry("item-" + i, 1L)));
    // TUTORIAL
    PersistentMap<String, Long> stock = pool.map("stock", String.class, Long.class);
    long items = stock.values().stream().mapToLong(Long::longValue).sum(); // in constant memory
    // TUTORIAL
    assertThat(items).isEqualTo(10_000);
  }

  @Test
  void bulkLoad() {
    // TUTORIAL
    PersistentMap<String, Product> catalog = pool.map("catalog", String.class, Product.class);
    catalog.putAllFrom(
        IntStream.range(0, 10_000)
            .mapToObj(i -> new Product("p-" + i, i))
            .map(product -> Map.entry(product.id(), product)));
    // TUTORIAL
    assertThat(catalog).hasSize(10_000);
  }

  @Test
  void openWithOptions(@TempDir Path directory) {
    // TUTORIAL
    try (Rockpool bank =
        Rockpool.at(directory)
            .durability(Durability.SYNC)
            .memoryBytes(64 << 20)
            .lockWait(ofSeconds(30))
            .open()) {
      PersistentDeque<Job> mails = bank.deque("mails", Job.class, o -> o.entryTtl(ofDays(1)));
      mails.add(new Job("greet"));
    }
    // TUTORIAL
    try (Rockpool again = Rockpool.open(directory)) {
      assertThat(again.deque("mails", Job.class)).containsExactly(new Job("greet"));
    }
  }

  @Test
  void areThoseInTheTutorial() {
    DocumentExamples.assertIn("docs/tutorial.md", "TUTORIAL", TutorialTest.class);
  }
}
