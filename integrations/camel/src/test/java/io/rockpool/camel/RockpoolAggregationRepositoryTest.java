package io.rockpool.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.UnencodableValueException;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.OptimisticLockingAggregationRepository.OptimisticLockingException;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the repository itself promises; {@link RoutesTest} uses it over restarts of a route. */
final class RockpoolAggregationRepositoryTest {
  private static final String NAME = "groups";

  private record Line(String article, long cents) implements Serializable {}

  /** A body that cannot be stored. */
  private record Running(Thread thread) implements Serializable {}

  private final CamelContext context = new DefaultCamelContext();
  @TempDir Path directory;
  private Rockpool pool;
  private RockpoolAggregationRepository repository;

  @BeforeEach
  void open() {
    context.start();
    pool = Rockpool.open(directory);
    repository = new RockpoolAggregationRepository(pool, NAME);
  }

  @AfterEach
  void close() {
    context.stop();
    pool.close();
  }

  private void reopen() {
    pool.close();
    pool = Rockpool.open(directory);
    repository = new RockpoolAggregationRepository(pool, NAME);
  }

  private Exchange exchange(Object body) {
    Exchange exchange = new DefaultExchange(context);
    exchange.getIn().setBody(body);
    return exchange;
  }

  private Object body(String key) {
    Exchange found = repository.get(context, key);
    return found == null ? null : found.getIn().getBody();
  }

  @Test
  void anExchangeComesBackAfterReopening() {
    Exchange exchange = exchange(new ArrayList<>(List.of(new Line("apple", 20))));
    exchange.getIn().setHeader("at", Date.from(Instant.EPOCH));
    exchange.getIn().setHeader("line", new Line("pear", 30));
    exchange.setProperty("count", 7L);
    exchange.setVariable("user", "ann");
    assertThat(repository.add(context, "o-1", exchange)).isNull();
    reopen();
    Exchange found = repository.get(context, "o-1");
    assertThat(found.getExchangeId()).isEqualTo(exchange.getExchangeId());
    assertThat(found.getIn().getBody()).isEqualTo(List.of(new Line("apple", 20)));
    assertThat(found.getIn().getHeaders()).containsOnlyKeys("at");
    assertThat(found.getIn().getHeader("at")).isEqualTo(Date.from(Instant.EPOCH));
    assertThat(found.getProperty("count")).isEqualTo(7L);
    assertThat(found.getVariable("user")).isEqualTo("ann");
    assertThat(found.getContext()).isSameAs(context);
  }

  @Test
  void serializableHeadersAreStoredIfAllowed() {
    repository.setAllowSerializedHeaders(true);
    Exchange exchange = exchange("a");
    exchange.getIn().setHeader("line", new Line("pear", 30));
    repository.add(context, "o-1", exchange);
    reopen();
    assertThat(repository.get(context, "o-1").getIn().getHeader("line"))
        .isEqualTo(new Line("pear", 30));
  }

  @Test
  void addReturnsTheExchangeBefore() {
    repository.add(context, "o-1", exchange("a"));
    assertThat(repository.add(context, "o-1", exchange("b")).getIn().getBody()).isEqualTo("a");
    assertThat(body("o-1")).isEqualTo("b");
  }

  @Test
  void aBodyThatCannotBeEncodedIsRefusedAndChangesNothing() {
    repository.add(context, "o-1", exchange("a"));
    Exchange running = exchange(new Running(Thread.currentThread()));
    assertThatThrownBy(() -> repository.add(context, "o-1", running))
        .isInstanceOf(UnencodableValueException.class);
    assertThat(body("o-1")).isEqualTo("a");
  }

  @Test
  void aRemovedGroupIsCompletedUntilItIsConfirmed() {
    Exchange exchange = exchange("a");
    repository.add(context, "o-1", exchange);
    repository.add(context, "o-2", exchange("x"));
    repository.remove(context, "o-1", repository.get(context, "o-1"));
    reopen();
    assertThat(repository.getKeys()).containsExactly("o-2");
    assertThat(repository.scan(context)).containsExactly(exchange.getExchangeId());
    assertThat(repository.recover(context, exchange.getExchangeId()).getIn().getBody())
        .isEqualTo("a");
    assertThat(repository.confirmWithResult(context, exchange.getExchangeId())).isTrue();
    reopen();
    assertThat(repository.scan(context)).isEmpty();
    assertThat(repository.recover(context, exchange.getExchangeId())).isNull();
  }

  @Test
  void aChangedGroupRefusesAnAddAndARemoval() {
    repository.add(context, "o-1", null, exchange("a"));
    Exchange read = repository.get(context, "o-1");
    repository.add(context, "o-1", repository.get(context, "o-1"), exchange("b"));
    assertThatThrownBy(() -> repository.add(context, "o-1", read, exchange("c")))
        .isInstanceOf(OptimisticLockingException.class);
    assertThatThrownBy(() -> repository.remove(context, "o-1", read))
        .isInstanceOf(OptimisticLockingException.class);
    assertThatThrownBy(() -> repository.add(context, "o-1", null, exchange("c")))
        .isInstanceOf(OptimisticLockingException.class);
    assertThat(body("o-1")).isEqualTo("b");
    assertThat(repository.scan(context)).isEmpty();
  }

  @Test
  void aNewGroupOfTheSameKeyRefusesAnExchangeOfTheOneBefore() {
    repository.add(context, "o-1", null, exchange("a"));
    Exchange read = repository.get(context, "o-1");
    repository.remove(context, "o-1", repository.get(context, "o-1"));
    assertThatThrownBy(() -> repository.add(context, "o-1", read, exchange("b")))
        .isInstanceOf(OptimisticLockingException.class);
    repository.add(context, "o-1", null, exchange("c"));
    assertThatThrownBy(() -> repository.add(context, "o-1", read, exchange("d")))
        .isInstanceOf(OptimisticLockingException.class);
    assertThat(body("o-1")).isEqualTo("c");
  }

  @Test
  void operationsJoinATransaction() {
    repository.add(context, "o-1", exchange("a"));
    assertThatThrownBy(
            () ->
                pool.runAtomically(
                    tx -> {
                      repository.remove(context, "o-1", repository.get(context, "o-1"));
                      repository.add(context, "o-2", exchange("b"));
                      throw new IllegalStateException("undone");
                    }))
        .hasMessage("undone");
    assertThat(repository.getKeys()).containsExactly("o-1");
    assertThat(repository.scan(context)).isEmpty();
  }

  @Test
  void threadsAggregateWithOptimisticLockingAndLoseNothing() throws Exception {
    int lines = 400;
    context.addRoutes(
        new RouteBuilder() {
          @Override
          public void configure() {
            from("direct:lines")
                .aggregate(constant("all"), new JoinBodies())
                .aggregationRepository(repository)
                .optimisticLocking()
                .completionSize(lines)
                .to("mock:complete");
          }
        });
    MockEndpoint complete = context.getEndpoint("mock:complete", MockEndpoint.class);
    complete.expectedMessageCount(1);
    try (var template = context.createProducerTemplate()) {
      IntStream.range(0, lines).parallel().forEach(i -> template.sendBody("direct:lines", i));
    }
    complete.setResultWaitTime(TimeUnit.SECONDS.toMillis(20));
    complete.assertIsSatisfied();
    String body = complete.getExchanges().get(0).getIn().getBody(String.class);
    assertThat(Arrays.stream(body.split(",")).map(Integer::valueOf))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, lines).boxed().toList());
  }

  @Test
  @SuppressWarnings("deprecation")
  void itHasTheOptionsOfCamelsRepositories() {
    assertThat(repository.isUseRecovery()).isTrue();
    assertThat(repository.getRecoveryInterval()).isEqualTo(5_000);
    assertThat(repository.getMaximumRedeliveries()).isZero();
    assertThat(repository.getDeadLetterUri()).isNull();
    assertThat(repository.isAllowSerializedHeaders()).isFalse();
    repository.setUseRecovery(false);
    repository.setRecoveryInterval(2, TimeUnit.SECONDS);
    assertThat(repository.isUseRecovery()).isFalse();
    assertThat(repository.getRecoveryInterval()).isEqualTo(2_000);
  }
}
