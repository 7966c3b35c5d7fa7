package io.rockpool.tutorial;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.change.ChangeCursor;
import io.rockpool.change.ChangeEvent;
import io.rockpool.change.ChangeFeed;
import io.rockpool.change.ChangeOptions;
import io.rockpool.structure.PersistentMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples in the javadoc of change feeds; {@link JavadocExampleTest} compares them. */
final class JavadocChangesTest {
  private final Rockpool pool = Rockpool.inMemory();
  private boolean running = true;
  private int mails;

  private record Order(String id) {}

  private static final class Index {
    final Map<String, Order> entries = new HashMap<>();

    void update(String key, Order order) {
      entries.put(key, order);
    }
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private void mail(ChangeEvent<String, Order> change) {
    assertThat(change.value()).isNotNull();
    mails++;
    running = false;
  }

  @Test
  void aFeed() throws InterruptedException {
    Order order = new Order("o-1");
    Index index = new Index();
    // JAVADOC
    PersistentMap<String, Order> orders =
        pool.map(
            "orders", String.class, Order.class, o -> o.changes(ChangeOptions.keep(ofDays(7))));
    // JAVADOC
    orders.put(order.id(), order);
    // JAVADOC
    pool.map("orders", String.class, Order.class, o -> o.changes(ChangeOptions.keep(ofDays(7))));
    ChangeFeed<String, Order> changes = pool.changes("orders", String.class, Order.class);
    long last = changes.oldest();
    for (ChangeEvent<String, Order> change : changes.poll(last, 100, ofSeconds(10))) {
      index.update(change.key(), change.value()); // the value is null after a removal
      last = change.position() + 1;
    }
    // JAVADOC
    assertThat(index.entries).containsOnly(Map.entry("o-1", order));
    assertThat(last).isEqualTo(changes.next());
  }

  @Test
  void aCursor() throws InterruptedException {
    Order order = new Order("o-1");
    pool.map("orders", String.class, Order.class, o -> o.changes(ChangeOptions.keep(ofDays(7))))
        .put(order.id(), order);
    PersistentMap<String, Long> totals = pool.map("totals", String.class, Long.class);
    ChangeFeed<String, Order> orders = pool.changes("orders", String.class, Order.class);
    // JAVADOC
    ChangeCursor<String, Order> mailer = orders.cursor("mailer");
    while (running) {
      mailer.poll(100, ofSeconds(10)).forEach(this::mail);
      mailer.commit(); // a crash before this mails these changes again
    }
    // JAVADOC
    assertThat(mails).isOne();
    mailer.seek(orders.oldest());
    // JAVADOC
    pool.runAtomically(
        tx -> {
          mailer.poll(100).forEach(change -> totals.merge(change.key(), 1L, Long::sum));
          mailer.commit();
        });
    // JAVADOC
    assertThat(totals).containsOnly(Map.entry("o-1", 1L));
  }
}
