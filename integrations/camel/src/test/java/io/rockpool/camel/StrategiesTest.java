package io.rockpool.camel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.AggregationStrategy;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.AggregationStrategies;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.processor.aggregate.GroupedMessageAggregationStrategy;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Camel's own strategies, which keep the group in a property of the exchange. */
final class StrategiesTest {
  private static final long WAIT_MILLIS = 60_000;

  @TempDir Path directory;

  static Map<String, AggregationStrategy> strategies() {
    Map<String, AggregationStrategy> all = new LinkedHashMap<>();
    all.put("groupedBody", AggregationStrategies.groupedBody());
    all.put("string", AggregationStrategies.string(","));
    all.put(
        "flexible",
        AggregationStrategies.flexible(String.class).accumulateInCollection(ArrayList.class));
    all.put(
        "flexible in a property",
        AggregationStrategies.flexible(String.class)
            .accumulateInCollection(ArrayList.class)
            .storeInProperty("lines"));
    return all;
  }

  static List<String> names() {
    return List.copyOf(strategies().keySet());
  }

  private static List<String> lines(Exchange group, String strategy) {
    Object body =
        strategy.endsWith("property") ? group.getProperty("lines") : group.getIn().getBody();
    return body instanceof List<?> all
        ? all.stream().map(String.class::cast).toList()
        : List.of(String.valueOf(body).split(",", -1));
  }

  private static CamelContext context(Rockpool pool, AggregationStrategy strategy)
      throws Exception {
    CamelContext context = new DefaultCamelContext();
    context.addRoutes(
        new RouteBuilder() {
          @Override
          public void configure() {
            errorHandler(noErrorHandler());
            from("direct:lines")
                .aggregate(constant("all"), strategy)
                .aggregationRepository(new RockpoolAggregationRepository(pool, "groups"))
                .completionSize(3)
                .to("mock:complete");
          }
        });
    context.start();
    return context;
  }

  private static void send(CamelContext context, String... lines) throws Exception {
    try (var template = context.createProducerTemplate()) {
      for (String line : lines) {
        template.sendBody("direct:lines", line);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void noMessageOfAGroupIsLostOverARestart(String name) throws Exception {
    try (Rockpool pool = Rockpool.open(directory);
        CamelContext context = context(pool, strategies().get(name))) {
      send(context, "a", "b");
    }
    try (Rockpool pool = Rockpool.open(directory);
        CamelContext context = context(pool, strategies().get(name))) {
      MockEndpoint complete = context.getEndpoint("mock:complete", MockEndpoint.class);
      complete.expectedMessageCount(1);
      complete.setResultWaitTime(WAIT_MILLIS);
      send(context, "c");
      complete.assertIsSatisfied();
      assertThat(lines(complete.getExchanges().get(0), name)).containsExactly("a", "b", "c");
    }
  }

  static List<AggregationStrategy> strategiesOfWholeMessages() {
    return List.of(
        AggregationStrategies.groupedExchange(), new GroupedMessageAggregationStrategy());
  }

  @ParameterizedTest
  @MethodSource("strategiesOfWholeMessages")
  void whatCannotBeStoredIsRefused(AggregationStrategy strategy) throws Exception {
    try (Rockpool pool = Rockpool.open(directory);
        CamelContext context = context(pool, strategy)) {
      assertThatThrownBy(() -> send(context, "a"))
          .hasStackTraceContaining("Use groupedBody() with serializable bodies");
    }
  }

  /** A class of an application in which its strategy gathers something. */
  private record Sum(long cents) implements Serializable {}

  @Test
  void whatIsLeftOutIsLoggedOnceWithTheOption() throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, UTF_8));
    try (Rockpool pool = Rockpool.open(directory);
        CamelContext context = new DefaultCamelContext()) {
      RockpoolAggregationRepository groups = new RockpoolAggregationRepository(pool, "groups");
      for (String key : List.of("a", "b")) {
        Exchange exchange = new DefaultExchange(context);
        exchange.setProperty("sum", new Sum(7));
        StringBuilder lines = new StringBuilder();
        lines.append(key).append("-1");
        exchange.setProperty("lines", lines);
        groups.add(context, key, exchange);
      }
      assertThat(groups.get(context, "b").getProperties()).doesNotContainKey("sum");
      assertThat(groups.get(context, "b").getProperty("lines")).hasToString("b-1");
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(UTF_8))
        .containsOnlyOnce("\"sum\" of an aggregated exchange is not stored")
        .contains(Sum.class.getName(), "setAllowSerializedHeaders(true)")
        .doesNotContain("\"lines\"");
  }
}
