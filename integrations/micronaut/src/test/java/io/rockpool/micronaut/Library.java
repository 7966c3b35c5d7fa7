package io.rockpool.micronaut;

import io.micronaut.cache.annotation.CacheConfig;
import io.micronaut.cache.annotation.CacheInvalidate;
import io.micronaut.cache.annotation.CachePut;
import io.micronaut.cache.annotation.Cacheable;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** A bean with each annotation, for each kind of method. */
@Singleton
@CacheConfig("books")
class Library {
  record Book(String isbn, String title, List<String> authors) {}

  /** How often a method ran. */
  final AtomicInteger calls = new AtomicInteger();

  /** What a load waits for. */
  CountDownLatch gate = new CountDownLatch(0);

  private final ConcurrentHashMap<String, Book> database = new ConcurrentHashMap<>();

  static Book book(String isbn) {
    return new Book(isbn, "Title of " + isbn, List.of("Ann", "Bob"));
  }

  @Cacheable
  public @Nullable Book find(String isbn) {
    calls.incrementAndGet();
    return isbn.isEmpty() ? null : database.getOrDefault(isbn, book(isbn));
  }

  @CachePut(parameters = "isbn")
  public Book save(String isbn, String title) {
    Book saved = new Book(isbn, title, List.of());
    database.put(isbn, saved);
    return saved;
  }

  @CacheInvalidate
  public void remove(String isbn) {
    database.remove(isbn);
  }

  @CacheInvalidate(all = true)
  public void removeAll() {
    database.clear();
  }

  @Cacheable(cacheNames = "once", atomic = true)
  public @Nullable Book findOnce(String isbn) throws InterruptedException {
    calls.incrementAndGet();
    gate.await();
    if (isbn.equals("bad")) {
      throw new IllegalStateException("no such book");
    }
    return isbn.isEmpty() ? null : book(isbn);
  }

  @Cacheable(cacheNames = "optional")
  public Optional<Book> findOptional(String isbn) {
    calls.incrementAndGet();
    return isbn.isEmpty() ? Optional.empty() : Optional.of(book(isbn));
  }

  @Cacheable(cacheNames = "optional-once", atomic = true)
  public Optional<Book> findOptionalOnce(String isbn) throws InterruptedException {
    calls.incrementAndGet();
    gate.await();
    return isbn.isEmpty() ? Optional.empty() : Optional.of(book(isbn));
  }

  @Cacheable("prices")
  public int price(String isbn, @Nullable String[] coupons, int year) {
    calls.incrementAndGet();
    return isbn.length() + (coupons == null ? 0 : coupons.length) + year;
  }

  @Cacheable("counts")
  public long count() {
    return calls.incrementAndGet();
  }

  @Cacheable("lists")
  public List<Book> all(String author) {
    calls.incrementAndGet();
    return new ArrayList<>(List.of(book(author + 1), book(author + 2)));
  }

  @Cacheable("futures")
  public CompletableFuture<Book> later(String isbn) {
    calls.incrementAndGet();
    return CompletableFuture.completedFuture(book(isbn));
  }

  @Cacheable("monos")
  public Mono<Book> mono(String isbn) {
    return Mono.fromSupplier(
        () -> {
          calls.incrementAndGet();
          return book(isbn);
        });
  }

  @Cacheable("mono-lists")
  public Mono<List<Book>> monoOfList(String author) {
    return Mono.fromSupplier(
        () -> {
          calls.incrementAndGet();
          return List.of(book(author + 1), book(author + 2));
        });
  }

  @Cacheable("brief")
  public Book brief(String isbn) {
    calls.incrementAndGet();
    return book(isbn);
  }
}
