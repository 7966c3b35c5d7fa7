package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.RockpoolException;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.LoadsElsewhere;
import io.rockpool.testing.Threads;
import java.net.URI;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two stores behind a pooler, which in transaction mode gives each transaction another session. */
final class PgBouncerTest {
  private static final int ACCOUNTS = 5;
  private static final long BALANCE = 100;
  private static final int TRANSFERS = 40;

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();

  private Rockpool open(PgBouncer bouncer, String parameters) {
    return Rockpool.at(
            URI.create(
                "postgresql://rockpool@127.0.0.1:%d/postgres?schema=%s%s"
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
  @Test
  void transactionModeWithNamedStatementsIsExplained() throws Exception {
    try (PgBouncer bouncer = PgBouncer.start(server, "transaction")) {
      Throwable thrown = catchThrowable(() -> use(bouncer, "&prepareThreshold=1"));
      while (thrown != null && !(thrown instanceof RockpoolException)) {
        thrown = thrown.getCause();
      }
      assertThat(thrown).hasMessageContaining("prepareThreshold=0");
    }
    server.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
  }

  private void use(PgBouncer bouncer, String parameters) throws Exception {
    try (Rockpool pool = open(bouncer, parameters)) {
      PersistentMap<Integer, Long> map = pool.map("map", Integer.class, Long.class);
      Threads.run(
          Threads.CONTENDERS,
          thread -> {
            for (int i = 0; i < 200; i++) {
              map.put(i, (long) thread);
            }
          });
    }
  }
}
