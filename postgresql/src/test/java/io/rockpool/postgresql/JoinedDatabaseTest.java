package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.RockpoolException;
import io.rockpool.spring.RockpoolCacheManager;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionTemplate;

/** The database of the connections that transactions bring. */
@Needs(Tool.POSTGRESQL)
final class JoinedDatabaseTest {
  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final String database = "other_" + schema;
  private final String table = "business_" + schema;
  private HikariDataSource source;
  private HikariDataSource otherSource;
  private Rockpool pool;
  private Rockpool other;

  @BeforeEach
  void open() throws SQLException {
    server.execute("CREATE DATABASE " + database);
    server.execute("CREATE TABLE " + table + " (id bigint PRIMARY KEY)");
    source = server.pool();
    otherSource = PostgresServer.pool(server.url().replace("/postgres?", "/" + database + "?"));
    pool = Rockpool.at(PostgresEngine.factory(source, schema)).open();
    other = Rockpool.at(PostgresEngine.factory(otherSource, schema)).open();
  }

  @AfterEach
  void close() throws SQLException {
    pool.close();
    other.close();
    source.close();
    otherSource.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
    server.execute("DROP TABLE " + table);
    server.execute("DROP DATABASE " + database);
  }

  private TransactionTemplate joining(DataSource bound) {
    JdbcTransactionManager manager = new JdbcTransactionManager(bound);
    manager.addListener(new JoiningTransactionListener(bound, () -> pool));
    return new TransactionTemplate(manager);
  }

  /** Both stores number their names alike: the entry would be one of the other store's cache. */
  @Test
  void aTransactionOnAnotherDatabaseIsRefused() throws SQLException {
    PersistentCache<String, String> prices = other.cache("prices", String.class, String.class);
    PersistentCache<String, String> names = pool.cache("names", String.class, String.class);
    prices.put("x", "100");
    assertThatThrownBy(
            () -> joining(otherSource).executeWithoutResult(status -> names.put("x", "Ann")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("another database");
    assertThatThrownBy(() -> joining(otherSource).execute(status -> names.get("x")))
        .isInstanceOf(IllegalStateException.class);
    try (Connection connection = otherSource.getConnection()) {
      assertThatThrownBy(
              () ->
                  JoinedTransactions.run(
                      pool,
                      connection,
                      () -> {
                        names.put("x", "Ann");
                        return null;
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("another database");
    }
    assertThat(names.get("x")).isNull();
    assertThat(prices.get("x")).isEqualTo("100");
  }

  /** As {@code @CacheEvict(allEntries = true)} does. */
  @Test
  void aClearOfASpringCacheFollowsTheCommit() {
    Cache cache = new RockpoolCacheManager(pool).getCache("cache");
    TransactionTemplate template = joining(source);
    cache.put("a", "1");
    template.executeWithoutResult(
        status -> {
          cache.clear();
          status.setRollbackOnly();
        });
    assertThat(cache.get("a", String.class)).isEqualTo("1");
    template.executeWithoutResult(
        status -> {
          cache.put("b", "2");
          cache.clear();
          assertThat(cache.get("b", String.class)).isEqualTo("2");
        });
    assertThat(cache.get("a")).isNull();
    assertThat(cache.get("b")).isNull();
  }

  @Test
  void anotherPoolOnTheSameDatabaseIsJoined() {
    PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
    try (HikariDataSource same =
        PostgresServer.pool(server.url().replace("127.0.0.1", "localhost"))) {
      TransactionTemplate template = joining(same);
      JdbcTemplate jdbc = new JdbcTemplate(same);
      template.executeWithoutResult(
          status -> {
            jdbc.update("INSERT INTO " + table + " VALUES (1)");
            map.put("a", 1L);
          });
      template.executeWithoutResult(
          status -> {
            map.put("b", 2L);
            status.setRollbackOnly();
          });
    }
    assertThat(map).containsOnlyKeys("a");
  }

  /** The proxy gives the connection of the running transaction; the engine needs its own. */
  @Test
  void noWorkOfTheApplicationIsCommittedByTheEngine() {
    DataSource proxy = new TransactionAwareDataSourceProxy(source);
    JdbcTemplate jdbc = new JdbcTemplate(proxy);
    try (Rockpool own = Rockpool.at(PostgresEngine.factory(proxy, schema)).open()) {
      PersistentMap<String, Long> map = own.map("map", String.class, Long.class);
      TransactionTemplate template = new TransactionTemplate(new JdbcTransactionManager(proxy));
      for (boolean first : new boolean[] {true, false}) {
        template.executeWithoutResult(
            status -> {
              if (first) {
                map.put("a", 1L);
              }
              jdbc.update("INSERT INTO " + table + " VALUES (1)");
              map.put("b", 1L);
              status.setRollbackOnly();
            });
        assertThat(jdbc.queryForObject("SELECT count(*) FROM " + table, Long.class)).isZero();
      }
      assertThat(map).as("not joined").containsOnlyKeys("a", "b");
      PersistentMap<String, Long> joined = pool.map("map", String.class, Long.class);
      joining(proxy)
          .executeWithoutResult(
              status -> {
                joined.put("c", 1L);
                status.setRollbackOnly();
              });
      assertThat(map).as("joined").containsOnlyKeys("a", "b");
    }
    assertThatThrownBy(
            () ->
                PostgresEngine.open(
                    new LazyConnectionDataSourceProxy(proxy), PostgresOptions.defaults()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("TransactionAwareDataSourceProxy");
  }

  @Test
  void aConnectionOfARunningTransactionIsRefused() {
    TransactionAwareDataSourceProxy proxy = new TransactionAwareDataSourceProxy(source);
    DataSource bound =
        new AbstractDataSource() {
          @Override
          public Connection getConnection() throws SQLException {
            return proxy.getConnection();
          }

          @Override
          public Connection getConnection(String user, String password) throws SQLException {
            return proxy.getConnection();
          }
        };
    JdbcTemplate jdbc = new JdbcTemplate(source);
    PostgresEngine engine = PostgresEngine.open(bound, PostgresOptions.defaults().schema(schema));
    try (Rockpool own = Rockpool.at(o -> engine).open()) {
      PersistentMap<String, Long> map = own.map("map", String.class, Long.class);
      TransactionTemplate template = new TransactionTemplate(new JdbcTransactionManager(source));
      assertThatThrownBy(
              () ->
                  template.executeWithoutResult(
                      status -> {
                        jdbc.update("INSERT INTO " + table + " VALUES (1)");
                        map.put("a", 1L);
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("running transaction");
      assertThat(jdbc.queryForObject("SELECT count(*) FROM " + table, Long.class)).isZero();
    }
  }

  /** Nothing uses the store after the time is over, so only the commit can find it out. */
  @Test
  void theTimeoutIsCheckedBeforeTheChangesAreSent() {
    PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
    TransactionTemplate template = joining(source);
    template.setTimeout(1);
    assertThatThrownBy(
            () ->
                template.executeWithoutResult(
                    status -> {
                      map.put("a", 1L);
                      sleep();
                    }))
        .isInstanceOf(TransactionTimedOutException.class);
    assertThat(map).isEmpty();
  }

  private static void sleep() {
    try {
      Thread.sleep(1_200);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theStatementThatFailedBeforeIsNamedAsTheCause() {
    PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
    JdbcTemplate jdbc = new JdbcTemplate(source);
    TransactionTemplate template = joining(source);
    assertThatThrownBy(
            () ->
                template.executeWithoutResult(
                    status -> {
                      fail(jdbc);
                      map.get("a");
                    }))
        .isInstanceOf(RockpoolException.class)
        .hasMessageContaining("An earlier statement of the same transaction failed");
    assertThatThrownBy(
            () ->
                template.executeWithoutResult(
                    status -> {
                      map.put("a", 1L);
                      fail(jdbc);
                    }))
        .isInstanceOf(DataAccessException.class)
        .hasMessageContaining("An earlier statement of the same transaction failed");
    assertThat(map).isEmpty();
  }

  private static void fail(JdbcTemplate jdbc) {
    assertThatThrownBy(() -> jdbc.execute("SELECT 1/0")).isInstanceOf(DataAccessException.class);
  }
}
