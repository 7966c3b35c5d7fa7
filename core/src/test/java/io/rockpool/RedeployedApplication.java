package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.change.ChangeEvent;
import io.rockpool.change.ChangeFeed;
import io.rockpool.change.ChangeOptions;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.Fallback;
import io.rockpool.codec.TypeRef;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.QueueListener;
import io.rockpool.queue.Schedule;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentSortedMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * What {@link RedeployTest} deploys: it uses what starts threads, and what threads keep, and closes
 * its store.
 */
public final class RedeployedApplication {
  private RedeployedApplication() {}

  private static final Duration LONG = Duration.ofDays(1);

  /** A value that Fory writes. */
  public record Book(String title, List<String> authors, Map<String, Integer> ratings)
      implements java.io.Serializable {}

  private static final Book BOOK = new Book("Ada", List.of("A", "B"), Map.of("x", 1));

  /** Called by reflection. */
  public static void run(String directory, boolean encrypted) throws Exception {
    Path path = Path.of(directory);
    Encryption encryption = encryption(path);
    UnaryOperator<RockpoolBuilder> options = it -> encrypted ? it.encryption(encryption) : it;
    RockpoolBuilder builder =
        options.apply(Rockpool.at(path.resolve("store")).diskBudgetBytes(1L << 30));
    try (Rockpool pool = builder.open()) {
      structures(pool);
      caches(pool);
      writeBehind(pool);
      queues(pool);
      changes(pool);
      transactions(pool);
      if (encrypted) {
        pool.rotateKeys();
      }
      backups(pool, path, options);
      try (Rockpool copy = builder.openCopy()) {
        same(BOOK, copy.map("map", String.class, Object.class).get("a"));
      }
      same(true, pool.verify().isClean());
      Object unused = pool.reclaim();
    }
  }

  private static Encryption encryption(Path path) throws IOException {
    Path keys = path.resolve("master.keys");
    if (!Files.exists(keys)) {
      Files.write(keys, List.of(KeyProviders.newKey("2026")), UTF_8);
    }
    return Encryption.with(KeyProviders.file(keys)).hidingKeys("hidden");
  }

  private static void structures(Rockpool pool) {
    PersistentMap<String, Object> map = pool.map("map", String.class, Object.class);
    map.put("a", BOOK);
    same(BOOK, map.get("a"));
    PersistentMap<String, Book> hidden = pool.map("hidden/map", String.class, Book.class);
    hidden.put("a", BOOK);
    same(BOOK, hidden.get("a"));
    PersistentMap<String, Book> java =
        pool.map(
            "java",
            String.class,
            Book.class,
            o -> o.codecs(Codecs.builder().fallback(Fallback.JAVA_SERIALIZATION).build()));
    java.put("a", BOOK);
    same(BOOK, java.get("a"));
    pool.map("kept", String.class, Long.class).put("k", 1L, LONG);
  }

  private static void caches(Rockpool pool) throws Exception {
    PersistentCache<String, Book> cache =
        pool.cache(
            "cache",
            String.class,
            Book.class,
            o -> o.expiry(CacheExpiry.afterAccess(LONG)).refreshLoader(key -> BOOK));
    cache.put("a", BOOK);
    same(BOOK, cache.get("b", key -> BOOK));
    same(BOOK, cache.refresh("a").get(30, TimeUnit.SECONDS));
    CountDownLatch expired = new CountDownLatch(1);
    cache.onExpired((key, value) -> expired.countDown());
    cache.put("c", BOOK, Duration.ofMillis(1));
    while (!expired.await(10, TimeUnit.MILLISECONDS)) {
      Object unused = pool.reclaim(); // scans now
    }
  }

  /** A database. */
  private record Target(CountDownLatch written) implements BatchWriter<String, Book> {
    @Override
    public void writeAll(Map<String, Book> entries) {
      written.countDown();
    }

    @Override
    public void deleteAll(Set<String> keys) {
      throw new UnsupportedOperationException();
    }
  }

  private static void writeBehind(Rockpool pool) throws InterruptedException {
    CountDownLatch written = new CountDownLatch(1);
    pool.cache(
            "behind",
            TypeRef.of(String.class),
            TypeRef.of(Book.class),
            o -> o.writeBehind(new Target(written), WriteBehindOptions.defaults()))
        .put("a", BOOK);
    await(written);
  }

  private static void queues(Rockpool pool) throws InterruptedException {
    PersistentQueue<Book> queue = pool.queue("queue", Book.class);
    queue.send(BOOK);
    handle(queue);
    PersistentQueue<Book> firings =
        pool.timer("timer", Schedule.rate(Duration.ofMillis(1)), TypeRef.of(Book.class)).firings();
    pool.timer("timer", Schedule.rate(Duration.ofMillis(1)), TypeRef.of(Book.class)).start(BOOK);
    handle(firings);
  }

  private static void handle(PersistentQueue<Book> queue) throws InterruptedException {
    CountDownLatch handled = new CountDownLatch(1);
    try (QueueListener<Book> listener =
        QueueListener.on(
                queue,
                delivery -> {
                  same(BOOK, delivery.message());
                  handled.countDown();
                })
            .start()) {
      await(handled);
    }
  }

  private static void changes(Rockpool pool) throws InterruptedException {
    pool.map("fed", String.class, Book.class, o -> o.changes(ChangeOptions.keep(LONG)))
        .put("a", BOOK);
    CountDownLatch seen = new CountDownLatch(1);
    pool.changes("fed", String.class, Book.class)
        .publisher(ChangeFeed.OLDEST)
        .subscribe(
            new Flow.Subscriber<>() {
              @Override
              public void onSubscribe(Flow.Subscription subscription) {
                subscription.request(1);
              }

              @Override
              public void onNext(ChangeEvent<String, Book> event) {
                same(BOOK, event.value());
                seen.countDown();
              }

              @Override
              public void onError(Throwable throwable) {}

              @Override
              public void onComplete() {}
            });
    await(seen);
  }

  private static void transactions(Rockpool pool) {
    PersistentSortedMap<Integer, Book> sorted = pool.sortedMap("sorted", Integer.class, Book.class);
    sorted.put(1, BOOK);
    pool.atomically(tx -> sorted.put(2, BOOK));
    same(BOOK, sorted.lastEntry().getValue());
    same(BOOK, pool.atomically(tx -> pool.<Book>once("key", LONG, own -> BOOK)));
  }

  private static void backups(Rockpool pool, Path path, UnaryOperator<RockpoolBuilder> options)
      throws IOException {
    DirectoryTarget target = DirectoryTarget.at(path.resolve("backups"));
    Object unused = pool.backups().make(target, BackupOptions.defaults().keep(1));
    try (Shipping shipping = pool.backups().ship(target, ShippingOptions.defaults())) {
      shipping.ship();
    }
    try (Rockpool opened = StoreBackups.open(target, options)) {
      same(BOOK, opened.map("map", String.class, Object.class).get("a"));
    }
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("It does not come.");
    }
  }

  private static void same(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new IllegalStateException("Found " + found);
    }
  }
}
