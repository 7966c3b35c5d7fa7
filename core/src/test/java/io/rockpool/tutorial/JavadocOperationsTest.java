package io.rockpool.tutorial;

import static io.rockpool.structure.ScoreAggregate.SUM;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static java.util.Comparator.comparingDouble;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.EngineNotFoundException;
import io.rockpool.structure.ExpiryCondition;
import io.rockpool.structure.Fetched;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import io.rockpool.structure.Range;
import io.rockpool.structure.ScoredElement;
import io.rockpool.structure.ScoredSetView;
import io.rockpool.structure.TableFilter;
import io.rockpool.structure.TableKey;
import io.rockpool.structure.TableRecord;
import io.rockpool.structure.WeightedSet;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the javadoc of single operations; {@link JavadocExampleTest} compares them. */
final class JavadocOperationsTest {
  private final Rockpool pool = Rockpool.inMemory();

  private record User(String name) {}

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void storesElsewhere(@TempDir Path path) {
    List<String> names = new ArrayList<>();
    BiConsumer<String, User> report = (id, user) -> names.add(user.name());
    try (Rockpool owner = Rockpool.open(path)) {
      owner.map("users", String.class, User.class).put("1", new User("Ann"));
      // JAVADOC
      try (Rockpool copy = Rockpool.at(path).openCopy()) {
        copy.map("users", String.class, User.class).forEach(report);
      }
      // JAVADOC
    }
    assertThat(names).containsExactly("Ann");
    assertThatThrownBy(
            () -> {
              // JAVADOC
              Rockpool pool = Rockpool.open(URI.create("redis://localhost:6379"));
              // JAVADOC
              pool.close();
            })
        .isInstanceOf(EngineNotFoundException.class);
  }

  @Test
  void names() {
    pool.map("orders", String.class, String.class).put("o-1", "apple");
    pool.map("prices/staging", String.class, Long.class).put("apple", 3L);
    // JAVADOC
    pool.names().copy("orders", "orders-before-migration");
    // JAVADOC
    // JAVADOC
    pool.names().rename("orders", "archive/2026/orders");
    // JAVADOC
    // JAVADOC
    pool.names().copyReplacing("prices/staging", "prices");
    // JAVADOC
    Map<String, Long> rebuilt = Map.of("apple", 7L);
    // JAVADOC
    PersistentMap<String, Long> next = pool.map("index/next", String.class, Long.class);
    next.putAll(rebuilt);
    pool.names().renameReplacing("index/next", "index"); // from now on, "index" is the rebuilt one
    // JAVADOC
    assertThat(pool.map("index", String.class, Long.class)).isEqualTo(rebuilt);
    assertThat(pool.names().find("orders").isPresent()).isFalse();
    assertThat(pool.map("archive/2026/orders", String.class, String.class)).hasSize(1);
    assertThat(pool.map("orders-before-migration", String.class, String.class)).hasSize(1);
    assertThat(pool.map("prices", String.class, Long.class)).hasSize(1);
  }

  @Test
  void scoredSets() {
    PersistentScoredSet<String> first = pool.scoredSet("first", String.class);
    PersistentScoredSet<String> second = pool.scoredSet("second", String.class);
    first.add("ann", 5);
    second.add("ann", 1);
    second.add("bob", 2);
    // JAVADOC
    Stream<ScoredElement<String>> sums =
        ScoredSetView.union(List.of(WeightedSet.of(first), new WeightedSet<>(second, 2)), SUM)
            .sorted(comparingDouble(ScoredElement::score));
    // JAVADOC
    assertThat(sums).containsExactly(new ScoredElement<>("bob", 4), new ScoredElement<>("ann", 7));
  }

  @Test
  void deques() throws Exception {
    PersistentDeque<String> urgent = pool.deque("urgent", String.class);
    PersistentDeque<String> normal = pool.deque("normal", String.class);
    normal.add("job");
    List<String> ran = new ArrayList<>();
    // JAVADOC
    PersistentDeque.pollFirstOf(List.of(urgent, normal), 1, ofSeconds(30))
        .ifPresent(job -> ran.add(job.elements().get(0)));
    // JAVADOC
    assertThat(ran).containsExactly("job");
  }

  @Test
  void valuesAndCounters() {
    PersistentValue<Integer> progress = pool.value("progress", Integer.class);
    int percent = 7;
    // JAVADOC
    boolean running = progress.setIfPresent(percent); // not if the job was cancelled
    // JAVADOC
    assertThat(running).isFalse();
    PersistentValue<String> token = pool.value("token", String.class);
    token.set("one");
    String next = "two";
    // JAVADOC
    String former = token.getAndSet(next, ofHours(1));
    // JAVADOC
    assertThat(former).isEqualTo("one");
    PersistentCounter visits = pool.counter("visits");
    visits.incrementAndGet();
    // JAVADOC
    visits.clearAfter(ofDays(1), ExpiryCondition.ABSENT); // a day from the first call on
    // JAVADOC
    assertThat(visits.clearsIn()).isPresent();
  }

  @Test
  void maps() {
    PersistentMap<String, String> locks = pool.map("locks", String.class, String.class);
    String me = "node-1";
    // JAVADOC
    if (locks.putIfAbsent("job", me, ofSeconds(30)) == null) { // SET NX PX
      locks.replace("job", me, me, ofSeconds(30)); // extends the lock if it is still mine
      locks.remove("job", me); // releases it if it is still mine
    }
    // JAVADOC
    assertThat(locks).isEmpty();
    PersistentMap<String, String> tokens = pool.map("tokens", String.class, String.class);
    String user = "ann";
    String token = "t-1";
    // JAVADOC
    String former = tokens.getAndPut(user, token, ofHours(1));
    // JAVADOC
    assertThat(former).isNull();
    // JAVADOC
    PersistentMap<String, BigDecimal> due = pool.map("due", String.class, BigDecimal.class);
    due.increment("ann", 0.1);
    due.increment("ann", 0.2); // exactly 0.3
    // JAVADOC
    assertThat(due.get("ann")).isEqualByComparingTo("0.3");
    PersistentMap<String, Long> failures = pool.map("failures", String.class, Long.class);
    // JAVADOC
    failures.incrementAndExpire(user, 1, ofHours(1)); // forgotten an hour after the last one
    // JAVADOC
    assertThat(failures.get(user)).isEqualTo(1);
    PersistentMap<String, String> sessions = pool.map("sessions", String.class, String.class);
    String id = "s-1";
    sessions.put(id, user, ofHours(1));
    // JAVADOC
    sessions.expireAfter(id, ofMinutes(30), ExpiryCondition.LATER); // never shortens it
    // JAVADOC
    assertThat(sessions.ttl(id).orElseThrow()).isGreaterThan(ofMinutes(40));
  }

  @Test
  void recordsOfTables() {
    PersistentTable<String, String, String> locks =
        pool.table("locks", String.class, String.class, String.class);
    String tenant = "acme";
    String me = "node-1";
    // JAVADOC
    if (locks.putIfAbsent(tenant, "import", me, ofSeconds(30)) == null) { // it is mine
    }
    // JAVADOC
    // JAVADOC
    boolean mine = locks.compareAndSet(tenant, "import", me, me, ofSeconds(30)); // extends it
    // JAVADOC
    assertThat(mine).isTrue();
    PersistentTable<String, String, Long> failures =
        pool.table("failures", String.class, String.class, Long.class);
    String user = "ann";
    // JAVADOC
    failures.incrementAndExpire(tenant, user, 1, ofHours(1)); // forgotten an hour after the last
    // JAVADOC
    assertThat(failures.get(tenant, user)).isEqualTo(1);
    PersistentTable<String, String, String> sessions =
        pool.table("sessions", String.class, String.class, String.class);
    String id = "s-1";
    sessions.put(user, id, "data", ofHours(1));
    // JAVADOC
    sessions.expireAfter(user, id, ofMinutes(30), ExpiryCondition.LATER); // never shortens it
    // JAVADOC
    assertThat(sessions.ttl(user, id).orElseThrow()).isGreaterThan(ofMinutes(40));
  }

  @Test
  void manyRecordsOfTables() {
    PersistentTable<String, String, Long> table =
        pool.table("table", String.class, String.class, Long.class);
    // JAVADOC
    table.putAll(
        List.of(new TableRecord<>("ann", "apple", 2L), new TableRecord<>("bob", "pear", 1L)));
    // JAVADOC
    // JAVADOC
    table.getAll(List.of(new TableKey<>("ann", "apple"), new TableKey<>("bob", "pear")));
    // JAVADOC
    assertThat(table.stream()).hasSize(2);
    // JAVADOC
    table.removeAll(List.of(new TableKey<>("ann", "apple"), new TableKey<>("bob", "pear")));
    // JAVADOC
    assertThat(table.stream()).isEmpty();
  }

  @Test
  void rangesOfTables() {
    PersistentTable<String, String, String> table =
        pool.table("table", String.class, String.class, String.class);
    for (int i = 0; i < 250; i++) {
      table.put("ann", "key-" + i + ".tmp", "value");
    }
    // JAVADOC
    Fetched<String, String> page = table.fetch("ann", Range.<String>all().limit(100), 1 << 20);
    while (!page.allFetched()) {
      String last = page.entries().get(page.entries().size() - 1).getKey();
      page = table.fetch("ann", Range.greaterThan(last).limit(100), 1 << 20);
    }
    // JAVADOC
    assertThat(page.entries()).hasSize(50);
    // JAVADOC
    boolean same = table.fetch("ann", List.of("old", "new"), Long.MAX_VALUE).entries().size() == 2;
    // JAVADOC
    assertThat(same).isFalse();
    // JAVADOC
    long users =
        table.stream(TableFilter.<String, String>all().hashKeyStartingWith("user:")).count();
    // JAVADOC
    assertThat(users).isZero();
    // JAVADOC
    table.keys(TableFilter.all()).forEach(key -> System.out.println(key.hashKey()));
    // JAVADOC
    // JAVADOC
    table.removeRange("ann", Range.<String>all().endingWith(".tmp"));
    // JAVADOC
    assertThat(table.stream()).isEmpty();
  }

  @Test
  void leases() {
    PersistentValue<String> leader = pool.value("leader", String.class);
    leader.set("node-1", ofSeconds(1));
    // JAVADOC
    boolean mine = leader.compareAndSet("node-1", "node-1", ofSeconds(30)); // extends the lease
    // JAVADOC
    assertThat(mine).isTrue();
    PersistentCounter lease = pool.counter("lease");
    long myId = 7;
    // JAVADOC
    if (lease.compareAndSet(0, myId, ofSeconds(30))) { // free, or ended
      lease.compareAndSet(myId, myId, ofSeconds(30)); // extends it
    }
    // JAVADOC
    assertThat(lease.get()).isEqualTo(7);
    PersistentCounter visits = pool.counter("visits");
    visits.addAndGet(3);
    // JAVADOC
    long lastHour = visits.getAndSet(0, ofHours(1));
    // JAVADOC
    assertThat(lastHour).isEqualTo(3);
    PersistentCounter requests = pool.counter("requests");
    // JAVADOC
    boolean allowed = requests.addAndGet(1, ofMinutes(1)) <= 100; // 100 a minute
    // JAVADOC
    assertThat(allowed).isTrue();
    // JAVADOC
    pool.value("total", BigDecimal.class).increment(0.1);
    // JAVADOC
    assertThat(pool.value("total", BigDecimal.class).get()).isEqualByComparingTo("0.1");
    PersistentMap<String, String> visitorsOfToday = pool.map("v", String.class, String.class);
    // JAVADOC
    visitorsOfToday.clearAfter(ofDays(1), ExpiryCondition.ABSENT); // a day from the first call on
    // JAVADOC
    assertThat(visitorsOfToday.clearsIn()).isPresent();
  }

  @Test
  void allEntries() {
    PersistentMap<String, String> sessions = pool.map("sessions", String.class, String.class);
    String id = "s-1";
    String data = "data";
    // JAVADOC
    sessions.putIfPresent(id, data, ofMinutes(30)); // a session that has ended does not come back
    // JAVADOC
    assertThat(sessions).isEmpty();
    sessions.put(id, data, ofHours(1));
    // JAVADOC
    sessions.expireAfter(id, ofMinutes(30), ExpiryCondition.LATER); // never shortens a session
    // JAVADOC
    Set<String> index = ConcurrentHashMap.newKeySet();
    // JAVADOC
    sessions.forEach(10_000, (key, session) -> index.add(session)); // several threads
    // JAVADOC
    Set<String> seen = ConcurrentHashMap.newKeySet();
    // JAVADOC
    sessions.forEachKey(1, key -> seen.add(key));
    // JAVADOC
    assertThat(index).containsExactly("data");
    assertThat(seen).containsExactly("s-1");
    PersistentMap<String, Long> accounts = pool.map("accounts", String.class, Long.class);
    accounts.putAll(Map.of("ann", 5L, "bob", -2L));
    // JAVADOC
    String broke = accounts.search(1, (name, balance) -> balance < 0 ? name : null);
    // JAVADOC
    assertThat(broke).isEqualTo("bob");
    // JAVADOC
    Long highest = accounts.reduce(1, (name, balance) -> balance, Math::max);
    // JAVADOC
    assertThat(highest).isEqualTo(5);
    // JAVADOC
    long total = accounts.reduceToLong(1, (name, balance) -> balance, 0, Long::sum);
    // JAVADOC
    assertThat(total).isEqualTo(3);
  }
}
