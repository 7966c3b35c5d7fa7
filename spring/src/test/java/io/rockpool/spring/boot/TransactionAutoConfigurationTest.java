package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.spring.SuiteStores;
import io.rockpool.spring.transaction.RockpoolTransactionManager;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** When an application has a transaction manager for its store. */
class TransactionAutoConfigurationTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withPropertyValues(SuiteStores.newProperty())
          .withConfiguration(
              AutoConfigurations.of(
                  RockpoolAutoConfiguration.class, RockpoolTransactionAutoConfiguration.class));

  /** Moves money, twice in one transaction. */
  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  static class Application {
    @Bean
    Bank bank(Rockpool pool) {
      return new Bank(pool);
    }
  }

  static class Bank {
    private final Rockpool pool;

    Bank(Rockpool pool) {
      this.pool = pool;
      pool.counter("ann");
      pool.counter("bob");
    }

    @Transactional
    public void move(boolean fails) {
      pool.counter("ann").decrementAndGet();
      if (fails) {
        throw new IllegalArgumentException("no");
      }
      pool.counter("bob").incrementAndGet();
    }

    @Transactional("rockpoolTransactionManager")
    public void moveByName() {
      pool.counter("ann").decrementAndGet();
      throw new IllegalArgumentException("no");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OtherManager {
    @Bean
    PlatformTransactionManager other() {
      return new io.rockpool.spring.ResourcelessTransactions();
    }
  }

  @Test
  void transactionalIsATransactionOfTheStore() {
    runner
        .withUserConfiguration(Application.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(PlatformTransactionManager.class);
              Bank bank = context.getBean(Bank.class);
              bank.move(false);
              assertThatThrownBy(() -> bank.move(true)).hasMessage("no");
              Rockpool pool = context.getBean(Rockpool.class);
              assertThat(pool.counter("ann").get()).isEqualTo(-1);
              assertThat(pool.counter("bob").get()).isEqualTo(1);
            });
  }

  @Test
  void anotherManagerIsEnough() {
    runner
        .withUserConfiguration(OtherManager.class)
        .run(context -> assertThat(context).doesNotHaveBean(RockpoolTransactionManager.class));
  }

  @Test
  void itIsThereBesideAnotherOneIfAskedFor() {
    runner
        .withUserConfiguration(Application.class, OtherManager.class)
        .withPropertyValues("rockpool.transactions=true")
        .run(
            context -> {
              assertThat(context).hasSingleBean(RockpoolTransactionManager.class);
              Bank bank = context.getBean(Bank.class);
              Rockpool pool = context.getBean(Rockpool.class);
              assertThatThrownBy(bank::moveByName).hasMessage("no");
              assertThat(pool.counter("ann").get()).isZero();
              assertThatThrownBy(() -> bank.move(true)).hasMessage("no");
              assertThat(pool.counter("ann").get()).isEqualTo(-1); // by the other manager
            });
  }

  @Test
  void itCanBeSwitchedOff() {
    runner
        .withPropertyValues("rockpool.transactions=false")
        .run(context -> assertThat(context).doesNotHaveBean(RockpoolTransactionManager.class));
    runner
        .withPropertyValues("rockpool.transactions=true")
        .run(context -> assertThat(context).hasSingleBean(RockpoolTransactionManager.class));
  }

  @Test
  void aStoreOnRedisHasNone() {
    for (String place :
        List.of("rockpool.engine=Redis", "rockpool.uri=rediss-sentinel://h?master=m")) {
      ApplicationContextRunner onRedis =
          new ApplicationContextRunner()
              .withConfiguration(
                  AutoConfigurations.of(
                      RockpoolAutoConfiguration.class, RockpoolTransactionAutoConfiguration.class))
              .withPropertyValues(place);
      onRedis.run(context -> assertThat(context).doesNotHaveBean(TransactionManager.class));
      onRedis
          .withUserConfiguration(OtherManager.class)
          .run(context -> assertThat(context).hasSingleBean(TransactionManager.class));
      onRedis
          .withPropertyValues("rockpool.transactions=true")
          .run(
              context ->
                  assertThat(context)
                      .getFailure()
                      .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                      .hasStackTraceContaining("Property rockpool.transactions with value 'true'")
                      .hasStackTraceContaining("A store on Redis has no transactions."));
    }
  }

  @Test
  void otherPlacesHaveOne() {
    for (String place :
        List.of(
            "rockpool.engine=embedded",
            "rockpool.engine=postgresql",
            "rockpool.uri=postgresql://h/redis")) {
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  RockpoolAutoConfiguration.class, RockpoolTransactionAutoConfiguration.class))
          .withPropertyValues(place)
          .run(
              context ->
                  assertThat(context.getBeanNamesForType(RockpoolTransactionManager.class))
                      .hasSize(1));
    }
  }
}
