package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.LoadsElsewhere;
import io.rockpool.testing.ReadElsewhere;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two stores on one schema, as two processes have them: with hot tiers and blocked takers. */
@Needs(Tool.POSTGRESQL)
final class TwoStoresTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final String schema = PostgresServer.newSchema();
  private final PostgresServer server = PostgresServer.running();
  private CuttingProxy proxy;
  private HikariDataSource pool;
  private Rockpool mine;
  private Rockpool theirs;

  @BeforeEach
  void open() throws Exception {
    proxy = new CuttingProxy(server.port());
    pool = PostgresServer.pool(PostgresServer.url(proxy.port()));
    mine = Rockpool.at(o -> PostgresEngine.open(pool, options())).open();
    theirs = Rockpool.at(URI.create(uri())).open();
  }

  private PostgresOptions options() {
    return PostgresOptions.defaults().schema(schema);
  }

  private String uri() {
    return "postgresql://rockpool@127.0.0.1:" + server.port() + "/postgres?schema=" + schema;
  }

  @AfterEach
  void close() throws Exception {
    mine.close();
    theirs.close();
    pool.close();
    proxy.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void anEntryThatTheOtherStoreReadsIsNotIdle() throws InterruptedException {
    ReadElsewhere.check(mine, theirs);
  }

  @Test
  void aHandleIsRefusedInsideATransactionOfAnotherHandleOfItsStore() throws Exception {
    PersistentMap<String, Long> here = mine.map("map", String.class, Long.class);
    PersistentMap<String, Long> there = theirs.map("map", String.class, Long.class);
    PersistentCache<String, Long> cacheThere = theirs.cache("cache", String.class, Long.class);
    here.put("key", 1L);
    List<Runnable> calls =
        List.of(
            () -> there.put("key", 2L),
            () -> there.get("key"),
            there::clear,
            () -> there.putAll(Map.of("a", 1L, "b", 2L)),
            () -> cacheThere.put("key", 2L),
            () -> cacheThere.get("key", key -> 2L),
            () -> theirs.runAtomically(any -> there.put("key", 2L)),
            () -> theirs.map("new", String.class, Long.class),
            () -> theirs.names().drop("map"));
    for (Runnable call : calls) {
      mine.runAtomically(
          any -> {
            here.put("key", here.get("key") + 1);
            assertThatThrownBy(call::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another handle of the same store")
                .hasMessageContaining("the store that runs the transaction");
          });
    }
    assertThat(here).containsExactlyEntriesOf(Map.of("key", 1L + calls.size()));
    there.put("key", 5L);
    theirs.runAtomically(any -> there.increment("key", 1));
    assertThat(here).containsEntry("key", 6L);
    assertThat(theirs.names().list()).noneMatch(info -> info.name().equals("new"));
  }

  @Test
  void aStoreInAnotherSchemaMayBeUsedInsideATransaction() throws Exception {
    String another = PostgresServer.newSchema();
    PersistentMap<String, Long> here = mine.map("map", String.class, Long.class);
    try (Rockpool other =
        Rockpool.at(o -> PostgresEngine.open(pool, PostgresOptions.defaults().schema(another)))
            .open()) {
      PersistentMap<String, Long> there = other.map("map", String.class, Long.class);
      mine.runAtomically(
          any -> {
            here.put("key", 1L);
            there.put("key", 2L);
            other.runAtomically(all -> there.increment("key", 1));
          });
      assertThat(here).containsEntry("key", 1L);
      assertThat(there).containsEntry("key", 3L);
    } finally {
      server.execute("DROP SCHEMA " + another + " CASCADE");
    }
  }

  @Test
  void aTransactionOfTheApplicationDoesNotRefuseHandlesThatHaveNotJoinedIt() throws Exception {
    PersistentMap<String, Long> here = mine.map("map", String.class, Long.class);
    PersistentCache<String, Long> there = theirs.cache("cache", String.class, Long.class);
    try (Connection connection = pool.getConnection()) {
      JoinedTransactions.run(
          mine,
          connection,
          () -> {
            here.put("key", 1L);
            there.put("key", 2L);
            return there.get("key");
          });
    }
    assertThat(here).containsEntry("key", 1L);
    assertThat(there.get("key")).isEqualTo(2L);
  }

  @Test
  void noLoadIsStoredOverAWriteOfTheOtherStore() {
    LoadsElsewhere.check(mine, theirs, 20);
  }

  @Test
  void aHotTierSeesWhatTheOtherStoreWrites() throws Exception {
    PersistentCache<String, String> here = mine.cache("cache", String.class, String.class);
    PersistentCache<String, String> there = theirs.cache("cache", String.class, String.class);
    for (int round = 0; round < 20; round++) {
      String value = "value " + round;
      here.put("key", "old");
      assertThat(here.get("key")).isEqualTo("old");
      there.put("key", value);
      await(() -> value.equals(here.get("key")));
    }
    there.invalidate("key");
    await(() -> here.get("key") == null);
    here.put("key", "again");
    await(() -> "again".equals(there.get("key")));
    there.clear();
    await(() -> here.get("key") == null);
  }

  @Test
  void closingDoesNotWaitForTheNextLook() throws Exception {
    Rockpool waiting =
        Rockpool.at(o -> PostgresEngine.open(pool, options().poll(Duration.ofMinutes(1)))).open();
    PersistentCache<String, String> here = waiting.cache("cache", String.class, String.class);
    here.put("key", "old");
    theirs.cache("cache", String.class, String.class).put("key", "new");
    await(() -> "new".equals(here.get("key"))); // so it waits for the next change
    long begun = System.nanoTime();
    waiting.close();
    assertThat(System.nanoTime() - begun).isLessThan(PATIENCE_NANOS);
  }

  @Test
  void aClearIsHeardBeforeTheNextLook() throws Exception {
    Rockpool waiting =
        Rockpool.at(o -> PostgresEngine.open(pool, options().poll(Duration.ofMinutes(1)))).open();
    PersistentCache<String, String> here = waiting.cache("cache", String.class, String.class);
    PersistentCache<String, String> there = theirs.cache("cache", String.class, String.class);
    here.put("key", "old");
    assertThat(here.get("key")).isEqualTo("old");
    Thread.sleep(300); // what was written before has been heard
    there.clear();
    await(() -> here.get("key") == null);
    waiting.close();
  }

  @Test
  void aTakerIsWokenByTheOtherStore() throws Exception {
    PersistentDeque<String> here = mine.deque("deque", String.class);
    PersistentDeque<String> there = theirs.deque("deque", String.class);
    CompletableFuture<String> taken =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return here.pollFirst(20, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    Thread.sleep(100);
    there.addLast("element");
    assertThat(taken.get(10, TimeUnit.SECONDS)).isEqualTo("element");
    assertThat(there.size()).isZero();
  }

  @Test
  void aTransactionOfOneStoreIsSeenAsAWholeByTheOther() {
    PersistentMap<String, Long> here = mine.map("map", String.class, Long.class);
    PersistentMap<String, Long> there = theirs.map("map", String.class, Long.class);
    mine.runAtomically(
        transaction -> {
          here.put("a", 1L);
          here.put("b", 2L);
        });
    assertThat(there).containsEntry("a", 1L).containsEntry("b", 2L).hasSize(2);
  }

  /** While the feed is lost the tier is empty, so each read is the server's. */
  @Test
  void aLostFeedServesNothingOld() throws Exception {
    PersistentCache<String, String> here = mine.cache("cache", String.class, String.class);
    PersistentCache<String, String> there = theirs.cache("cache", String.class, String.class);
    for (int round = 0; round < 5; round++) {
      here.put("key", "old");
      assertThat(here.get("key")).isEqualTo("old");
      proxy.cut();
      String value = "value " + round;
      there.put("key", value);
      await(() -> value.equals(here.get("key")));
    }
  }

  /** A partition ends no connection: the feed must notice that the server is silent. */
  @Test
  void aPartitionEndsTheTrustInMemory() throws Exception {
    PersistentCache<String, String> here = mine.cache("cache", String.class, String.class);
    PersistentCache<String, String> there = theirs.cache("cache", String.class, String.class);
    here.put("key", "old");
    assertThat(here.get("key")).isEqualTo("old");
    proxy.part(true);
    try {
      there.put("key", "new");
      await(() -> here.hotSize() == 0);
    } finally {
      proxy.part(false);
    }
    assertThat(here.get("key")).isEqualTo("new");
    await(
        () -> {
          String unused = here.get("key");
          return here.hotSize() == 1;
        });
  }

  @Test
  void expiryIsByTheServersClock() throws Exception {
    PersistentMap<String, Long> here = mine.map("map", String.class, Long.class);
    PersistentMap<String, Long> there = theirs.map("map", String.class, Long.class);
    here.put("key", 1L, Duration.ofSeconds(5));
    assertThat(there.get("key")).isEqualTo(1L);
    await(() -> there.get("key") == null);
    await(() -> here.get("key") == null); // each estimates the server's clock to a few milliseconds
  }
}
