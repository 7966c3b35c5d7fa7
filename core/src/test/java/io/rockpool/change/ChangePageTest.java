package io.rockpool.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentMap;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/changes.md}. */
final class ChangePageTest {
  @Test
  void doesWhatThePageSays() {
    try (Rockpool pool = Rockpool.inMemory()) {
      PersistentMap<String, Long> stock =
          pool.map(
              "stock",
              String.class,
              Long.class,
              o -> o.changes(ChangeOptions.keep(Duration.ofDays(7))));
      stock.put("apple", 5L);
      pool.runAtomically(
          tx -> {
            stock.put("pear", 2L);
            stock.remove("apple");
          });
      assertThatThrownBy(
              () ->
                  pool.map(
                      "stock",
                      String.class,
                      Long.class,
                      o -> o.changes(ChangeOptions.keep(Duration.ofDays(1)))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is already open");
      ChangeFeed<String, Long> feed = pool.changes("stock", String.class, Long.class);
      List<String> lines =
          feed.from(0) // the oldest change that is kept
              .map(it -> it.kind() + " " + it.key() + " " + it.value())
              .toList();
      assertThat(lines).containsExactly("PUT apple 5", "PUT pear 2", "REMOVE apple null");
      PersistentMap<String, Long> totals = pool.map("totals", String.class, Long.class);
      ChangeCursor<String, Long> cursor = feed.cursor("totals");
      pool.runAtomically(
          tx -> {
            cursor.poll(100).forEach(change -> totals.merge(change.key(), 1L, Long::sum));
            cursor.commit();
          });
      assertThat(totals).containsEntry("apple", 2L).containsEntry("pear", 1L);
    }
  }
}
