package io.rockpool.compatibility.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.compatibility.jpa.JpaJoinTest.Purchase;
import io.rockpool.compatibility.jpa.JpaJoinTest.Purchases;
import io.rockpool.sample.testing.LocalServer;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Requests with a key in an application of Hibernate whose transactions are joined: entities,
 * collections and the stored response are one commit.
 */
@Tag("slow")
@Needs(Tool.POSTGRESQL)
final class IdempotentJpaTest {
  private static LocalServer server;
  private static ConfigurableApplicationContext context;
  private static Purchases purchases;
  private static PersistentMap<Long, String> texts;

  /** A transactional method, as a user writes it. */
  static class Till {
    private final Purchases purchases;
    private final Rockpool pool;

    Till(Purchases purchases, Rockpool pool) {
      this.purchases = purchases;
      this.pool = pool;
    }

    @Transactional
    public long pay(String text) {
      long id = purchases.count() + 1;
      purchases.save(new Purchase(id, text + id));
      pool.map("paid", Long.class, String.class).put(id, text);
      if (text.equals("declined") || text.equals("swallowed")) {
        throw new IllegalArgumentException(text);
      }
      return id;
    }
  }

  /** Answers what the till says. */
  @RestController
  static class Payments {
    private final Till till;

    Payments(Till till) {
      this.till = till;
    }

    @PostMapping("/payments/{text}")
    ResponseEntity<String> pay(@PathVariable String text) {
      try {
        return ResponseEntity.ok("paid " + till.pay(text));
      } catch (IllegalArgumentException e) {
        return text.equals("declined")
            ? ResponseEntity.unprocessableContent().body("declined")
            : ResponseEntity.ok("as if nothing had happened");
      }
    }
  }

  /** The application. */
  @Configuration
  @EnableAutoConfiguration
  @EnableJpaRepositories(considerNestedRepositories = true)
  static class Application {
    @Bean
    Till till(Purchases purchases, Rockpool pool) {
      return new Till(purchases, pool);
    }

    @Bean
    Payments payments(Till till) {
      return new Payments(till);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    server = LocalServer.start(LocalServer.Kind.POSTGRESQL);
    URI uri = server.uri("idempotent");
    context =
        SpringApplication.run(
            Application.class,
            "--rockpool.engine=postgresql",
            "--rockpool.postgresql.join-transactions=true",
            "--rockpool.idempotency.paths=/payments/**",
            "--spring.datasource.url=jdbc:postgresql://"
                + uri.getHost()
                + ":"
                + uri.getPort()
                + uri.getPath(),
            "--spring.datasource.username=" + uri.getUserInfo(),
            "--spring.jpa.hibernate.ddl-auto=update",
            "--server.port=0",
            "--server.address=127.0.0.1",
            "--spring.main.banner-mode=off",
            "--logging.level.root=error");
    purchases = context.getBean(Purchases.class);
    texts = context.getBean(Rockpool.class).map("paid", Long.class, String.class);
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
  }

  private static HttpResponse<String> pay(String text, String key) throws Exception {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:%s/payments/%s".formatted(port, text)))
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
  }

  private static void assertAnswer(HttpResponse<String> answer, int status, String body) {
    assertThat(answer.statusCode() + " " + answer.body()).isEqualTo(status + " " + body);
  }

  @Test
  void entityMapAndResponseAreOneCommit() throws Exception {
    assertAnswer(pay("pear", "a"), 200, "paid 1");
    HttpResponse<String> repeated = pay("pear", "a");
    assertAnswer(repeated, 200, "paid 1");
    assertThat(repeated.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    assertThat(purchases.count()).isOne();
    assertAnswer(pay("pear", "b"), 200, "paid 2");
    assertThat(purchases.count()).isEqualTo(2);
    assertThat(texts).hasSize(2);
  }

  /** The method's exception rolls all back; the client hears why, and may ask again. */
  @Test
  void aRefusalByATransactionThatIsRolledBackIsAnsweredAndNotStored() throws Exception {
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> answer = pay("declined", "declined");
      assertAnswer(answer, 422, "declined");
      assertThat(answer.headers().firstValue("Idempotent-Replayed")).isEmpty();
      assertThat(purchases.count()).isZero();
      assertThat(texts).isEmpty();
    }
  }

  @Test
  void aSuccessThatIsRolledBackIsAFailure() throws Exception {
    assertThat(pay("swallowed", "swallowed").statusCode()).isEqualTo(500);
    assertThat(purchases.count()).isZero();
    assertThat(texts).isEmpty();
  }
}
