package io.rockpool.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.Child;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A killed process loses no line that its aggregator has taken. */
final class KilledAggregatorTest {
  private static final int GROUP = 10;
  private static final int LINES = 95;

  /** Each failed delivery is logged with its stack trace. */
  private static final String QUIET = "-Dorg.slf4j.simpleLogger.defaultLogLevel=off";

  @TempDir Path directory;

  /**
   * A route that aggregates lines to groups. Those that are complete fail, so none is processed.
   */
  static final class Aggregator {
    private static CamelContext start(Rockpool pool, boolean fails) throws Exception {
      RockpoolAggregationRepository groups = new RockpoolAggregationRepository(pool, "groups");
      groups.setRecoveryInterval(fails ? 60_000 : 50);
      CamelContext context = new DefaultCamelContext();
      context.addRoutes(
          new RouteBuilder() {
            @Override
            public void configure() {
              from("direct:lines")
                  .aggregate(constant("all"), new JoinBodies())
                  .aggregationRepository(groups)
                  .completionSize(GROUP)
                  .to("mock:complete");
            }
          });
      MockEndpoint complete = context.getEndpoint("mock:complete", MockEndpoint.class);
      if (fails) {
        complete.whenAnyExchangeReceived(
            exchange -> {
              throw new IllegalStateException("not now");
            });
      }
      context.start();
      return context;
    }

    public static void main(String[] args) throws Exception {
      try (Rockpool pool = Rockpool.open(Path.of(args[0]));
          CamelContext context = start(pool, true);
          var template = context.createProducerTemplate()) {
        for (int i = 0; i < LINES; i++) {
          int line = i;
          template.send("direct:lines", exchange -> exchange.getIn().setBody("" + line));
        }
        System.out.println("sent");
        System.in.read();
      }
    }
  }

  @Test
  void allLinesAreThereAfterAKill() throws Exception {
    try (Child child = Child.start(Aggregator.class, List.of(QUIET), directory)) {
      assertThat(child.readLine()).isEqualTo("sent");
      child.kill();
    }
    Set<Integer> lines = new TreeSet<>();
    try (Rockpool pool = Rockpool.open(directory);
        CamelContext context = Aggregator.start(pool, false)) {
      MockEndpoint complete = context.getEndpoint("mock:complete", MockEndpoint.class);
      complete.expectedMinimumMessageCount(LINES / GROUP);
      complete.setResultWaitTime(20_000);
      complete.assertIsSatisfied();
      complete.getExchanges().forEach(exchange -> addLines(exchange, lines));
      addLines(new RockpoolAggregationRepository(pool, "groups").get(context, "all"), lines);
    }
    assertThat(lines).hasSize(LINES);
  }

  private static void addLines(Exchange exchange, Set<Integer> lines) {
    Stream.of(exchange.getIn().getBody(String.class).split(","))
        .map(Integer::valueOf)
        .forEach(lines::add);
  }
}
