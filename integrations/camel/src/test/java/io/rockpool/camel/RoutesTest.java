package io.rockpool.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.DocumentExamples;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.IdempotentRepository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routes of Camel with an idempotent consumer and an aggregator, over restarts. */
final class RoutesTest {
  private static final long WAIT_MILLIS = 60_000;

  @TempDir Path directory;
  private Rockpool pool;
  private CamelContext context;

  private final class Routes extends RouteBuilder {
    @Override
    public void configure() {
      errorHandler(noErrorHandler());
      // CAMEL
      IdempotentRepository seen =
          new RockpoolIdempotentRepository(
              pool, "orders/seen", options -> options.entryTtl(Duration.ofDays(7)));
      from("direct:orders").idempotentConsumer(header("orderId"), seen).to("mock:fresh");
      // CAMEL
      // CAMEL
      RockpoolAggregationRepository groups =
          new RockpoolAggregationRepository(pool, "orders/groups");
      from("direct:lines")
          .aggregate(header("orderId"), new JoinBodies())
          .aggregationRepository(groups)
          .completionSize(3)
          .to("mock:complete");
      // CAMEL
      groups.setRecoveryInterval(50);
      groups.setMaximumRedeliveries(2);
      groups.setDeadLetterUri("mock:dead");
    }
  }

  @BeforeEach
  void start() throws Exception {
    pool = Rockpool.open(directory);
    context = new DefaultCamelContext();
    context.addRoutes(new Routes());
    context.start();
  }

  @AfterEach
  void stop() {
    context.stop();
    pool.close();
  }

  private void restart() throws Exception {
    stop();
    start();
  }

  private MockEndpoint mock(String name) {
    return context.getEndpoint("mock:" + name, MockEndpoint.class);
  }

  private void send(String uri, String order, Object body) {
    try (var template = context.createProducerTemplate()) {
      template.sendBodyAndHeaders(uri, body, Map.of("orderId", order, "at", order.length()));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> bodies(MockEndpoint mock) {
    return mock.getExchanges().stream().map(e -> e.getIn().getBody(String.class)).toList();
  }

  private static void await(MockEndpoint mock) throws InterruptedException {
    mock.setResultWaitTime(WAIT_MILLIS);
    mock.assertIsSatisfied();
  }

  @Test
  void aMessageIsProcessedOnceOverARestart() throws Exception {
    send("direct:orders", "o-1", "a");
    send("direct:orders", "o-1", "b");
    send("direct:orders", "o-2", "c");
    assertThat(bodies(mock("fresh"))).containsExactly("a", "c");
    restart();
    send("direct:orders", "o-1", "d");
    send("direct:orders", "o-3", "e");
    assertThat(bodies(mock("fresh"))).containsExactly("e");
  }

  @Test
  void aMessageThatFailedIsProcessedAgain() throws Exception {
    mock("fresh").whenExchangeReceived(1, RoutesTest::fail);
    assertThat(failure(() -> send("direct:orders", "o-1", "a"))).isTrue();
    restart();
    send("direct:orders", "o-1", "b");
    assertThat(bodies(mock("fresh"))).containsExactly("b");
  }

  private static void fail(Exchange exchange) {
    throw new IllegalStateException("no");
  }

  private static boolean failure(Runnable call) {
    try {
      call.run();
      return false;
    } catch (RuntimeException e) {
      return true;
    }
  }

  @Test
  void anOpenGroupContinuesAfterARestart() throws Exception {
    send("direct:lines", "o-1", "a");
    send("direct:lines", "o-2", "x");
    restart();
    send("direct:lines", "o-1", "b");
    restart();
    mock("complete").expectedBodiesReceived(List.of("a,b,c"));
    send("direct:lines", "o-1", "c");
    await(mock("complete"));
    Exchange whole = mock("complete").getExchanges().get(0);
    assertThat(whole.getIn().getHeaders()).containsEntry("orderId", "o-1").containsEntry("at", 3);
    assertThat(whole.getProperty(Exchange.AGGREGATED_SIZE)).isEqualTo(3);
    assertThat(whole.getProperty(Exchange.AGGREGATED_COMPLETED_BY)).isEqualTo("size");
  }

  @Test
  void aCompletedGroupThatFailedIsDeliveredAfterARestart() throws Exception {
    mock("complete").whenAnyExchangeReceived(RoutesTest::fail);
    for (String body : List.of("a", "b", "c")) {
      failure(() -> send("direct:lines", "o-1", body));
    }
    restart();
    mock("complete").expectedMinimumMessageCount(1);
    await(mock("complete"));
    Exchange whole = mock("complete").getExchanges().get(0);
    assertThat(whole.getIn().getBody()).isEqualTo("a,b,c");
    assertThat(whole.getIn().getHeader(Exchange.REDELIVERED)).isEqualTo(true);
    stop();
    pool = Rockpool.open(directory);
    assertThat(new RockpoolAggregationRepository(pool, "orders/groups").scan(context)).isEmpty();
  }

  @Test
  void aGroupThatAlwaysFailsReachesTheDeadLetterChannel() throws Exception {
    mock("complete").whenAnyExchangeReceived(RoutesTest::fail);
    mock("dead").expectedBodiesReceived(List.of("a,b,c"));
    for (String body : List.of("a", "b", "c")) {
      failure(() -> send("direct:lines", "o-1", body));
    }
    await(mock("dead"));
    restart();
    mock("complete").expectedMessageCount(0);
    mock("complete").setAssertPeriod(200);
    await(mock("complete"));
  }

  @Test
  void theExamplesAreInTheDocuments() {
    DocumentExamples.assertIn("docs/camel.md", "CAMEL", RoutesTest.class);
    DocumentExamples.assertInJavadoc("CAMEL", RoutesTest.class, RockpoolIdempotentRepository.class);
  }
}
