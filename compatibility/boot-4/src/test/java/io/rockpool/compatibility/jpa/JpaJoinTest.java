package io.rockpool.compatibility.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.sample.testing.LocalServer;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PreUpdate;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * An application of Spring Boot and Hibernate, whose entities, collections and queues change in one
 * commit. The only settings are two properties.
 */
@Needs(Tool.POSTGRESQL)
final class JpaJoinTest {
  private static LocalServer server;
  private static ConfigurableApplicationContext context;
  private static Purchases purchases;
  private static Shopping shopping;
  private static PersistentMap<Long, String> texts;
  private static PersistentQueue<String> messages;

  /** An entity. */
  @Entity(name = "purchase")
  static class Purchase {
    static volatile Runnable onUpdate = () -> {};

    @Id Long id;

    @Column(unique = true)
    String text;

    Purchase() {}

    Purchase(Long id, String text) {
      this.id = id;
      this.text = text;
    }

    /** Hibernate calls it when it sends its changes. */
    @PreUpdate
    void updated() {
      onUpdate.run();
    }
  }

  /** Made by Spring Data. */
  interface Purchases extends JpaRepository<Purchase, Long> {}

  /** Transactional methods, as a user writes them. */
  static class Shopping {
    private final Purchases purchases;
    private final Rockpool pool;

    Shopping(Purchases purchases, Rockpool pool) {
      this.purchases = purchases;
      this.pool = pool;
    }

    private void change(long id, String text) {
      purchases.save(new Purchase(id, text));
      pool.map("texts", Long.class, String.class).put(id, text);
      pool.queue("messages", String.class).send(text);
    }

    @Transactional
    public void buy(long id, String text, Runnable then) {
      change(id, text);
      then.run();
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void buyApart(long id, String text) {
      change(id, text);
    }

    @Transactional(propagation = Propagation.NESTED)
    public void buyNested(long id, String text) {
      change(id, text);
    }

    @Transactional
    public void extend(long id, Runnable meanwhile) {
      PersistentMap<Long, String> texts = pool.map("texts", Long.class, String.class);
      String text = texts.get(id);
      meanwhile.run();
      purchases.findById(id).orElseThrow().text = text + "+";
      texts.put(id, text + "+");
    }

    @Transactional(readOnly = true)
    public String look(long id) {
      return purchases.findById(id).map(it -> it.text).orElse("none")
          + " "
          + pool.map("texts", Long.class, String.class).get(id);
    }
  }

  /** The application. */
  @Configuration
  @EnableAutoConfiguration
  @EnableJpaRepositories(considerNestedRepositories = true)
  static class Application {
    @Bean
    Shopping shopping(Purchases purchases, Rockpool pool) {
      return new Shopping(purchases, pool);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    server = LocalServer.start(LocalServer.Kind.POSTGRESQL);
    URI uri = server.uri("jpa");
    context =
        SpringApplication.run(
            Application.class,
            "--rockpool.engine=postgresql",
            "--rockpool.postgresql.join-transactions=true",
            "--spring.datasource.url=jdbc:postgresql://"
                + uri.getHost()
                + ":"
                + uri.getPort()
                + uri.getPath(),
            "--spring.datasource.username=" + uri.getUserInfo(),
            "--spring.jpa.hibernate.ddl-auto=update",
            "--spring.main.web-application-type=none",
            "--spring.main.banner-mode=off",
            "--logging.level.root=warn");
    purchases = context.getBean(Purchases.class);
    shopping = context.getBean(Shopping.class);
    Rockpool pool = context.getBean(Rockpool.class);
    texts = pool.map("texts", Long.class, String.class);
    messages = pool.queue("messages", String.class);
  }

  @AfterAll
  static void end() throws Exception {
    if (context != null) {
      context.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void empty() {
    purchases.deleteAll();
    texts.clear();
    messages.purge();
  }

  private static void assertHas(long entities, long inMap, long sent) {
    assertThat(purchases.count()).isEqualTo(entities);
    assertThat(texts).hasSize((int) inMap);
    assertThat(messages.size()).isEqualTo(sent);
  }

  @Test
  void entityMapAndQueueChangeInOneCommit() {
    assertThat(context.getBean(PlatformTransactionManager.class))
        .isInstanceOf(JpaTransactionManager.class);
    shopping.buy(1, "pear", () -> assertThat(texts.get(1L)).isEqualTo("pear"));
    assertHas(1, 1, 1);
    assertThat(shopping.look(1)).isEqualTo("pear pear");
  }

  @Test
  void anExceptionUndoesAllOfThem() {
    assertThatThrownBy(
            () ->
                shopping.buy(
                    1,
                    "pear",
                    () -> {
                      throw new IllegalArgumentException("sold out");
                    }))
        .hasMessage("sold out");
    assertHas(0, 0, 0);
  }

  /** Hibernate finds the second text only when it sends its changes, at the commit. */
  @Test
  void aFailureOfTheCommitUndoesAllOfThem() {
    shopping.buy(1, "pear", () -> {});
    assertThatThrownBy(() -> shopping.buy(2, "pear", () -> {}))
        .isInstanceOf(DataIntegrityViolationException.class);
    assertHas(1, 1, 1);
    assertThat(texts.get(2L)).isNull();
  }

  @Test
  void aTransactionOfItsOwnCommitsWithoutTheOuterOne() {
    assertThatThrownBy(
            () ->
                shopping.buy(
                    1,
                    "pear",
                    () -> {
                      shopping.buyApart(2, "apple");
                      throw new IllegalArgumentException("sold out");
                    }))
        .hasMessage("sold out");
    assertHas(1, 1, 1);
    assertThat(texts.get(2L)).isEqualTo("apple");
  }

  /** JPA has no savepoints; then nothing is left of either. */
  @Test
  void aNestedTransactionIsRefusedAsByJpa() {
    assertThatThrownBy(() -> shopping.buy(1, "pear", () -> shopping.buyNested(2, "apple")))
        .isInstanceOf(NestedTransactionNotSupportedException.class);
    assertHas(0, 0, 0);
  }

  @Test
  void aConflictUndoesTheEntityToo() {
    shopping.buy(1, "pear", () -> {});
    assertThatThrownBy(() -> shopping.extend(1, () -> putApart(1, "melon")))
        .isInstanceOf(ConcurrencyFailureException.class);
    assertThat(shopping.look(1)).isEqualTo("pear melon");
    shopping.extend(1, () -> {});
    assertThat(shopping.look(1)).isEqualTo("melon+ melon+");
  }

  /** Hibernate calls listeners of entities when it sends its changes, at the commit. */
  @Test
  void listenersOfEntitiesUseTheStoreInTheTransaction() {
    shopping.buy(1, "pear", () -> {});
    Purchase.onUpdate =
        () -> {
          assertThat(texts.get(1L)).isEqualTo("pear+");
          texts.put(2L, "by the listener");
          messages.send("updated");
        };
    try {
      shopping.extend(1, () -> {});
      assertHas(1, 2, 2);
      assertThat(texts.get(2L)).isEqualTo("by the listener");
      Purchase.onUpdate =
          () -> {
            texts.remove(2L);
            throw new IllegalArgumentException("refused");
          };
      assertThatThrownBy(() -> shopping.extend(1, () -> {})).hasStackTraceContaining("refused");
      assertHas(1, 2, 2);
      assertThat(shopping.look(1)).isEqualTo("pear+ pear+");
    } finally {
      Purchase.onUpdate = () -> {};
    }
  }

  private static void putApart(long id, String text) {
    Thread other = new Thread(() -> texts.put(id, text));
    other.start();
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
