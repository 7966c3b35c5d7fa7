package io.rockpool.postgresql;

import io.rockpool.Rockpool;
import io.rockpool.engine.EngineFactory;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
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
@ConditionalOnProperty(name = "rockpool.engine", havingValue = "postgresql")
@ConditionalOnSingleCandidate(DataSource.class)
@EnableConfigurationProperties(PostgresProperties.class)
public final class PostgresAutoConfiguration {
  /** The bean of the module for Spring that closes the store. */
  private static final String CLOSING = "rockpoolClosedLast";

  @Bean
  @ConditionalOnMissingBean
  EngineFactory rockpoolPostgresEngineFactory(
      DataSource source, PostgresProperties properties, ConfigurableListableBeanFactory beans) {
    // The store is closed last of all beans, but before its connections.
    for (String name : beans.getBeanNamesForType(DataSource.class, true, false)) {
      beans.registerDependentBean(name, CLOSING);
    }
    return PostgresEngine.factory(source, properties.getSchema());
  }

  /** Only on request: with it, caches in a transaction are read from the server. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty("rockpool.postgresql.join-transactions")
  static class Joining {
    @Bean
    static BeanPostProcessor rockpoolTransactionJoin(
        ObjectProvider<DataSource> source, ObjectProvider<Rockpool> pool) {
      return new Joiner(source, pool);
    }
  }

  /** Adds a listener to each transaction manager, also to those that Boot does not configure. */
  private record Joiner(ObjectProvider<DataSource> source, ObjectProvider<Rockpool> pool)
      implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (bean instanceof PlatformTransactionManager
          && bean instanceof ConfigurableTransactionManager manager) {
        manager.addListener(
            new JoiningTransactionListener(
                Objects.requireNonNull(source.getObject()), pool::getObject));
      }
      return bean;
    }
  }
}
