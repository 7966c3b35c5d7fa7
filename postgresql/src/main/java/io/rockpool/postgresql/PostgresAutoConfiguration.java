package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.engine.EngineFactory;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Auto-configuration of a store in the database of the application's {@code DataSource}, with
 * {@code rockpool.engine=postgresql}.
 */
@AutoConfiguration(
    afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
    beforeName = "io.rockpool.spring.boot.RockpoolAutoConfiguration")
@ConditionalOnClass({DataSourceUtils.class, EngineFactory.class})
@EnableConfigurationProperties(PostgresProperties.class)
public final class PostgresAutoConfiguration {
  static final String JOIN = "rockpool.postgresql.join-transactions";
  private static final String ENGINE = "rockpool.engine";
  private static final String POOL_SIZE = "rockpool.postgresql.pool-size";

  /** The database of the only {@code DataSource}, or the primary one. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(name = ENGINE, havingValue = "postgresql")
  @ConditionalOnSingleCandidate(DataSource.class)
  static class InDatabase {
    /** After Flyway and other initializers, which may create the schema. */
    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    EngineFactory rockpoolPostgresEngineFactory(DataSource source, PostgresProperties properties) {
      PostgresOptions options = options(properties);
      Integer size = properties.getPoolSize();
      if (size != null && size < 0) {
        throw new InvalidConfigurationPropertyValueException(
            POOL_SIZE, size, "Give 0 to use the application's pool, or more.");
      }
      HikariDataSource found = pool(source); // asked for in each case: it refuses some sources
      HikariDataSource pool = size != null && size == 0 ? null : found;
      if (pool == null && size != null && size > 0) {
        throw new InvalidConfigurationPropertyValueException(
            POOL_SIZE,
            size,
            "The application's DataSource has no HikariCP pool whose settings the store can take."
                + " Leave the property out, and make the application's pool large enough.");
      }
      refuseOne(found, size);
      return pool == null
          ? PostgresEngine.factory(source, options.schema())
          : OwnPool.beside(pool, size, options);
    }

    /** The feed of changes keeps a connection, and opening would wait for a second one. */
    private static void refuseOne(@Nullable HikariDataSource application, @Nullable Integer size) {
      if (size != null && size == 1) {
        throw new InvalidConfigurationPropertyValueException(
            POOL_SIZE, size, "A store needs two connections or more.");
      }
      boolean isApplications = size == null || size == 0;
      if (isApplications && application != null && application.getMaximumPoolSize() == 1) {
        throw new InvalidConfigurationPropertyValueException(
            "spring.datasource.hikari.maximum-pool-size",
            1,
            "A store needs two connections or more. Give so many, or set "
                + POOL_SIZE
                + " for a pool of its own.");
      }
    }

    private static PostgresOptions options(PostgresProperties properties) {
      try {
        return PostgresOptions.defaults().schema(properties.getSchema());
      } catch (IllegalArgumentException e) {
        throw new InvalidConfigurationPropertyValueException(
            "rockpool.postgresql.schema", properties.getSchema(), String.valueOf(e.getMessage()));
      }
    }

    private static @Nullable HikariDataSource pool(DataSource source) {
      try {
        return source.isWrapperFor(HikariDataSource.class)
            ? source.unwrap(HikariDataSource.class)
            : null;
      } catch (SQLException e) {
        return null;
      } catch (IllegalStateException e) { // an AbstractRoutingDataSource without a default target
        InvalidConfigurationPropertyValueException refusal =
            new InvalidConfigurationPropertyValueException(
                ENGINE,
                "postgresql",
                "The application's DataSource has no database at the start: "
                    + e.getMessage()
                    + ". Give it a default target, or declare a bean EngineFactory with"
                    + " PostgresEngine.factory(dataSource of the store).");
        refusal.initCause(e);
        throw refusal;
      }
    }
  }

  /** Only on request: with it, caches in a transaction are read from the server. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty(JOIN)
  @ConditionalOnProperty(name = ENGINE, havingValue = "postgresql", matchIfMissing = true)
  static class Joining {
    @Bean
    static JoinSource rockpoolJoinSource(
        ObjectProvider<DataSource> sources,
        ObjectProvider<Rockpool> pool,
        ObjectProvider<PlatformTransactionManager> managers) {
      return new JoinSource(sources, pool, managers);
    }

    @Bean
    static BeanPostProcessor rockpoolTransactionJoin(
        ObjectProvider<JoinSource> source, ObjectProvider<Rockpool> pool) {
      return new Joiner(source, pool);
    }

    @Bean
    static SmartInitializingSingleton rockpoolJoinCheck(JoinSource source) {
      return source::check;
    }
  }

  /** Adds a listener to each transaction manager, also to those that Boot does not configure. */
  private record Joiner(ObjectProvider<JoinSource> source, ObjectProvider<Rockpool> pool)
      implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (bean instanceof PlatformTransactionManager
          && bean instanceof ConfigurableTransactionManager manager) {
        manager.addListener(
            new JoiningTransactionListener(() -> source.getObject().get(), pool::getObject));
      }
      return bean;
    }
  }
}
