package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.LoadsElsewhere;
import io.rockpool.testing.Threads;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two stores behind a pooler, which in transaction mode gives each transaction another session. */
@Needs({Tool.POSTGRESQL, Tool.PGBOUNCER})
final class PgBouncerTest {
  private static final int ACCOUNTS = 5;
  private static final long BALANCE = 100;
  private static final int TRANSFERS = 40;

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();

  private Rockpool open(PgBouncer bouncer, String parameters) {
    return Rockpool.at(
            URI.create(
                "postgresql://rockpool@127.0.0.1:%s/postgres?schema=%s%s"
                    .formatted(bouncer.port(), schema, parameters)))
        .open();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"session, ''", "transaction, &prepareThreshold=0"})
  void storesWorkBehindIt(String mode, String parameters) throws Exception {
    try (PgBouncer bouncer = PgBouncer.start(server, mode);
        Rockpool mine = open(bouncer, parameters);
        Rockpool theirs = open(bouncer, parameters)) {
      LoadsElsewhere.check(mine, theirs, 5);
      PersistentCache<String, String> here = mine.cache("cache", String.class, String.class);
      PersistentCache<String, String> there = theirs.cache("cache", String.class, String.class);
      for (int round = 0; round < 5; round++) {
        String value = "value " + round;
        here.put("key", "old");
        assertThat(here.get("key")).isEqualTo("old");
        there.put("key", value);
        await(() -> value.equals(here.get("key")));
      }
      PersistentDeque<String> taken = mine.deque("deque", String.class);
      Threads.Running<String> taker = Threads.start(() -> taken.pollFirst(20, TimeUnit.SECONDS));
      taker.awaitWaiting();
      theirs.deque("deque", String.class).addLast("element");
      assertThat(taker.result()).isEqualTo("element");
      transfer(mine, theirs);
    }
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  /** Each sum is read in one snapshot, and no transfer is lost, also beside others. */
  private static void transfer(Rockpool mine, Rockpool theirs) throws Exception {
    PersistentMap<Integer, Long> first = mine.map("bank", Integer.class, Long.class);
    for (int i = 0; i < ACCOUNTS; i++) {
      first.put(i, BALANCE);
    }
    Threads.run(
        Threads.CONTENDERS,
        thread -> {
          Rockpool pool = thread % 2 == 0 ? mine : theirs;
          PersistentMap<Integer, Long> bank = pool.map("bank", Integer.class, Long.class);
          for (int i = 0; i < TRANSFERS; i++) {
            int from = ThreadLocalRandom.current().nextInt(ACCOUNTS);
            int to = ThreadLocalRandom.current().nextInt(ACCOUNTS);
            long sum =
                pool.atomically(
                    tx -> {
                      bank.merge(from, -1L, Long::sum);
                      bank.merge(to, 1L, Long::sum);
                      long all = 0;
                      for (int account = 0; account < ACCOUNTS; account++) {
                        Long balance = bank.get(account);
                        all += balance == null ? 0 : balance;
                      }
                      return all;
                    });
            assertThat(sum).isEqualTo(ACCOUNTS * BALANCE);
          }
        });
  }

  /** The driver names its prepared statements, which another session does not have. */
  @ParameterizedTest
  @ValueSource(strings = {"", "&prepareThreshold=1"})
  void transactionModeWithNamedStatementsIsRefused(String parameters) throws Exception {
    try (PgBouncer bouncer = PgBouncer.start(server, "transaction")) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> open(bouncer, parameters))
            .isInstanceOf(ServerUnavailableException.class)
            .hasMessageContaining("prepareThreshold=0");
      }
    }
    server.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
  }

  @Test
  void statementModeIsRefused() throws Exception {
    try (PgBouncer bouncer = PgBouncer.start(server, "statement")) {
      assertThatThrownBy(() -> open(bouncer, "&prepareThreshold=0"))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("The pooler is in statement mode");
    }
  }

  /** A session that listens would be given to other clients, too, whose driver keeps all. */
  @Test
  void noSessionOfTransactionModeListens() throws Exception {
    try (PgBouncer bouncer = PgBouncer.start(server, "transaction");
        Rockpool mine = open(bouncer, "&prepareThreshold=0")) {
      PersistentCache<String, String> cache = mine.cache("cache", String.class, String.class);
      cache.put("key", "value");
      assertThat(cache.get("key")).isEqualTo("value");
      String url = PostgresServer.url(bouncer.port()) + "&prepareThreshold=0";
      List<Connection> connections = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        Connection connection = DriverManager.getConnection(url);
        connections.add(connection);
        connection.setAutoCommit(false);
        assertThat(Parameters.number(connection, "SELECT count(*) FROM pg_listening_channels()"))
            .isZero();
      }
      for (Connection connection : connections) {
        connection.close();
      }
    }
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  /** Two connections cannot have a session at the same time. */
  @Test
  void aPoolerWithOneSessionIsFound() throws Exception {
    try (PgBouncer bouncer = PgBouncer.start(server, "transaction", 1);
        HikariDataSource pool =
            PostgresServer.pool(PostgresServer.url(bouncer.port()) + "&prepareThreshold=0")) {
      try (Connection first = pool.getConnection();
          Connection second = pool.getConnection()) {
        assertThat(SharedSessions.areBehind(first, second)).isTrue();
      }
    }
  }
}
