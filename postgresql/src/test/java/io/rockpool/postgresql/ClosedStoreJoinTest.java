package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.error.StoreClosedException;
import io.rockpool.spring.transaction.RockpoolTransactionManager;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The application's transactions after the store was closed. */
@Needs(Tool.POSTGRESQL)
final class ClosedStoreJoinTest {
  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final String table = "business_" + schema;
  private HikariDataSource source;
  private Rockpool pool;
  private JdbcTemplate jdbc;
  private JdbcTransactionManager manager;
  private PersistentMap<String, Long> map;

  @BeforeEach
  void open() {
    source = server.pool();
    pool = Rockpool.at(PostgresEngine.factory(source, schema)).open();
    jdbc = new JdbcTemplate(source);
    jdbc.execute("CREATE TABLE " + table + " (id bigint PRIMARY KEY)");
    manager = new JdbcTransactionManager(source);
    manager.addListener(new JoiningTransactionListener(source, () -> pool));
    map = pool.map("map", String.class, Long.class);
  }

  @AfterEach
  void close() throws Exception {
    pool.close();
    try (Rockpool again = Rockpool.at(PostgresEngine.factory(source, schema)).open()) {
      assertThat(again.map("map", String.class, Long.class)).isEmpty();
    }
    assertThat(source.getHikariPoolMXBean().getActiveConnections()).isZero();
    source.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
    server.execute("DROP TABLE " + table);
  }

  private void insert(long id) {
    jdbc.update("INSERT INTO " + table + " VALUES (?)", id);
  }

  private long rows() {
    return server.number("SELECT count(*) FROM " + table);
  }

  private void run(Runnable work) {
    new TransactionTemplate(manager).executeWithoutResult(status -> work.run());
  }

  /** Closes the store while the thread's transaction is suspended. */
  private void closeMeanwhile(PlatformTransactionManager suspending) {
    TransactionTemplate inner = new TransactionTemplate(suspending);
    inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
    inner.executeWithoutResult(status -> CompletableFuture.runAsync(pool::close).join());
  }

  @Test
  void onlyTransactionsThatUseTheStoreFail() {
    pool.close();
    run(() -> insert(1));
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      insert(2);
                      map.put("k", 1L);
                    }))
        .isInstanceOf(StoreClosedException.class)
        .hasMessageContaining("is closed");
    assertThat(rows()).isEqualTo(1);
    assertThat(source.getHikariPoolMXBean().getActiveConnections()).isZero();
  }

  @Test
  void plainTransactionsFailBeforeTheyBegin() throws Exception {
    pool.close();
    try (Connection connection = source.getConnection()) {
      assertThatThrownBy(
              () ->
                  JoinedTransactions.run(
                      pool,
                      connection,
                      () -> Parameters.update(connection, "INSERT INTO " + table + " VALUES (1)")))
          .isInstanceOf(StoreClosedException.class);
      assertThat(connection.getAutoCommit()).isTrue();
    }
    assertThat(rows()).isZero();
  }

  @Test
  void aSuspendedTransactionDoesNotCommit() {
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      insert(1);
                      map.put("k", 1L);
                      closeMeanwhile(manager);
                      assertThatThrownBy(() -> map.get("k"))
                          .isInstanceOf(StoreClosedException.class);
                      insert(2);
                    }))
        .isInstanceOf(StoreClosedException.class)
        .hasMessageContaining("is closed");
    assertThat(rows()).isZero();
    run(() -> insert(3));
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void aSuspendedTransactionRollsBack() {
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      insert(1);
                      map.put("k", 1L);
                      closeMeanwhile(manager);
                      throw new IllegalArgumentException("the method failed");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(rows()).isZero();
  }

  @Test
  void aSuspendedTransactionOfTheStoreAloneDoesNotCommit() {
    RockpoolTransactionManager own = new RockpoolTransactionManager(pool);
    assertThatThrownBy(
            () ->
                new TransactionTemplate(own)
                    .executeWithoutResult(
                        status -> {
                          map.put("k", 1L);
                          closeMeanwhile(own);
                        }))
        .isInstanceOf(StoreClosedException.class)
        .hasMessageContaining("is closed");
  }
}
