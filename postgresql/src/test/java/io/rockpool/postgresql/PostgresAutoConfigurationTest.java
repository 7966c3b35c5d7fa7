package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.error.StoreClosedException;
import io.rockpool.spring.boot.RockpoolAutoConfiguration;
import io.rockpool.spring.boot.RockpoolTransactionAutoConfiguration;
import io.rockpool.structure.PersistentMap;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring Boot's {@code DataSource} with one property. */
final class PostgresAutoConfigurationTest {
  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class,
                  DataSourceTransactionManagerAutoConfiguration.class,
                  JdbcTemplateAutoConfiguration.class,
                  PostgresAutoConfiguration.class,
                  RockpoolAutoConfiguration.class,
                  RockpoolTransactionAutoConfiguration.class))
          .withPropertyValues("rockpool.engine=postgresql", "rockpool.postgresql.schema=" + schema);

  private ApplicationContextRunner onServer() {
    return runner.withPropertyValues("spring.datasource.url=" + server.url());
  }

  @AfterEach
  void drop() throws SQLException {
    server.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
  }

  @Test
  void oneSettingPutsTheStoreIntoTheApplicationsDatabase() {
    onServer()
        .run(
            context -> {
              PersistentMap<String, Long> map =
                  context.getBean(Rockpool.class).map("map", String.class, Long.class);
              map.put("a", 1L);
              assertThat(server.number("SELECT count(*) FROM " + schema + ".records")).isOne();
              assertThatThrownBy(
                      () ->
                          transactions(context.getBean(PlatformTransactionManager.class))
                              .executeWithoutResult(
                                  status -> {
                                    map.put("b", 1L);
                                    throw new IllegalArgumentException("the method failed");
                                  }))
                  .isInstanceOf(IllegalArgumentException.class);
              assertThat(map).as("transactions are joined on request").containsKey("b");
            });
    onServer().run(context -> assertThat(size(context.getBean(Rockpool.class))).isEqualTo(2));
  }

  /** Until it is closed, the store's threads use them. */
  @Test
  void theStoreIsClosedBeforeItsConnections() {
    AtomicReference<Rockpool> opened = new AtomicReference<>();
    AtomicBoolean isClosed = new AtomicBoolean();
    runner
        .withBean(
            HikariDataSource.class,
            () -> {
              HikariDataSource source =
                  new HikariDataSource() {
                    @Override
                    public void close() {
                      isClosed.set(refuses(opened.get()));
                      super.close();
                    }
                  };
              source.setJdbcUrl(server.url());
              return source;
            })
        .run(context -> opened.set(context.getBean(Rockpool.class)));
    assertThat(isClosed).isTrue();
  }

  private static boolean refuses(Rockpool pool) {
    try {
      return pool.map("map", String.class, Long.class).name().isEmpty();
    } catch (StoreClosedException e) {
      return true;
    }
  }

  private static int size(Rockpool pool) {
    return pool.map("map", String.class, Long.class).size();
  }

  private static TransactionTemplate transactions(PlatformTransactionManager manager) {
    return new TransactionTemplate(manager);
  }

  @Test
  void transactionsAreJoinedOnRequest() {
    onServer()
        .withPropertyValues("rockpool.postgresql.join-transactions=true")
        .run(
            context -> {
              Rockpool pool = context.getBean(Rockpool.class);
              JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
              PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
              TransactionTemplate template =
                  transactions(context.getBean(PlatformTransactionManager.class));
              template.executeWithoutResult(
                  status -> {
                    jdbc.execute("CREATE TABLE " + schema + ".business (id bigint)");
                    map.put("a", 1L);
                  });
              assertThat(map).containsKey("a");
              assertThatThrownBy(
                      () ->
                          template.executeWithoutResult(
                              status -> {
                                jdbc.execute("INSERT INTO " + schema + ".business VALUES (1)");
                                map.put("b", 1L);
                                throw new IllegalArgumentException("the method failed");
                              }))
                  .isInstanceOf(IllegalArgumentException.class);
              assertThat(map).containsOnlyKeys("a");
              assertThat(server.number("SELECT count(*) FROM " + schema + ".business")).isZero();
            });
  }

  @Test
  void withoutADataSourceItSaysWhatIsMissing() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(PostgresAutoConfiguration.class, RockpoolAutoConfiguration.class))
        .withPropertyValues("rockpool.engine=postgresql")
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(Rockpool.class))
                    .rootCause()
                    .hasMessageContaining("rockpool-postgresql"));
  }

  @Test
  void anotherDatabaseIsRefused() {
    runner
        .withBean(DataSource.class, () -> new OtherDatabase())
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(Rockpool.class))
                    .rootCause()
                    .hasMessageContaining("PostgreSQL"));
  }
}
