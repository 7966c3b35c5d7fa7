package io.rockpool.camel;

import java.io.File;
import java.io.Serializable;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
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
   * @throws RuntimeExchangeException if the body is a file, which another process may change
   */
  static StoredExchange of(Exchange exchange, boolean all) {
    return new StoredExchange(
        // Random: the first version of a group differs from that of the group before it.
        ThreadLocalRandom.current().nextLong(),
        exchange.getExchangeId(),
        body(exchange),
        kept(exchange.getMessage().getHeaders(), all),
        kept(exchange.getAllProperties(), all),
        kept(exchange.getVariables(), all),
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

  private static Map<String, Object> kept(Map<String, Object> values, boolean all) {
    Map<String, Object> kept = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (isSimple(value) || (all && value instanceof Serializable)) {
            kept.put(name, value);
          }
        });
    kept.remove(VERSION_PROPERTY);
    return kept;
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
