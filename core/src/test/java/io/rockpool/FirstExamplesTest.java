package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.Check;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.Range;
import io.rockpool.structure.ScoredElement;
import io.rockpool.testing.DocumentExamples;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first examples of pages are those below, and they do what they say. */
class FirstExamplesTest {
  @TempDir Path directory;

  private record Order(String id, long cents) {
    Order plus(Order other) {
      return new Order(id, cents + other.cents);
    }
  }

  @SuppressWarnings("UnusedVariable") // shown
  private void example(Path directory) {
    // BASICS
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<String, Order> orders = pool.cache("orders", String.class, Order.class);
      orders.put("o-1", new Order("o-1", 1_250));
      orders.put("o-2", new Order("o-2", 99), Duration.ofMinutes(5));
      Order order = orders.get("o-1"); // null if there is none
      Order loaded = orders.get("o-3", id -> new Order(id, 3)); // loaded once, then stored
      orders.merge("o-1", new Order("o-1", 50), Order::plus);
    }
    // BASICS
  }

  @SuppressWarnings("UnusedVariable") // shown
  private void collections(Path directory) {
    // COLLECTIONS
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentMap<String, Long> stock = pool.map("shop/stock", String.class, Long.class);
      stock.put("apple", 3L);
      stock.merge("apple", 2L, Long::sum);
      stock.put("offer", 1L, Duration.ofHours(1));
      PersistentSet<String> sold = pool.set("shop/sold", String.class);
      sold.addAll(stock.keySet());
      pool.counter("shop/visits").incrementAndGet();
      PersistentSortedMap<Instant, String> log =
          pool.sortedMap("shop/log", Instant.class, String.class);
      log.put(Instant.EPOCH, "opened");
      log.removeRange(Range.lessThan(Instant.now().minus(Duration.ofDays(30))));
      PersistentTable<String, String, Long> baskets =
          pool.table("shop/baskets", String.class, String.class, Long.class);
      baskets.putAll("ann", Map.of("apple", 2L, "pear", 1L));
      baskets.when("ann", "paid", Check.absent()).put("pear", 3L);
      PersistentScoredSet<String> bestSellers = pool.scoredSet("shop/best-sellers", String.class);
      bestSellers.incrementScore("apple", 2);
      long place = bestSellers.reverseRank("apple").orElse(-1); // 0: sold most
      List<ScoredElement<String>> best = bestSellers.last(10); // sold most first
    }
    // COLLECTIONS
  }

  private void backup(Path directory, BackupTarget backups, Path restored) {
    // BACKUPS
    try (Rockpool pool = Rockpool.open(directory)) {
      pool.backups().make(backups, BackupOptions.defaults().keep(7));
      pool.backups().verify(backups); // restores it elsewhere, and checks all of it
    }
    StoreBackups.restore(backups, restored);
    // BACKUPS
  }

  @Test
  void theRestoredStoreHasWhatWasBackedUp() {
    Path restored = directory.resolve("restored");
    example(directory.resolve("data"));
    backup(directory.resolve("data"), DirectoryTarget.at(directory.resolve("backups")), restored);
    try (Rockpool pool = Rockpool.open(restored)) {
      PersistentCache<String, Order> orders = pool.cache("orders", String.class, Order.class);
      assertThat(orders.get("o-1")).isEqualTo(new Order("o-1", 1_300));
    }
  }

  @Test
  void doesWhatItSays() {
    example(directory);
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<String, Order> orders = pool.cache("orders", String.class, Order.class);
      assertThat(orders.get("o-1")).isEqualTo(new Order("o-1", 1_300));
      assertThat(orders.get("o-3")).isEqualTo(new Order("o-3", 3));
      assertThat(orders.ttl("o-2").orElseThrow()).isLessThanOrEqualTo(Duration.ofMinutes(5));
    }
  }

  @Test
  void theCollectionsDoWhatTheySay() {
    collections(directory);
    collections(directory);
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(pool.map("shop/stock", String.class, Long.class))
          .containsOnly(Map.entry("apple", 5L), Map.entry("offer", 1L));
      assertThat(pool.set("shop/sold", String.class)).containsOnly("apple", "offer");
      assertThat(pool.counter("shop/visits").get()).isEqualTo(2);
      assertThat(pool.sortedMap("shop/log", Instant.class, String.class)).isEmpty();
      assertThat(pool.table("shop/baskets", String.class, String.class, Long.class).row("ann"))
          .containsExactly(Map.entry("apple", 2L), Map.entry("pear", 3L));
      assertThat(pool.scoredSet("shop/best-sellers", String.class).score("apple")).hasValue(4);
    }
  }

  @Test
  void areThoseOfThePages() {
    DocumentExamples.assertIn("docs/basics.md", "BASICS", FirstExamplesTest.class);
    DocumentExamples.assertIn("docs/collections.md", "COLLECTIONS", FirstExamplesTest.class);
    DocumentExamples.assertIn("docs/bad-days.md", "BACKUPS", FirstExamplesTest.class);
  }
}
