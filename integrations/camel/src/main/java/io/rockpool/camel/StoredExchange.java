package io.rockpool.camel;

import java.io.File;
import java.io.Serializable;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.RuntimeExchangeException;
import org.apache.camel.WrappedFile;
import org.apache.camel.support.DefaultExchange;
import org.jspecify.annotations.Nullable;

/**
 * An exchange as it is stored.
 *
 * @param version a number that no other write of the exchange has
 */
record StoredExchange(
    long version,
    String exchangeId,
    @Nullable Object body,
    Map<String, Object> headers,
    Map<String, Object> properties,
    Map<String, Object> variables,
    @Nullable Object exception) {

  /** The property of an exchange with the version that it was read with. */
  static final String VERSION_PROPERTY = "RockpoolAggregationVersion";

  /**
   * The parts of an exchange.
   *
   * @param all whether headers, properties and variables of any serializable class are parts
   * @param dropped gets the name and value of each that is not a part
   * @throws RuntimeExchangeException if the body is a file, which another process may change, or if
   *     the messages of the group cannot be stored
   */
  static StoredExchange of(Exchange exchange, boolean all, BiConsumer<String, Object> dropped) {
    Object grouped = exchange.getProperty(Exchange.GROUPED_EXCHANGE);
    if (grouped != null && !isStorable(grouped)) {
      throw new RuntimeExchangeException(
          "A group cannot be stored: its strategy keeps whole exchanges or messages, or bodies that"
              + " are not serializable. Use groupedBody() with serializable bodies.",
          exchange);
    }
    return new StoredExchange(
        // Random: the first version of a group differs from that of the group before it.
        ThreadLocalRandom.current().nextLong(),
        exchange.getExchangeId(),
        body(exchange),
        kept(
            exchange.getMessage().getHeaders(),
            value -> isSimple(value) || (all && isStorable(value)),
            dropped),
        kept(
            exchange.getAllProperties(),
            value -> isSimple(value) || (isStorable(value) && (all || isAccumulator(value))),
            dropped),
        kept(
            exchange.getVariables(),
            value -> isSimple(value) || (all && isStorable(value)),
            dropped),
        exchange.getException());
  }

  private static @Nullable Object body(Exchange exchange) {
    Object body = exchange.getMessage().getBody();
    if (body instanceof WrappedFile || body instanceof File) {
      throw new RuntimeExchangeException(
          "An aggregated body is a file, which cannot be stored. Convert it to bytes or a text first.",
          exchange);
    }
    // Reads streams.
    Serializable converted =
        exchange.getContext().getTypeConverter().convertTo(Serializable.class, exchange, body);
    return converted == null ? body : converted;
  }

  private static Map<String, Object> kept(
      Map<String, Object> values, Predicate<Object> isKept, BiConsumer<String, Object> dropped) {
    Map<String, Object> kept = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (value != null && isKept.test(value)) {
            kept.put(name, value);
          } else if (value != null) {
            dropped.accept(name, value);
          }
        });
    kept.remove(VERSION_PROPERTY);
    return kept;
  }

  /** Whether Camel's strategies gather messages in such a value, until a group is complete. */
  private static boolean isAccumulator(Object value) {
    return value instanceof Collection || value instanceof Map || value instanceof CharSequence;
  }

  /** Whether a value and its elements are serializable. */
  static boolean isStorable(@Nullable Object value) {
    if (value instanceof Collection<?> all) {
      return value instanceof Serializable && all.stream().allMatch(StoredExchange::isStorable);
    }
    if (value instanceof Map<?, ?> all) {
      return value instanceof Serializable
          && all.keySet().stream().allMatch(StoredExchange::isStorable)
          && all.values().stream().allMatch(StoredExchange::isStorable);
    }
    return value == null || value instanceof Serializable;
  }

  private static boolean isSimple(@Nullable Object value) {
    return value instanceof String
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof Character
        || value instanceof Date;
  }

  /** The version that an exchange was read with, or null if it was not read. */
  static @Nullable Long versionOf(Exchange exchange) {
    return exchange.getProperty(VERSION_PROPERTY, Long.class);
  }

  Exchange toExchange(CamelContext context) {
    Exchange exchange = new DefaultExchange(context);
    exchange.setExchangeId(exchangeId);
    Message message = exchange.getIn();
    message.setBody(body);
    message.setHeaders(headers);
    properties.forEach(exchange::setProperty);
    variables.forEach(exchange::setVariable);
    exchange.setException((Throwable) exception);
    exchange.setProperty(VERSION_PROPERTY, version);
    return exchange;
  }
}
