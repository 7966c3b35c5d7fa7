package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineFactory;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.spring.SuiteStores;
import io.rockpool.spring.transaction.RockpoolTransactionManager;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

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

  /** An engine as Redis is: without transactions. */
  private static Engine withoutTransactions(AtomicInteger opened) {
    opened.incrementAndGet();
    Engine memory = MemoryEngine.builder().build();
    return (Engine)
        Proxy.newProxyInstance(
            Engine.class.getClassLoader(),
            new Class<?>[] {Engine.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("capabilities")) {
                return EnumSet.of(Capability.COLLECTIONS);
              }
              if (method.getName().equals("description")) {
                return "An engine";
              }
              return method.invoke(memory, arguments);
            });
  }

  private static ApplicationContextRunner withBoots() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class, RockpoolTransactionAutoConfiguration.class))
        .withUserConfiguration(Application.class);
  }

  @Test
  void anEngineOfTheApplicationWithoutTransactionsHasNone() {
    AtomicInteger opened = new AtomicInteger();
    ApplicationContextRunner byFactory =
        withBoots().withBean(EngineFactory.class, () -> options -> withoutTransactions(opened));
    ApplicationContextRunner byStore =
        withBoots()
            .withBean(Rockpool.class, () -> Rockpool.at(o -> withoutTransactions(opened)).open());
    for (ApplicationContextRunner own : List.of(byFactory, byStore)) {
      own.run(
          context -> {
            Bank bank = context.getBean(Bank.class);
            Rockpool pool = context.getBean(Rockpool.class);
            assertThatThrownBy(() -> bank.move(true)).hasMessage("no");
            bank.move(false);
            assertThat(pool.counter("ann").get()).isEqualTo(-2);
            assertThat(pool.counter("bob").get()).isEqualTo(1);
            TransactionTemplate template =
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            assertThatThrownBy(() -> template.executeWithoutResult(status -> bank.move(false)))
                .isInstanceOf(CannotCreateTransactionException.class)
                .hasStackTraceContaining("An engine has no MULTI_ROW_TRANSACTIONS");
            assertThat(pool.counter("ann").get()).isEqualTo(-2);
          });
      own.withPropertyValues("rockpool.transactions=true")
          .run(
              context ->
                  assertThatThrownBy(() -> context.getBean(Bank.class).move(false))
                      .hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class)
                      .hasStackTraceContaining("Property rockpool.transactions with value 'true'")
                      .hasStackTraceContaining("An engine has no transactions."));
      own.withUserConfiguration(OtherManager.class)
          .run(context -> assertThat(context).hasSingleBean(TransactionManager.class));
    }
  }

  @Test
  void anEngineOfTheApplicationIsNotOpenedForItsManager() {
    AtomicInteger opened = new AtomicInteger();
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class, RockpoolTransactionAutoConfiguration.class))
        .withBean(EngineFactory.class, () -> options -> withoutTransactions(opened))
        .run(context -> assertThat(context).hasSingleBean(PlatformTransactionManager.class));
    assertThat(opened).hasValue(0);
  }

  @Test
  void anEngineOfTheApplicationWithTransactionsHasOne() {
    for (ApplicationContextRunner own :
        List.of(
            withBoots()
                .withBean(EngineFactory.class, () -> options -> MemoryEngine.builder().build()),
            withBoots().withBean(Rockpool.class, Rockpool::inMemory),
            withBoots().withPropertyValues("rockpool.uri=memory://" + UUID.randomUUID()))) {
      own.run(
          context -> {
            Bank bank = context.getBean(Bank.class);
            assertThatThrownBy(() -> bank.move(true)).hasMessage("no");
            assertThatThrownBy(bank::moveByName).hasMessage("no");
            assertThat(context.getBean(Rockpool.class).counter("ann").get()).isZero();
            assertThat(context).hasSingleBean(RockpoolTransactionManager.class);
          });
      own.withUserConfiguration(OtherManager.class)
          .withPropertyValues("rockpool.transactions=true")
          .run(
              context ->
                  assertThatThrownBy(() -> context.getBean(Bank.class).moveByName())
                      .hasMessage("no"));
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
