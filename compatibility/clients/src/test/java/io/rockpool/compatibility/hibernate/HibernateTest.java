package io.rockpool.compatibility.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.compatibility.Provider;
import io.rockpool.compatibility.hibernate.Library.Author;
import io.rockpool.compatibility.hibernate.Library.Book;
import io.rockpool.compatibility.hibernate.Library.Chapter;
import io.rockpool.compatibility.hibernate.Library.ChapterId;
import io.rockpool.compatibility.hibernate.Library.Country;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.hibernate.Hibernate;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Hibernate's second-level cache: entities of each concurrency strategy, collections, natural and
 * embedded identifiers, and queries. The only setting is which provider it is.
 */
final class HibernateTest {
  @TempDir Path directory;
  private SessionFactory factory;
  private Provider provider;

  private void start(Provider used) {
    provider = used;
    factory = build("");
  }

  /**
   * An application.
   *
   * @param option a part of the URI; with another one, the same store is opened apart
   */
  private SessionFactory build(String option) {
    // Hibernate's own setting for the URI knows no schemes but those of URLs.
    String uri = provider.uri(directory.resolve("store")).toString();
    if (uri.startsWith("rockpool+")) {
      System.setProperty("rockpool.uri", uri + option);
      // On a server, a process knows only the classes that it has stored itself.
      System.setProperty("rockpool.allow", "org.hibernate,io.rockpool.compatibility");
    } else {
      System.setProperty("rockpool.directory", directory.resolve("store").toString());
    }
    return new Configuration()
        .addAnnotatedClass(Country.class)
        .addAnnotatedClass(Author.class)
        .addAnnotatedClass(Book.class)
        .addAnnotatedClass(Chapter.class)
        .setProperty("hibernate.connection.url", "jdbc:h2:" + directory.resolve("database"))
        .setProperty("hibernate.hbm2ddl.auto", "update")
        .setProperty("hibernate.generate_statistics", "true")
        .setProperty("hibernate.cache.region.factory_class", "jcache")
        .setProperty("hibernate.cache.use_query_cache", "true")
        .setProperty("hibernate.javax.cache.missing_cache_strategy", "create")
        .setProperty("hibernate.javax.cache.provider", provider.className())
        .buildSessionFactory();
  }

  private void restart() {
    stop();
    start(provider);
  }

  @AfterEach
  void stop() {
    if (factory != null) {
      factory.close();
      factory = null;
    }
    provider.close();
    System.clearProperty("rockpool.uri");
    System.clearProperty("rockpool.allow");
    System.clearProperty("rockpool.directory");
  }

  private <R> R inTransaction(Function<Session, R> work) {
    return factory.fromTransaction(work);
  }

  private void fill() {
    factory.inTransaction(
        session -> {
          Country country = new Country("PT", "Portugal");
          session.persist(country);
          Author author = new Author("Fernando Pessoa", LocalDate.of(1888, 6, 13), country);
          author.aliases.addAll(List.of("Caeiro", "Reis", "Campos"));
          session.persist(author);
          for (long id = 1; id <= 3; id++) {
            Book book = new Book(id, "isbn-" + id, "Volume " + id, author);
            book.ratings.put("ann", (int) id);
            session.persist(book);
            for (int number = 1; number <= 3; number++) {
              Chapter chapter = new Chapter(book, number, "Chapter " + number);
              book.chapters.add(chapter);
            }
          }
        });
  }

  /** Reads all there is, in every way that is cached, and returns it as text. */
  @SuppressWarnings("deprecation") // as most programs load by natural identifiers
  private List<String> readAll() {
    return inTransaction(
        session -> {
          List<String> read = new ArrayList<>();
          for (long id = 1; id <= 3; id++) {
            Book book = session.find(Book.class, id);
            read.add(describe(book));
            Book same = session.bySimpleNaturalId(Book.class).load("isbn-" + id);
            assertThat(same).isSameAs(book);
            Chapter chapter = session.find(Chapter.class, new ChapterId(id, 2));
            read.add(chapter.heading + " of " + chapter.book.title);
          }
          List<Book> found =
              session
                  .createQuery("from Book where price > :least order by id", Book.class)
                  .setParameter("least", new BigDecimal("1.00"))
                  .setCacheable(true)
                  .list();
          found.forEach(book -> read.add("found " + book.isbn));
          read.add(
              "titles "
                  + session
                      .createQuery("select title, genre from Book order by id", Object[].class)
                      .setCacheable(true)
                      .setMaxResults(2)
                      .list()
                      .stream()
                      .map(List::of)
                      .toList());
          return read;
        });
  }

  private static String describe(Book book) {
    Author author = Hibernate.unproxy(book.author, Author.class);
    Country country = Hibernate.unproxy(author.country, Country.class);
    return String.join(
        "|",
        book.isbn,
        book.title,
        book.price.toString(),
        book.genre.toString(),
        new BigInteger(book.cover).toString(),
        author.name,
        author.born.toString(),
        String.valueOf(new TreeSet<>(author.aliases)),
        country.name,
        String.valueOf(book.ratings),
        String.valueOf(book.chapters.stream().map(chapter -> chapter.heading).toList()));
  }

  private long statementsOf(Runnable work) {
    long before = factory.getStatistics().getPrepareStatementCount();
    work.run();
    return factory.getStatistics().getPrepareStatementCount() - before;
  }

  @ParameterizedTest
  @EnumSource
  void theSecondRoundAsksTheDatabaseNothing(Provider used) {
    start(used);
    fill();
    List<String> first = readAll();
    assertThat(first.get(0))
        .isEqualTo(
            "isbn-1|Volume 1|9.90|POEM|66051|Fernando Pessoa|1888-06-13|[Caeiro, Campos, Reis]|Portugal|{ann=1}|[Chapter 1, Chapter 2, Chapter 3]");
    assertThat(statementsOf(() -> assertThat(readAll()).isEqualTo(first))).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void whatOneTransactionChangesTheNextReads(Provider used) {
    start(used);
    fill();
    readAll();
    factory.inTransaction(
        session -> {
          Book book = session.find(Book.class, 2L);
          book.title = "The Book of Disquiet";
          book.ratings.put("bob", 5);
          Hibernate.unproxy(book.author, Author.class).aliases.add("Soares");
        });
    assertThat(readAll().get(2)).contains("The Book of Disquiet", "bob=5", "Soares");
    factory.inTransaction(
        session -> {
          session.createMutationQuery("update Book set price = 20 where id = 1").executeUpdate();
          session.remove(session.find(Book.class, 1L).chapters.remove(2));
        });
    assertThat(readAll().get(0)).contains("|20.00|", "[Chapter 1, Chapter 2]");
    try (Session session = factory.openSession()) {
      session.beginTransaction();
      session.find(Book.class, 3L).title = "rolled back";
      session.flush();
      session.getTransaction().rollback();
    }
    assertThat(readAll().get(4)).contains("Volume 3");
  }

  @ParameterizedTest
  @EnumSource(names = {"ROCKPOOL", "REDIS", "POSTGRESQL"})
  void aRestartedApplicationAsksTheDatabaseNothing(Provider used) {
    start(used);
    fill();
    List<String> first = readAll();
    restart();
    assertThat(statementsOf(() -> assertThat(readAll()).isEqualTo(first))).isZero();
  }

  /** Each has its own manager, store and memory, as in two processes. */
  @ParameterizedTest
  @EnumSource(names = "POSTGRESQL")
  void anUpdateByAnotherApplicationIsSeen(Provider used) throws InterruptedException {
    start(used);
    fill();
    List<String> first = readAll();
    try (SessionFactory other = build("&ApplicationName=other")) {
      String there = other.fromTransaction(session -> session.find(Book.class, 2L).title);
      assertThat(there).isEqualTo("Volume 2");
      assertThat(other.getStatistics().getPrepareStatementCount()).isZero();
      for (int round = 1; round <= 5; round++) {
        String title = "Edition " + round;
        other.inTransaction(session -> session.find(Book.class, 2L).title = title);
        awaitTrue(() -> readAll().get(2).contains(title));
        BigDecimal price = new BigDecimal(round + ".00");
        factory.inTransaction(session -> session.find(Book.class, 2L).price = price);
        // Until then, an update by the other one meets an old version.
        awaitTrue(
            () ->
                other
                        .fromTransaction(session -> session.find(Book.class, 2L).price)
                        .compareTo(price)
                    == 0);
      }
    }
    assertThat(readAll().get(0)).isEqualTo(first.get(0));
  }

  private static void awaitTrue(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(5);
    }
  }
}
