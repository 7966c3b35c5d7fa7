package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.engine.EngineFactory;
import io.rockpool.error.StoreClosedException;
import io.rockpool.spring.boot.RockpoolAutoConfiguration;
import io.rockpool.spring.boot.RockpoolTransactionAutoConfiguration;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.ServiceVariables;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring Boot's {@code DataSource} with one property. */
@Needs(Tool.POSTGRESQL)
final class PostgresAutoConfigurationTest {
  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final ApplicationContextRunner withoutEngine =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class,
                  DataSourceTransactionManagerAutoConfiguration.class,
                  JdbcTemplateAutoConfiguration.class,
                  PostgresAutoConfiguration.class,
                  RockpoolAutoConfiguration.class,
                  RockpoolTransactionAutoConfiguration.class))
          .withPropertyValues("rockpool.postgresql.schema=" + schema);
  private final ApplicationContextRunner runner =
      withoutEngine.withPropertyValues("rockpool.engine=postgresql");

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

  /** As of Kubernetes, for services that are named as the properties. */
  @Test
  void variablesOfServicesAreForeign() {
    Map<String, Object> variables = ServiceVariables.of("rockpool.postgresql");
    for (String name : List.of("schema", "pool-size", "join-transactions")) {
      variables.putAll(ServiceVariables.of("rockpool.postgresql." + name));
    }
    onServer()
        .withInitializer(
            context ->
                context
                    .getEnvironment()
                    .getPropertySources()
                    .replace(
                        "systemEnvironment",
                        new SystemEnvironmentPropertySource("systemEnvironment", variables)))
        .run(
            context -> {
              assertThat(size(context.getBean(Rockpool.class))).isZero();
              assertThat(server.number("SELECT count(*) FROM " + schema + ".records")).isZero();
            });
  }

  /** Notes at its closing whether the store was closed before. */
  private HikariDataSource poolThatLooks(AtomicReference<Rockpool> opened, AtomicBoolean isClosed) {
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
  }

  /** As with Flyway and Liquibase: they may create the schema, for a role that may not. */
  @Test
  void theStoreOpensAfterTheDatabaseIsInitialized(@TempDir Path directory) throws IOException {
    Path script = directory.resolve("schema.sql");
    Files.writeString(
        script, "CREATE SCHEMA " + schema + "; CREATE TABLE " + schema + ".own(a int)");
    onServer()
        .withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
        .withPropertyValues(
            "spring.sql.init.mode=always", "spring.sql.init.schema-locations=file:" + script)
        .withBean(
            "aStoreThatIsMadeFirst", String.class, () -> "", bean -> bean.setDependsOn("rockpool"))
        .run(context -> assertThat(size(context.getBean(Rockpool.class))).isZero());
  }

  /** Until it is closed, the store's threads use them. */
  @Test
  void theStoreIsClosedBeforeItsConnections() {
    AtomicReference<Rockpool> opened = new AtomicReference<>();
    AtomicBoolean isClosed = new AtomicBoolean();
    runner
        .withBean(HikariDataSource.class, () -> poolThatLooks(opened, isClosed))
        .run(context -> opened.set(context.getBean(Rockpool.class)));
    assertThat(isClosed).isTrue();
  }

  @Test
  void theStoreOfAnEngineFactoryIsClosedBeforeItsConnections() {
    AtomicReference<Rockpool> opened = new AtomicReference<>();
    AtomicBoolean isClosed = new AtomicBoolean();
    runner
        .withBean("second", HikariDataSource.class, () -> poolThatLooks(opened, isClosed))
        .withUserConfiguration(FactoryOnSecond.class)
        .run(context -> opened.set(context.getBean(Rockpool.class)));
    assertThat(isClosed).isTrue();
  }

  @Configuration(proxyBeanMethods = false)
  static class FactoryOnSecond {
    @Bean
    EngineFactory engine(@Qualifier("second") DataSource source) {
      return PostgresEngine.factory(source);
    }
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

  @Configuration(proxyBeanMethods = false)
  static class SecondDatabase {
    @Bean
    HikariDataSource second() {
      return PostgresServer.running().pool();
    }
  }

  /** The store is on the second one, as a bean of type {@code EngineFactory} says. */
  private ApplicationContextRunner onSecond(String firstDatabase, boolean primary) {
    String url = server.url().replace("/postgres?", "/" + firstDatabase + "?");
    return runner
        .withUserConfiguration(SecondDatabase.class, FactoryOnSecond.class)
        .withBean(
            "first",
            HikariDataSource.class,
            () -> PostgresServer.pool(url),
            definition -> definition.setPrimary(primary))
        .withPropertyValues("rockpool.postgresql.join-transactions=true");
  }

  @Test
  void transactionsOfAnotherDatabaseThanTheStoresAreRefusedAtTheStart() throws SQLException {
    String database = "other_" + schema;
    server.execute("CREATE DATABASE " + database);
    try {
      onSecond(database, true)
          .run(
              context ->
                  assertThat(context.getStartupFailure())
                      .hasStackTraceContaining("Property rockpool.postgresql.join-transactions"));
      onServer()
          .withPropertyValues(
              "rockpool.postgresql.join-transactions=true",
              "rockpool.uri=" + uri("127.0.0.1", database))
          .run(
              context ->
                  assertThat(context.getStartupFailure())
                      .hasStackTraceContaining("Property rockpool.postgresql.join-transactions"));
    } finally {
      server.execute("DROP DATABASE " + database + " WITH (FORCE)");
    }
  }

  /** A store in a directory has no transactions of a database. */
  @Test
  void joiningAStoreInADirectoryIsRefusedUnlessATestHasIt() {
    ApplicationContextRunner joining =
        withoutEngine.withPropertyValues(
            "spring.datasource.url=" + server.url(),
            "rockpool.directory=temporary",
            "rockpool.postgresql.join-transactions=true");
    joining.run(
        context ->
            assertThat(context.getStartupFailure())
                .hasStackTraceContaining("Property rockpool.postgresql.join-transactions"));
    joining
        .withPropertyValues("rockpool.engine=embedded")
        .run(context -> assertThat(size(context.getBean(Rockpool.class))).isZero());
  }

  @Test
  void theTransactionsOfTheStoresDataSourceAreJoinedAlsoIfNoneIsPrimary() {
    onSecond("postgres", false)
        .withBean(
            JdbcTransactionManager.class,
            () ->
                new JdbcTransactionManager() {
                  @Autowired
                  @SuppressWarnings("UnusedMethod") // Spring calls it
                  void second(@Qualifier("second") DataSource source) {
                    setDataSource(source);
                  }
                })
        .run(
            context -> {
              PersistentMap<String, Long> map =
                  context.getBean(Rockpool.class).map("map", String.class, Long.class);
              assertThat(server.number("SELECT count(*) FROM " + schema + ".space_info"))
                  .as("the factory of the application takes the schema of the properties")
                  .isPositive();
              transactions(context.getBean(PlatformTransactionManager.class))
                  .executeWithoutResult(
                      status -> {
                        map.put("a", 1L);
                        status.setRollbackOnly();
                      });
              assertThat(map).isEmpty();
            });
  }

  private String uri(String host, String database) {
    return "postgresql://rockpool@" + host + ":" + server.port() + "/" + database;
  }

  @Test
  void aUriTakesTheOtherPropertiesToo() {
    withoutEngine
        .withPropertyValues(
            "spring.datasource.url=" + server.url(),
            "rockpool.postgresql.join-transactions=true",
            "rockpool.postgresql.pool-size=2",
            "rockpool.uri=" + uri("localhost", "postgres"))
        .run(
            context -> {
              PersistentMap<String, Long> map =
                  context.getBean(Rockpool.class).map("map", String.class, Long.class);
              map.put("a", 1L);
              assertThat(server.number("SELECT count(*) FROM " + schema + ".records")).isOne();
              transactions(context.getBean(PlatformTransactionManager.class))
                  .executeWithoutResult(
                      status -> {
                        map.put("b", 1L);
                        status.setRollbackOnly();
                      });
              assertThat(map).containsOnlyKeys("a");
            });
  }

  /** Each has a connection of the application and needs another one. */
  @Test
  void transactionsOfAllConnectionsUseTheStore() {
    onServer()
        .withPropertyValues(
            "spring.datasource.hikari.maximum-pool-size=2",
            "spring.datasource.hikari.connection-timeout=30000")
        .run(
            context -> {
              PersistentMap<String, Long> map =
                  context.getBean(Rockpool.class).map("map", String.class, Long.class);
              TransactionTemplate template =
                  transactions(context.getBean(PlatformTransactionManager.class));
              CyclicBarrier both = new CyclicBarrier(2);
              ExecutorService threads = Executors.newFixedThreadPool(2);
              try {
                List<Future<?>> running = new ArrayList<>();
                for (String key : List.of("a", "b")) {
                  running.add(
                      threads.submit(
                          () ->
                              template.execute(
                                  status -> {
                                    await(both);
                                    return map.put(key, 1L);
                                  })));
                }
                for (Future<?> each : running) {
                  assertThat(each).succeedsWithin(Duration.ofSeconds(20));
                }
              } finally {
                threads.shutdownNow();
              }
              assertThat(map).hasSize(2);
            });
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theApplicationsPoolIsUsedOnRequest() {
    for (String[] each : new String[][] {{"0", "0"}, {"3", "1"}}) {
      onServer()
          .withPropertyValues("rockpool.postgresql.pool-size=" + each[0])
          .run(
              context -> {
                assertThat(size(context.getBean(Rockpool.class))).isZero();
                assertThat(ownPools()).isEqualTo(Integer.parseInt(each[1]));
              });
    }
    onServer()
        .withPropertyValues("rockpool.postgresql.pool-size=-1")
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(Rockpool.class))
                    .rootCause()
                    .hasMessageContaining("rockpool.postgresql.pool-size"));
  }

  @Test
  void aPoolOfOneIsRefusedAtOnce() {
    String size = "rockpool.postgresql.pool-size";
    String ofApplication = "spring.datasource.hikari.maximum-pool-size";
    ApplicationContextRunner atUri =
        withoutEngine.withPropertyValues(
            "spring.datasource.url=" + server.url(),
            "rockpool.uri=" + uri("localhost", "postgres"));
    assertRefused(onServer().withPropertyValues(size + "=1"), size);
    assertRefused(onServer().withPropertyValues(ofApplication + "=1"), ofApplication);
    assertRefused(onServer().withPropertyValues(ofApplication + "=1", size + "=0"), ofApplication);
    assertRefused(atUri.withPropertyValues(size + "=1"), size);
    assertRefused(atUri.withPropertyValues(size + "=0"), size);
    onServer()
        .withPropertyValues(ofApplication + "=1", size + "=2")
        .run(context -> assertThat(size(context.getBean(Rockpool.class))).isZero());
  }

  private static void assertRefused(ApplicationContextRunner refused, String property) {
    refused.run(
        context ->
            assertThatThrownBy(() -> context.getBean(Rockpool.class))
                .rootCause()
                .isInstanceOfSatisfying(
                    InvalidConfigurationPropertyValueException.class,
                    e -> {
                      assertThat(e.getName()).isEqualTo(property);
                      assertThat(e.getReason()).contains("two connections or more");
                    }));
  }

  /** Pools that a store has opened, by their threads. */
  private static long ownPools() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("rockpool-test[0-9]+.housekeeper"))
        .count();
  }

  @Test
  void aWrongSchemaIsNamedAsAProperty() {
    onServer()
        .withPropertyValues("rockpool.postgresql.schema=My Schema")
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(Rockpool.class))
                    .rootCause()
                    .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                    .hasMessageContaining("rockpool.postgresql.schema"));
  }

  /** As applications route by tenant: outside of a request there is none. */
  @ParameterizedTest
  @ValueSource(strings = {"rockpool.postgresql.pool-size=0", "rockpool.postgresql.pool-size=2"})
  void aRoutingDataSourceWithoutADefaultSaysWhatToDeclare(String poolSize) {
    runner
        .withPropertyValues(poolSize)
        .withBean(DataSource.class, PostgresAutoConfigurationTest::routing)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("Cannot determine target DataSource")
                    .hasStackTraceContaining("a bean EngineFactory with PostgresEngine.factory"));
  }

  @Test
  void aRoutingDataSourceWithADefaultHasTheStoreThere() {
    try (HikariDataSource target = server.pool()) {
      AbstractRoutingDataSource source = routing();
      source.setDefaultTargetDataSource(target);
      runner
          .withBean(DataSource.class, () -> source)
          .run(context -> assertThat(size(context.getBean(Rockpool.class))).isZero());
    }
  }

  private static AbstractRoutingDataSource routing() {
    AbstractRoutingDataSource source =
        new AbstractRoutingDataSource() {
          @Override
          protected @Nullable Object determineCurrentLookupKey() {
            return null;
          }
        };
    source.setTargetDataSources(Map.of());
    return source;
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
                    .hasMessageContaining("no DataSource")
                    .hasMessageContaining("EngineFactory"));
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
