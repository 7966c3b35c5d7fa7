package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Kills applications whose transactions are joined, as {@code kill -9} does. */
@Needs(Tool.POSTGRESQL)
final class JoinCrashTest {
  private static final int ROUNDS = Integer.getInteger("rockpool.test.joinKills", 3);
  private static final long FIRST = 1_000_000;

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final String table = "killed_" + schema;

  @Test
  void aKilledApplicationLeavesRowEntryAndMessageOrNone() throws Exception {
    server.execute("CREATE TABLE " + table + " (id bigint PRIMARY KEY)");
    Set<Long> said = new HashSet<>();
    try (HikariDataSource source = server.pool();
        Rockpool pool = Rockpool.at(PostgresEngine.factory(source, schema)).open()) {
      PersistentMap<Long, Long> map = pool.map("map", Long.class, Long.class);
      PersistentQueue<Long> queue = pool.queue("queue", Long.class);
      JdbcTemplate jdbc = new JdbcTemplate(source);
      for (int round = 0; round < ROUNDS; round++) {
        runAndKill(round, said);
        Set<Long> rows = new TreeSet<>(jdbc.queryForList("SELECT id FROM " + table, Long.class));
        awaitNoTransaction(jdbc);
        rows.addAll(jdbc.queryForList("SELECT id FROM " + table, Long.class));
        assertThat(rows).containsAll(said);
        assertThat(new TreeSet<>(map.keySet())).isEqualTo(rows);
        assertThat(queue.size()).isEqualTo(rows.size());
      }
    } finally {
      server.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
      server.execute("DROP TABLE " + table);
    }
    assertThat(said).hasSizeGreaterThan(ROUNDS);
  }

  /** The server may still end a commit of the killed process. */
  private void awaitNoTransaction(JdbcTemplate jdbc) {
    String running =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + schema + "'";
    while (jdbc.queryForObject(running, Long.class) != 0) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void runAndKill(int round, Set<Long> said) throws Exception {
    List<String> quiet = List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    String url = server.url() + "&ApplicationName=" + schema;
    try (Child victim =
        Child.start(JoiningVictim.class, quiet, url, schema, table, FIRST * (round + 1))) {
      Thread killer = null;
      for (String line = victim.readLine(); line != null; line = victim.readLine()) {
        if (line.length() == String.valueOf(FIRST).length()) { // the last line may be cut
          said.add(Long.valueOf(line));
        }
        if (killer == null) {
          killer =
              new Thread(
                  () -> {
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(600_000_000));
                    try {
                      victim.kill();
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  });
          killer.start();
        }
      }
      assertThat(killer).as("the process worked").isNotNull();
      killer.join();
    }
  }
}
