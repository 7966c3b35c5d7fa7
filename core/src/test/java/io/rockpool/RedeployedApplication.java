package io.rockpool;

import io.rockpool.cache.PersistentCache;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.QueueListener;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentSortedMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** What {@link RedeployTest} deploys: it uses a store and closes it. */
public final class RedeployedApplication {
  private RedeployedApplication() {}

  /** A value that Fory writes. */
  public record Book(String title, List<String> authors, Map<String, Integer> ratings) {}

  /** Called by reflection. */
  public static void run(String directory) throws InterruptedException {
    try (Rockpool pool = Rockpool.open(Path.of(directory))) {
      Book book = new Book("Ada", List.of("A", "B"), Map.of("x", 1));
      PersistentCache<String, Book> cache = pool.cache("cache", String.class, Book.class);
      cache.put("a", book);
      same(book, cache.get("b", key -> book));
      PersistentMap<String, Object> map = pool.map("map", String.class, Object.class);
      map.put("a", book);
      same(book, map.get("a"));
      PersistentSortedMap<Integer, Book> sorted =
          pool.sortedMap("sorted", Integer.class, Book.class);
      sorted.put(1, book);
      same(book, sorted.firstEntry().getValue());
      CountDownLatch handled = new CountDownLatch(1);
      PersistentQueue<Book> queue = pool.queue("queue", Book.class);
      queue.send(book);
      try (QueueListener<Book> listener =
          QueueListener.on(
                  queue,
                  delivery -> {
                    same(book, delivery.message());
                    handled.countDown();
                  })
              .start()) {
        handled.await();
      }
      pool.atomically(tx -> sorted.put(2, book));
      pool.map("kept", String.class, Long.class).put("k", 1L, Duration.ofDays(1));
    }
  }

  private static void same(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new IllegalStateException("Found " + found);
    }
  }
}
