package io.rockpool.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.testing.DocumentExamples;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.inject.Inject;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.cache.CacheManager;
import javax.cache.annotation.CacheDefaults;
import javax.cache.annotation.CacheKey;
import javax.cache.annotation.CacheKeyGenerator;
import javax.cache.annotation.CacheKeyInvocationContext;
import javax.cache.annotation.CachePut;
import javax.cache.annotation.CacheRemove;
import javax.cache.annotation.CacheRemoveAll;
import javax.cache.annotation.CacheResult;
import javax.cache.annotation.CacheValue;
import javax.cache.annotation.GeneratedCacheKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The annotations on beans of Weld, over restarts. */
final class CacheAnnotationsTest {
  record Book(String isbn, String title) {}

  enum Language {
    PT,
    EN
  }

  record OneKey(String key) implements GeneratedCacheKey {
    private static final long serialVersionUID = 1L;
  }

  /** A generator that is a bean. */
  @ApplicationScoped
  static class OneKeyForAll implements CacheKeyGenerator {
    @Override
    public GeneratedCacheKey generateCacheKey(
        CacheKeyInvocationContext<? extends Annotation> call) {
      return new OneKey(call.getMethod().getName());
    }
  }

  @ApplicationScoped
  static class Calls {
    private final List<String> all = new ArrayList<>();

    List<String> all() {
      return all;
    }
  }

  @ApplicationScoped
  @CacheDefaults(cacheName = "books")
  static class Books {
    @Inject Calls calls;

    private Book read(String isbn) {
      calls.all().add(isbn);
      if (isbn.isEmpty()) {
        throw new IllegalArgumentException("no isbn");
      }
      return new Book(isbn, "Title " + calls.all().size());
    }

    @CacheResult
    public Book find(String isbn) {
      return read(isbn);
    }

    @CacheResult(skipGet = true)
    public Book findAgain(String isbn) {
      return read(isbn);
    }

    @CacheResult(exceptionCacheName = "failures")
    public Book findOrFail(String isbn) {
      return read(isbn);
    }

    @CacheResult
    public @Nullable Book findNone(String isbn) {
      calls.all().add(isbn);
      return null;
    }

    @CacheResult(cacheName = "keys")
    public Book findByMany(
        @CacheKey String isbn,
        @CacheKey Language language,
        @CacheKey int[] pages,
        @CacheKey @Nullable String edition,
        Object ignored) {
      return read(isbn);
    }

    @CacheResult(cacheName = "one", cacheKeyGenerator = OneKeyForAll.class)
    public Book findOne(String isbn) {
      return read(isbn);
    }

    @CachePut
    public void put(String isbn, @CacheValue Book book) {}

    @CachePut(afterInvocation = false)
    public void putBefore(String isbn, @CacheValue Book book) {
      throw new IllegalStateException("not saved");
    }

    @CacheRemove
    public void remove(String isbn) {
      if (isbn.equals("kept")) {
        throw new IllegalStateException("not removed");
      }
    }

    @CacheRemoveAll
    public void removeAll() {}
  }

  static class Documented {
    // CDI
    @ApplicationScoped
    @CacheDefaults(cacheName = "library")
    public static class Library {
      private final Map<String, Book> database = new HashMap<>();

      @CacheResult
      public Book find(String isbn) {
        return database.get(isbn);
      }

      @CachePut
      public void save(String isbn, @CacheValue Book book) {
        database.put(isbn, book);
      }

      @CacheRemove
      public void remove(String isbn) {
        database.remove(isbn);
      }
    }
    // CDI
  }

  @Dependent
  static class Manager {
    @Nullable static Path directory;

    @Produces
    @ApplicationScoped
    static CacheManager manager() throws IOException {
      return Managers.open(Objects.requireNonNull(directory));
    }
  }

  /**
   * A manager without a scope: each time that it is asked for makes another one. Not discovered.
   */
  static class UnscopedManager {
    static final List<CacheManager> made = new ArrayList<>();
    static final List<CacheManager> disposed = new ArrayList<>();

    @Produces
    static CacheManager manager() throws IOException {
      CacheManager manager = Managers.open(Objects.requireNonNull(Manager.directory));
      made.add(manager);
      return manager;
    }

    static void close(@Disposes CacheManager manager) {
      disposed.add(manager);
      manager.close();
    }
  }

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init")
  private SeContainer container;

  @SuppressWarnings("NullAway.Init")
  private Books books;

  @BeforeEach
  void start() {
    Manager.directory = directory;
    container = SeContainerInitializer.newInstance().initialize();
    books = container.select(Books.class).get();
  }

  @AfterEach
  void close() {
    container.select(CacheManager.class).get().close();
    container.close();
  }

  private void restart() {
    close();
    start();
  }

  private List<String> calls() {
    Calls calls = container.select(Calls.class).get();
    List<String> all = List.copyOf(calls.all());
    calls.all().clear();
    return all;
  }

  @Test
  void aResultIsThereAfterARestart() {
    Book first = books.find("1");
    assertThat(books.find("1")).isEqualTo(first);
    assertThat(calls()).containsExactly("1");
    restart();
    assertThat(books.find("1")).isEqualTo(first);
    assertThat(calls()).isEmpty();
    assertThat(books.findAgain("1")).isEqualTo(new Book("1", "Title 1"));
    assertThat(books.findNone("2")).isNull();
    assertThat(books.findNone("2")).isNull();
    assertThat(calls()).containsExactly("1", "2", "2");
  }

  @Test
  void putsAndRemovalsChangeTheSameEntry() {
    books.put("1", new Book("1", "Put"));
    assertThat(books.find("1").title()).isEqualTo("Put");
    assertThatThrownBy(() -> books.putBefore("2", new Book("2", "Before"))).hasMessage("not saved");
    assertThat(books.find("2").title()).isEqualTo("Before");
    books.put("kept", new Book("kept", "Kept"));
    books.remove("1");
    assertThatThrownBy(() -> books.remove("kept")).hasMessage("not removed");
    assertThat(calls()).isEmpty();
    assertThat(books.find("1").title()).isEqualTo("Title 1");
    assertThat(books.find("kept").title()).isEqualTo("Kept");
    books.removeAll();
    assertThat(books.find("2").title()).isEqualTo("Title 2");
    assertThat(calls()).containsExactly("1", "2");
  }

  @Test
  void keysAreParametersByTheirValues() {
    books.findByMany("1", Language.EN, new int[] {1, 2}, null, "a");
    restart();
    books.findByMany("1", Language.EN, new int[] {1, 2}, null, "b");
    assertThat(calls()).isEmpty();
    books.findByMany("1", Language.PT, new int[] {1, 2}, null, "a");
    books.findByMany("1", Language.EN, new int[] {1, 3}, null, "a");
    books.findByMany("1", Language.EN, new int[] {1, 2}, "2nd", "a");
    assertThat(calls()).hasSize(3);
    books.findOne("1");
    assertThat(books.findOne("2").isbn()).isEqualTo("1");
  }

  @Test
  void anExceptionIsThrownAgainFromItsCache() {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> books.findOrFail(""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no isbn");
    }
    assertThat(calls()).hasSize(1);
    restart();
    assertThatThrownBy(() -> books.findOrFail("")).hasMessage("no isbn");
    assertThat(calls()).isEmpty();
  }

  @Test
  void theExampleOfThePageRuns() {
    Book book = new Book("1", "Dune");
    container.select(Documented.Library.class).get().save("1", book);
    restart();
    Documented.Library library = container.select(Documented.Library.class).get();
    assertThat(library.find("1")).isEqualTo(book);
    library.remove("1");
    assertThat(library.find("1")).isNull();
    DocumentExamples.assertIn("docs/cdi.md", "CDI", CacheAnnotationsTest.class);
    assertThat(DocumentExamples.javadocExample(CacheAnnotationsExtension.class))
        .contains("@CacheResult(cacheName = \"books\")");
  }

  @Test
  void aCacheThatWasDestroyedIsCreatedAgain() {
    books.find("1");
    container.select(CacheManager.class).get().destroyCache("books");
    books.find("1");
    assertThat(books.find("1").title()).isEqualTo("Title 2");
  }

  @Test
  void aManagerWithoutAScopeIsMadeOnceAndAgainAfterItWasClosed() {
    close();
    UnscopedManager.made.clear();
    UnscopedManager.disposed.clear();
    try (SeContainer other =
        SeContainerInitializer.newInstance()
            .disableDiscovery()
            .addExtensions(new CacheAnnotationsExtension())
            .addBeanClasses(Books.class, Calls.class, UnscopedManager.class)
            .initialize()) {
      Books theirs = other.select(Books.class).get();
      for (int i = 0; i < 3; i++) {
        assertThat(theirs.find("1").title()).isEqualTo("Title 1");
      }
      assertThat(UnscopedManager.made).hasSize(1);
      assertThat(UnscopedManager.disposed).isEmpty();
      UnscopedManager.made.get(0).close();
      assertThat(theirs.find("1").title()).isEqualTo("Title 1");
      assertThat(UnscopedManager.made).hasSize(2);
    }
    assertThat(UnscopedManager.disposed).isEqualTo(UnscopedManager.made);
    start();
  }

  @Test
  void aMethodInATransactionMayBeTheFirstToUseACache() {
    Rockpool pool = container.select(CacheManager.class).get().unwrap(Rockpool.class);
    Book found = pool.atomically(transaction -> books.find("1"));
    assertThat(books.find("1")).isEqualTo(found);
    assertThat(calls()).containsExactly("1");
  }

  /** Methods that close their caches and throw, whose annotations use the caches after that. */
  @ApplicationScoped
  @CacheDefaults(cacheName = "closed")
  static class Closing {
    @Inject CacheManager manager;

    private Book fail() {
      manager.close();
      throw new IllegalStateException("of the method");
    }

    @CacheResult(exceptionCacheName = "failures")
    public Book find(String isbn) {
      return fail();
    }

    @CachePut(cacheFor = IllegalStateException.class)
    public void put(String isbn, @CacheValue Book book) {
      fail();
    }

    @CacheRemove(evictFor = IllegalStateException.class)
    public void remove(String isbn) {
      fail();
    }

    @CacheRemoveAll(evictFor = IllegalStateException.class)
    public void removeAll() {
      fail();
    }
  }

  static Stream<Arguments> closing() {
    return Stream.of(
            Map.<String, Consumer<Closing>>entry("result", it -> it.find("1")),
            Map.<String, Consumer<Closing>>entry("put", it -> it.put("1", new Book("1", "A"))),
            Map.<String, Consumer<Closing>>entry("remove", it -> it.remove("1")),
            Map.<String, Consumer<Closing>>entry("remove all", Closing::removeAll))
        .map(call -> Arguments.of(call.getKey(), call.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("closing")
  void anErrorOfTheCacheDoesNotHideThatOfTheMethod(String name, Consumer<Closing> call) {
    Closing closing = container.select(Closing.class).get();
    assertThatThrownBy(() -> call.accept(closing))
        .hasMessage("of the method")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
  }
}
