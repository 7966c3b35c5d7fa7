package io.rockpool.quarkus.internal.deployment;

import io.quarkus.cache.CacheInvalidate;
import io.quarkus.cache.CacheInvalidateAll;
import io.quarkus.cache.CacheKey;
import io.quarkus.cache.CacheKeyGenerator;
import io.quarkus.cache.CacheResult;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.ApplicationScoped;
import java.lang.reflect.Method;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A bean with each annotation, for each kind of method. */
@ApplicationScoped
class Library {
  record Book(String isbn, String title, List<String> authors) {}

  record Shelf(String room, int number) {}

  /** The key is the first parameter in capital letters. */
  public static final class Capitals implements CacheKeyGenerator {
    public Capitals() {}

    @Override
    public Object generate(Method method, Object... parameters) {
      return ((String) parameters[0]).toUpperCase(Locale.ROOT);
    }
  }

  private final AtomicInteger calls = new AtomicInteger();

  /** What a load waits for. */
  private volatile CountDownLatch gate = new CountDownLatch(0);

  /** How often a method ran since the last call of this. */
  int calls() {
    return calls.getAndSet(0);
  }

  /** Lets loads of {@link #slow} wait. */
  CountDownLatch shut() {
    gate = new CountDownLatch(1);
    return gate;
  }

  static Book book(String isbn) {
    return new Book(isbn, "Title of " + isbn, List.of("Ann", "Bob"));
  }

  private Book load(String isbn) {
    calls.incrementAndGet();
    if (isbn.equals("bad")) {
      throw new IllegalStateException("no such book");
    }
    return book(isbn);
  }

  @CacheResult(cacheName = "books")
  @Nullable Book find(String isbn) {
    Book found = load(isbn);
    return isbn.isEmpty() ? null : found;
  }

  @CacheInvalidate(cacheName = "books")
  void remove(String isbn) {}

  @CacheInvalidate(cacheName = "books")
  Uni<Integer> removeLater(String isbn) {
    return Uni.createFrom().item(1);
  }

  @CacheInvalidate(cacheName = "books")
  CompletableFuture<Integer> removeFuture(String isbn) {
    return CompletableFuture.completedFuture(1);
  }

  @CacheInvalidateAll(cacheName = "books")
  void removeAll() {}

  @CacheInvalidateAll(cacheName = "books")
  Uni<Integer> removeAllLater() {
    return Uni.createFrom().item(1);
  }

  @CacheInvalidateAll(cacheName = "books")
  CompletableFuture<Integer> removeAllFuture() {
    return CompletableFuture.completedFuture(1);
  }

  @CacheInvalidate(cacheName = "books")
  @CacheInvalidate(cacheName = "others")
  void removeFromBoth(String isbn) {}

  @CacheResult(cacheName = "others")
  Book other(String isbn) {
    return load(isbn);
  }

  @CacheResult(cacheName = "optional")
  Optional<Book> optional(String isbn) {
    Book found = load(isbn);
    return isbn.isEmpty() ? Optional.empty() : Optional.of(found);
  }

  @CacheResult(cacheName = "prices")
  int price(String isbn, String @Nullable [] coupons, int year) {
    return load(isbn).isbn().length() + (coupons == null ? 0 : coupons.length) + year;
  }

  @CacheInvalidate(cacheName = "prices")
  void removePrice(String isbn, String @Nullable [] coupons, int year) {}

  @CacheResult(cacheName = "first")
  Book first(@CacheKey String isbn, String ignored) {
    return load(isbn);
  }

  @CacheResult(cacheName = "capitals", keyGenerator = Capitals.class)
  Book capitals(String isbn) {
    return load(isbn);
  }

  @CacheResult(cacheName = "counts")
  long count() {
    return calls.incrementAndGet();
  }

  @CacheInvalidate(cacheName = "counts")
  void removeCount() {}

  @CacheResult(cacheName = "lists")
  List<Book> all(String author) {
    return new ArrayList<>(List.of(load(author + 1), book(author + 2)));
  }

  @CacheResult(cacheName = "uuids")
  Book byUuid(UUID key) {
    return load(key.toString());
  }

  @CacheResult(cacheName = "enums")
  Book byDay(DayOfWeek key) {
    return load(key.toString());
  }

  @CacheResult(cacheName = "records")
  Book byRecord(Shelf key) {
    return load(key.toString());
  }

  @CacheResult(cacheName = "arrays")
  Book byArray(byte[] key) {
    return load("" + key.length);
  }

  @CacheResult(cacheName = "longs")
  Book byLong(long key) {
    return load("" + key);
  }

  @CacheResult(cacheName = "unis")
  Uni<Book> uni(String isbn) {
    return Uni.createFrom().item(() -> isbn.isEmpty() ? none() : load(isbn));
  }

  private @Nullable Book none() {
    calls.incrementAndGet();
    return null;
  }

  @CacheResult(cacheName = "stages")
  CompletionStage<Book> stage(String isbn) {
    return CompletableFuture.supplyAsync(() -> isbn.isEmpty() ? none() : load(isbn));
  }

  @CacheResult(cacheName = "futures")
  CompletableFuture<Book> future(String isbn) {
    return CompletableFuture.completedFuture(isbn.isEmpty() ? none() : load(isbn));
  }

  @CacheResult(cacheName = "slow")
  Book slow(String isbn) throws InterruptedException {
    Book found = load(isbn);
    gate.await();
    return found;
  }

  @CacheResult(cacheName = "slow", lockTimeout = 50)
  Book impatient(String isbn) {
    return load(isbn);
  }

  @CacheResult(cacheName = "slow-unis")
  Uni<Book> slowUni(String isbn) {
    CountDownLatch opens = gate;
    return Uni.createFrom()
        .item(
            () -> {
              Book found = load(isbn);
              try {
                opens.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return found;
            })
        .runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
  }

  @CacheResult(cacheName = "brief")
  Book brief(String isbn) {
    return load(isbn);
  }

  /** In memory, by the configuration. */
  @CacheResult(cacheName = "memory")
  Book inMemory(String isbn) {
    return load(isbn);
  }
}
