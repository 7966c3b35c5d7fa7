package io.rockpool.tutorial;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeFeed;
import io.rockpool.codec.Codec;
import io.rockpool.store.Durability;
import io.rockpool.structure.Check;
import io.rockpool.structure.DequeEnd;
import io.rockpool.structure.Mutations;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentSortedSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import io.rockpool.structure.Range;
import io.rockpool.structure.ScoreCondition;
import io.rockpool.structure.ScoredElement;
import io.rockpool.structure.Snapshot;
import io.rockpool.testing.DocumentExamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples in the javadoc of the public classes, as they are there. */
final class JavadocExampleTest {
  private static final Pattern TOPIC = Pattern.compile("<b>(\\w+)[.]?</b>");
  private static final List<String> TOPICS =
      List.of("Cost", "Atomicity", "Durability", "Transactions", "Errors");

  @TempDir Path directory;
  private final Rockpool pool = Rockpool.inMemory();

  private record Order(String id, String item) {}

  private record User(String name) {}

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void openingsHaveOneForm() {
    // JAVADOC
    pool.map("stock", String.class, Long.class);
    pool.map("visits", String.class, Long.class, o -> o.entryTtl(ofDays(1)));
    // JAVADOC
    assertThat(pool.names().find("visits").orElseThrow().options())
        .containsEntry("entry-ttl", "PT24H");
  }

  @Test
  void aStore() {
    Order order = new Order("o-1", "apple");
    List<String> mails = new ArrayList<>();
    // JAVADOC
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<String, Order> orders = pool.cache("shop/orders", String.class, Order.class);
      orders.put("o-1", order);
      PersistentMap<String, Long> stock = pool.map("shop/stock", String.class, Long.class);
      stock.merge("apple", 5L, Long::sum);
    }
    // JAVADOC
    PersistentCache<String, Order> orders = pool.cache("shop/orders", String.class, Order.class);
    PersistentMap<String, Long> stock = pool.map("shop/stock", String.class, Long.class);
    stock.put("apple", 5L);
    String id =
        // JAVADOC
        pool.atomically(
            tx -> {
              orders.put(order.id(), order);
              stock.compute(order.item(), (item, left) -> left - 1);
              tx.afterCommit(() -> mails.add(order.id()));
              return order.id();
            });
    // JAVADOC
    assertThat(id).isEqualTo("o-1");
    assertThat(mails).containsExactly("o-1");
    assertThat(stock).containsOnly(Map.entry("apple", 4L));
    // JAVADOC
    Order old = pool.withDurability(Durability.SYNC, () -> orders.getAndPut(order.id(), order));
    // JAVADOC
    assertThat(old).isEqualTo(order);
    // JAVADOC
    Order now = pool.withLatestReads(() -> orders.get(order.id()));
    // JAVADOC
    assertThat(now).isEqualTo(order);
    PersistentCache<String, User> users =
        // JAVADOC
        pool.cache("users", String.class, User.class, o -> o.hotEntries(10_000));
    // JAVADOC
    assertThat(users).isEmpty();
    long bytes = 0;
    // JAVADOC
    for (Description each : pool.names().list("shop")) {
      bytes += each.diskBytes().orElse(0);
    }
    // JAVADOC
    assertThat(bytes).isNotNegative();
  }

  @Test
  void aBuilder() {
    // JAVADOC
    Rockpool pool =
        Rockpool.at(directory)
            .durability(Durability.SYNC)
            .lockWait(ofSeconds(30))
            .memoryBytes(512L << 20)
            .open();
    // JAVADOC
    assertThat(pool.names().list()).isEmpty();
    pool.close();
  }

  @Test
  void aMap() {
    // JAVADOC
    PersistentMap<String, Long> stock = pool.map("shop/stock", String.class, Long.class);
    stock.put("apple", 3L);
    stock.merge("apple", 2L, Long::sum); // 5
    stock.put("offer", 1L, ofHours(1)); // ends by itself
    stock.forEach((item, left) -> System.out.println(item + " " + left));
    // JAVADOC
    assertThat(stock).isEqualTo(Map.of("apple", 5L, "offer", 1L));
    // JAVADOC
    try (Snapshot<Map<String, Long>> before = stock.snapshot()) {
      stock.clear();
      before.view().get("apple"); // 5
    }
    // JAVADOC
    assertThat(stock).isEmpty();
  }

  @Test
  void aSortedMap() {
    Instant now = Instant.parse("2026-01-01T12:00:00Z");
    // JAVADOC
    PersistentSortedMap<Instant, String> log =
        pool.sortedMap("shop/log", Instant.class, String.class);
    log.put(now, "opened");
    log.lastEntry();
    log.headMap(now.minus(ofHours(1))).clear(); // older than an hour
    log.removeRange(Range.lessThan(now.minus(ofDays(30))));
    // JAVADOC
    assertThat(log).containsOnly(Map.entry(now, "opened"));
    // JAVADOC
    List<Map.Entry<Instant, String>> page = log.read(Range.<Instant>all().limit(100));
    while (!page.isEmpty()) {
      Instant last = page.get(page.size() - 1).getKey();
      page = log.read(Range.greaterThan(last).limit(100));
    }
    // JAVADOC
    assertThat(page).isEmpty();
  }

  @Test
  void sets() {
    // JAVADOC
    PersistentSet<String> seen = pool.set("crawler/seen", String.class);
    if (seen.add("https://example.org")) {
      System.out.println("new");
    }
    seen.add("https://example.org/news", ofDays(1)); // forgotten after a day
    // JAVADOC
    assertThat(seen).hasSize(2);
    // JAVADOC
    PersistentSortedSet<String> words = pool.sortedSet("words", String.class);
    words.addAll(List.of("pear", "apple", "apricot"));
    words.first(); // apple
    words.read(Range.prefix("ap")); // apple, apricot
    // JAVADOC
    assertThat(words.read(Range.prefix("ap"))).containsExactly("apple", "apricot");
  }

  @Test
  void aScoredSet() {
    // JAVADOC
    PersistentScoredSet<String> board = pool.scoredSet("game/board", String.class);
    board.incrementScore("ann", 120);
    board.add("bob", 80, ScoreCondition.GREATER); // keeps the best score
    List<ScoredElement<String>> best = board.last(10); // ann, bob
    long place = board.reverseRank("bob").orElse(-1); // 1; the best has 0
    // JAVADOC
    assertThat(best)
        .containsExactly(new ScoredElement<>("ann", 120), new ScoredElement<>("bob", 80));
    assertThat(place).isEqualTo(1);
  }

  @Test
  void aDeque() throws InterruptedException {
    // JAVADOC
    PersistentDeque<String> waiting = pool.deque("jobs/waiting", String.class);
    PersistentDeque<String> running = pool.deque("jobs/running", String.class);
    waiting.addLast("resize");
    String job = waiting.takeFirstTo(running, DequeEnd.LAST); // waits for a job
    running.remove(job);
    // JAVADOC
    assertThat(job).isEqualTo("resize");
    assertThat(running).isEmpty();
  }

  @Test
  void aTable() {
    // JAVADOC
    PersistentTable<String, String, Long> baskets =
        pool.table("shop/baskets", String.class, String.class, Long.class);
    baskets.putAll("ann", Map.of("apple", 2L, "pear", 1L)); // all or none
    baskets.increment("ann", "apple", 1); // 3
    baskets.when("ann", "paid", Check.absent()).put("pear", 3L);
    baskets.row("ann").firstEntry(); // apple=3
    // JAVADOC
    assertThat(baskets.row("ann")).isEqualTo(Map.of("apple", 3L, "pear", 3L));
    // JAVADOC
    boolean paid =
        baskets
            .when("ann", "paid", Check.absent())
            .mutate(new Mutations<String, Long>().put("paid", 1L).remove("apple"))
            .passed();
    // JAVADOC
    assertThat(paid).isTrue();
    assertThat(baskets.row("ann")).isEqualTo(Map.of("paid", 1L, "pear", 3L));
    Duration ttl = ofMinutes(1);
    Mutations<String, Long> changes =
        // JAVADOC
        new Mutations<String, Long>().put("balance", 10L).put("pending", 1L, ttl).remove("locked");
    // JAVADOC
    assertThat(baskets.mutate("bob", changes)).isEqualTo(2);
  }

  @Test
  void singleValues() {
    // JAVADOC
    PersistentValue<String> leader = pool.value("cluster/leader", String.class);
    if (leader.setIfAbsent("node-1", ofSeconds(30))) {
      System.out.println("node-1 leads for 30 seconds");
    }
    // JAVADOC
    assertThat(leader.get()).isEqualTo("node-1");
    // JAVADOC
    PersistentCounter visits = pool.counter("shop/visits");
    long count = visits.incrementAndGet();
    long highest = pool.counter("shop/highest").accumulateAndGet(count, Math::max);
    // JAVADOC
    assertThat(highest).isEqualTo(1);
    // JAVADOC
    PersistentMap<String, byte[]> pages =
        pool.map("pages", String.class, byte[].class, o -> o.entryTtl(ofDays(1)));
    // JAVADOC
    assertThat(pages).isEmpty();
  }

  @Test
  void backups() {
    Path path = directory.resolve("backups");
    Path restored = directory.resolve("restored");
    try (Rockpool pool = Rockpool.open(directory.resolve("store"))) {
      pool.set("set", String.class).add("a");
      // JAVADOC
      pool.backups().make(DirectoryTarget.at(path), BackupOptions.defaults().keep(7));
      // JAVADOC
      // JAVADOC
      pool.backups().ship(DirectoryTarget.at(path), ShippingOptions.defaults().keep(ofDays(7)));
      // JAVADOC
      Map<String, User> users = pool.map("users", String.class, User.class);
      users.put("a", new User("Ann"));
      pool.backups().make(DirectoryTarget.at(path));
      List<User> found = new ArrayList<>();
      BiConsumer<String, User> report = (id, user) -> found.add(user);
      // JAVADOC
      try (Rockpool backup = StoreBackups.open(DirectoryTarget.at(path))) {
        backup.map("users", String.class, User.class).forEach(report);
      }
      // JAVADOC
      assertThat(found).containsExactly(new User("Ann"));
    }
    StoreBackups.restore(DirectoryTarget.at(path), restored);
    try (Rockpool pool = Rockpool.open(restored)) {
      assertThat(pool.set("set", String.class)).containsOnly("a");
    }
  }

  private record Payment(String id, String customer, long cents) {}

  private record Receipt(String id, long cents) {}

  @Test
  void aPaymentIsMadeOnce() {
    Payment order = new Payment("o-1", "ann", 50);
    PersistentMap<String, Long> accounts = pool.map("accounts", String.class, Long.class);
    accounts.put("ann", 100L);
    for (int i = 0; i < 2; i++) {
      // JAVADOC
      Receipt receipt =
          pool.once(
              "pay/" + order.id(),
              ofDays(1),
              tx -> {
                accounts.merge(order.customer(), -order.cents(), Long::sum);
                return new Receipt(order.id(), order.cents());
              });
      // JAVADOC
      assertThat(receipt).isEqualTo(new Receipt("o-1", 50));
    }
    assertThat(accounts).containsOnly(Map.entry("ann", 50L));
  }

  @Test
  void areThoseInTheJavadoc() {
    Map<String, String> examples =
        DocumentExamples.assertInJavadoc(
            "JAVADOC",
            List.of(
                JavadocExampleTest.class, JavadocOperationsTest.class, JavadocChangesTest.class),
            Rockpool.class,
            ChangeFeed.class,
            PersistentMap.class);
    assertThat(examples)
        .containsOnlyKeys(
            "ChangeCursor",
            "ChangeOptions",
            "Check",
            "EntryMap",
            "ExpiryCondition",
            "Mutations",
            "Openers",
            "PersistentCounter",
            "PersistentDeque",
            "PersistentMap",
            "PersistentScoredSet",
            "PersistentSet",
            "PersistentSortedMap",
            "PersistentSortedSet",
            "PersistentStructure",
            "PersistentTable",
            "PersistentValue",
            "Range",
            "Rockpool",
            "RockpoolBuilder",
            "ScoredSetView",
            "SingleEntry",
            "Snapshot",
            "StoreBackups",
            "StoreNames",
            "StructureOptions",
            "TableView");
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Rockpool.class,
        PersistentMap.class,
        ChangeFeed.class,
        Codec.class,
        Durability.class
      })
  void aPackagePageNamesItsTypes(Class<?> type) throws IOException {
    Path sources = source(type).getParent();
    String page = Files.readString(sources.resolve("package-info.java"));
    try (Stream<Path> files = Files.list(sources)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        if (Files.readString(file).contains("\npublic ")) {
          assertThat(page).containsPattern(type.getPackageName() + "\\." + name + "\\b");
        }
      }
    }
  }

  private static Path source(Class<?> type) {
    return Path.of("src/main/java/" + type.getName().replace('.', '/') + ".java").toAbsolutePath();
  }

  /** The javadoc of the main classes has these topics, in this order. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        PersistentCache.class,
        PersistentCounter.class,
        PersistentDeque.class,
        PersistentMap.class,
        PersistentScoredSet.class,
        PersistentSet.class,
        PersistentSortedMap.class,
        PersistentSortedSet.class,
        PersistentTable.class,
        PersistentValue.class,
        Rockpool.class
      })
  void theTopicsHaveOneOrder(Class<?> type) throws IOException {
    String source = Files.readString(source(type));
    List<String> topics =
        TOPIC
            .matcher(source.substring(0, source.indexOf("public final class")))
            .results()
            .map(topic -> topic.group(1))
            .filter(TOPICS::contains)
            .toList();
    assertThat(topics).isEqualTo(TOPICS);
  }
}
