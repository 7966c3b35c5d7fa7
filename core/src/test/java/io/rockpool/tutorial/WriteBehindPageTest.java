package io.rockpool.tutorial;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.DeadChange;
import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.DocumentExamples;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The examples of the page on write-behind are those below, and do what it says. */
class WriteBehindPageTest {
  private static final Logger log = LoggerFactory.getLogger(WriteBehindPageTest.class);

  record Order(String id, int amount) {}

  /** Stands for a database. */
  private static final class Database {
    final Map<String, Order> rows = new ConcurrentHashMap<>();

    void upsert(Map<String, Order> orders) {
      rows.putAll(orders);
    }

    void delete(Set<String> ids) {
      rows.keySet().removeAll(ids);
    }

    @Nullable Order find(String id) {
      return rows.get(id);
    }
  }

  private final Database database = new Database();

  @Test
  void theExamplesDoWhatThePageSays() throws Exception {
    database.rows.putAll(Map.of("o-1", new Order("o-1", 1), "o-2", new Order("o-2", 2)));
    try (Rockpool pool = Rockpool.at(o -> MemoryEngine.open()).open()) {
      // WRITE-BEHIND
      class OrderWriter implements BatchWriter<String, Order> {
        @Override
        public void writeAll(Map<String, Order> orders) {
          database.upsert(orders); // one transaction
        }

        @Override
        public void deleteAll(Set<String> ids) {
          database.delete(ids);
        }
      }
      // WRITE-BEHIND

      // WRITE-BEHIND
      PersistentCache<String, Order> orders =
          pool.cache(
              "orders",
              String.class,
              Order.class,
              o ->
                  o.writeBehind(
                      new OrderWriter(),
                      WriteBehindOptions.defaults().batchSize(200).delay(ofMillis(500))));
      orders.put("o-1", new Order("o-1", 5)); // pending with the entry, in one write
      orders.put("o-1", new Order("o-1", 7)); // replaces what is pending
      orders.remove("o-2"); // will be deleted in the database
      Order order = orders.get("o-1", database::find); // the pending one, not the database's
      boolean written = orders.writeBehind().flush(ofSeconds(30));
      // WRITE-BEHIND
      assertThat(order).isEqualTo(new Order("o-1", 7));
      assertThat(written).isTrue();
      assertThat(database.rows).isEqualTo(Map.of("o-1", new Order("o-1", 7)));
      letters(orders);
    }
  }

  private static void letters(PersistentCache<String, Order> orders) {
    // WRITE-BEHIND
    for (DeadChange<String, Order> letter : orders.writeBehind().deadLetters()) {
      log.warn("{} failed {} times: {}", letter.key(), letter.attempts(), letter.cause());
    }
    int retried = orders.writeBehind().retryAll();
    boolean dropped = orders.writeBehind().drop("o-3"); // with its entry
    // WRITE-BEHIND
    assertThat(retried).isZero();
    assertThat(dropped).isFalse();
  }

  @Test
  void thePageHasTheseExamples() {
    DocumentExamples.assertIn("docs/write-behind.md", "WRITE-BEHIND", WriteBehindPageTest.class);
  }
}
