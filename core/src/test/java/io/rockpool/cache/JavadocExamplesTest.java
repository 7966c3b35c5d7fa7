package io.rockpool.cache;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.DocumentExamples;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples in the javadoc of this package, as they are there. */
final class JavadocExamplesTest {
  private record Order(String id, boolean isDraft) {}

  private final Rockpool pool = Rockpool.inMemory();
  private final Map<String, Order> database = Map.of("o-1", new Order("o-1", false));

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void cache() {
    // JAVADOC PersistentCache
    PersistentCache<String, Order> orders =
        pool.cache("orders", String.class, Order.class, o -> o.hotEntries(10_000));
    Order order = orders.get("o-1", id -> database.get(id)); // loads it once
    orders.put("o-2", new Order("o-2", true), ofMinutes(5)); // lives for five minutes
    orders.computeIfPresent("o-2", (id, draft) -> new Order(id, false));
    orders.invalidate("o-1");
    // JAVADOC PersistentCache
    assertThat(order).isEqualTo(database.get("o-1"));
    assertThat(orders.getAll(List.of("o-1", "o-2")))
        .isEqualTo(Map.of("o-2", new Order("o-2", false)));
  }

  @Test
  void options() {
    // JAVADOC CacheOptions
    PersistentCache<String, Order> orders =
        pool.cache(
            "orders",
            String.class,
            Order.class,
            o -> o.expiry(CacheExpiry.afterWrite(ofHours(1))).hotEntries(10_000));
    // JAVADOC CacheOptions
    orders.put("o-1", new Order("o-1", true));
    assertThat(orders.ttl("o-1").orElseThrow()).isBetween(ofMinutes(59), ofHours(1));
  }

  @Test
  void expiry() {
    // JAVADOC CacheExpiry
    CacheExpiry<Object, Object> session = CacheExpiry.afterWriteOrAccess(ofHours(8), ofMinutes(30));
    CacheExpiry<String, Order> order =
        CacheExpiry.writing((id, it) -> it.isDraft() ? ofMinutes(5) : CacheExpiry.FOREVER);
    // JAVADOC CacheExpiry
    assertThat(session.afterCreation("s", "s")).isEqualTo(ofMinutes(30));
    assertThat(order.afterCreation("o", new Order("o", true))).isEqualTo(ofMinutes(5));
  }

  @Test
  void theyAreInTheJavadoc() {
    for (Class<?> type : List.of(PersistentCache.class, CacheOptions.class, CacheExpiry.class)) {
      DocumentExamples.assertInJavadoc(type, JavadocExamplesTest.class);
    }
  }
}
