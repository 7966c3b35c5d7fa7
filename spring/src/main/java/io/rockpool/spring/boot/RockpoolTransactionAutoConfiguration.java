package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.spring.transaction.RockpoolTransactionManager;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;

/**
 * Auto-configuration of a {@link RockpoolTransactionManager}: as the application's transaction
 * manager if there is no other, or beside others if {@code rockpool.transactions} is true. Beside
 * others, {@code @Transactional("rockpoolTransactionManager")} chooses it. A store on Redis has
 * none, and no other one whose engine has no transactions.
 */
@AutoConfiguration(
    after = RockpoolAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
      "org.springframework.boot.neo4j.autoconfigure.Neo4jAutoConfiguration",
      "org.springframework.boot.data.neo4j.autoconfigure.DataNeo4jAutoConfiguration",
      "org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration",
      "org.springframework.boot.transaction.jta.autoconfigure.JtaAutoConfiguration"
    },
    beforeName = "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration")
@ConditionalOnClass(TransactionManager.class)
@Conditional(OnStoreWithTransactions.class)
public final class RockpoolTransactionAutoConfiguration {

  /** Without another manager, where the engine of the store is not known before it is open. */
  @Configuration(proxyBeanMethods = false)
  @Order(-1)
  @ConditionalOnMissingBean(TransactionManager.class)
  @Conditional(OnUnknownEngine.class)
  static class PossibleManager {
    @Bean
    @Lazy
    PlatformTransactionManager rockpoolTransactionManager(Rockpool pool) {
      return ManagerByEngine.of(pool);
    }
  }

  /** Without another manager. */
  @Configuration(proxyBeanMethods = false)
  @Order(0)
  @ConditionalOnMissingBean(TransactionManager.class)
  @ConditionalOnProperty(
      name = "rockpool.transactions",
      havingValue = "true",
      matchIfMissing = true)
  static class OnlyManager {
    @Bean
    @Lazy
    RockpoolTransactionManager rockpoolTransactionManager(Rockpool pool) {
      return ManagerByEngine.required(pool);
    }
  }

  /** Beside others: no candidate where any manager is asked for. */
  @Configuration(proxyBeanMethods = false)
  @Order(1)
  @ConditionalOnBooleanProperty("rockpool.transactions")
  @ConditionalOnMissingBean(RockpoolTransactionManager.class)
  static class FurtherManager {
    @Bean(defaultCandidate = false)
    @Lazy
    RockpoolTransactionManager rockpoolTransactionManager(Rockpool pool) {
      return ManagerByEngine.required(pool);
    }
  }
}
