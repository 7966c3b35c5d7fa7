package io.rockpool.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An application with Hibernate whose entities change between two starts. No read returns an
 * attribute that is not that of the database, and no call fails, with and without the module.
 */
@Slow
final class RedeployTest {
  private static final int ROUNDS = 5;

  private static final String BOOK =
      """
      @Entity(name = "Book") @Cacheable @NaturalIdCache
      @Cache(usage = CacheConcurrencyStrategy.%s)
      public class Book {
        @Id public Long id;
        @NaturalId @Column(name = "isbn") public String isbn;
        %s
        @ElementCollection @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
        public List<Note> notes = new ArrayList<>();
        public Book() {}
        @Override public String toString() { return %s + notes; }
        public void fill(long number) {
          id = number;
          isbn = "isbn-" + number;
          notes.add(new Note());
          %s
        }
        public void change(int round) { %s; }
      }
      """;

  private static final String NOTE =
      """
      @Embeddable
      public class Note {
        %s
        @Override public String toString() { return %s; }
      }
      """;
  private static final String PLAIN_NOTE =
      NOTE.formatted(
          "@Column(name = \"x\") String first = \"x1\"; @Column(name = \"y\") String second = \"y1\";",
          "first + second");

  private static final String SHOWN = "author + '|' + title + '|' + pages + '|'";
  private static final String FILLED = "author = \"A\"; title = \"T\"; pages = 7;";

  /** The same class, with other names of attributes. */
  private static String book(String strategy, String attributes, String shown, String filled) {
    String changed =
        filled.contains("heading") ? "heading = \"T\" + round" : "title = \"T\" + round";
    return BOOK.formatted(strategy, attributes, shown, filled, changed);
  }

  private static final String ATTRIBUTES =
      """
      @Column(name = "a") public String author;
      @Column(name = "t") public String title;
      @Column(name = "p") public Integer pages;
      """;

  /** What changes, as the attributes, the text and the values of the second version. */
  private enum Change {
    NOTHING(ATTRIBUTES, SHOWN, FILLED, PLAIN_NOTE),
    RENAMED(
        ATTRIBUTES.replace("author", "writer"),
        SHOWN.replace("author", "writer"),
        FILLED.replace("author", "writer"),
        PLAIN_NOTE),
    EXCHANGED(
        ATTRIBUTES
            .replace("author", "x")
            .replace("title", "author")
            .replace("x;", "heading;")
            .replace("author;", "aside;"),
        "heading + '|' + aside + '|' + pages + '|'",
        "heading = \"A\"; aside = \"T\"; pages = 7;",
        PLAIN_NOTE),
    ADDED(ATTRIBUTES + "@Column(name = \"b\") public String bonus;", SHOWN, FILLED, PLAIN_NOTE),
    REMOVED(
        "@Column(name = \"a\") public String author; @Column(name = \"t\") public String title;",
        "author + '|' + title + '|' + 7 + '|'",
        "author = \"A\"; title = \"T\";",
        PLAIN_NOTE),
    RETYPED(ATTRIBUTES.replace("Integer", "Long"), SHOWN, FILLED.replace("7", "7L"), PLAIN_NOTE),
    EMBEDDED(
        ATTRIBUTES,
        SHOWN,
        FILLED,
        NOTE.formatted(
            "@Column(name = \"x\") String second = \"x1\"; @Column(name = \"y\") String first = \"y1\";",
            "second + first"));

    final String attributes;
    final String shown;
    final String filled;
    final String note;

    Change(String attributes, String shown, String filled, String note) {
      this.attributes = attributes;
      this.shown = shown;
      this.filled = filled;
      this.note = note;
    }

    Map<String, String> sources(String strategy) {
      return Map.of("Book", book(strategy, attributes, shown, filled), "Note", note);
    }
  }

  @TempDir Path directory;

  static Stream<Arguments> changes() {
    return Stream.of("jcache", "rockpool")
        .flatMap(
            regions ->
                Stream.of("READ_WRITE", "NONSTRICT_READ_WRITE")
                    .flatMap(
                        strategy ->
                            Stream.of(Change.values())
                                .map(it -> Arguments.of(regions, strategy, it))));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void noAttributeIsThatOfAnother(String regions, String strategy, Change change) throws Exception {
    Map<Boolean, Deployment> versions = new LinkedHashMap<>();
    versions.put(false, new Deployment(Change.NOTHING.sources(strategy), directory, regions));
    versions.put(true, new Deployment(change.sources(strategy), directory, regions));
    for (int round = 0; round < ROUNDS; round++) {
      int number = round;
      for (boolean second : List.of(false, true)) {
        String problem =
            versions.get(second).run(List.of("Book"), factory -> use(factory, number, second));
        assertThat(problem).as("round %s, second version: %s", number, second).isEmpty();
      }
    }
  }

  /** Uses a book as an application does; returns what is wrong. */
  private static String use(SessionFactory factory, int round, boolean second) {
    Class<?> type = factory.getMetamodel().getEntities().iterator().next().getJavaType();
    if (factory.fromTransaction(session -> session.find(type, 1L) == null)) {
      factory.inTransaction(session -> session.persist(created(type)));
    }
    StringBuilder wrong = new StringBuilder();
    for (int read = 0; read < 3; read++) {
      wrong.append(compare(factory, type));
    }
    if (round % 2 == 1 && !second) { // so that an entry of either version is read by the other
      factory.inTransaction(session -> change(session.find(type, 1L), round));
      wrong.append(compare(factory, type));
    }
    return wrong.toString();
  }

  @SuppressWarnings("deprecation") // as most programs load by natural identifiers
  private static String compare(SessionFactory factory, Class<?> type) {
    return factory.fromTransaction(
        session -> {
          Object[] row =
              session
                  .createNativeQuery("select a, t, p from Book where id = 1", Object[].class)
                  .getSingleResult();
          String expected = row[0] + "|" + row[1] + "|" + row[2] + "|[x1y1]";
          List<?> queried =
              session
                  .createQuery("from Book where isbn = 'isbn-1'", type)
                  .setCacheable(true)
                  .list();
          List<?> values =
              session.createQuery("select b from Book b", type).setCacheable(true).list();
          session.clear();
          Object natural = session.bySimpleNaturalId(type).load("isbn-1");
          return differences(expected, find(session, type), queried.get(0), values.get(0), natural);
        });
  }

  private static Object find(Session session, Class<?> type) {
    session.clear();
    return session.find(type, 1L);
  }

  private static String differences(String expected, Object... found) {
    StringBuilder wrong = new StringBuilder();
    for (Object book : found) {
      String shown;
      try {
        shown = String.valueOf(book);
      } catch (org.hibernate.LazyInitializationException e) {
        continue; // detached by clear(); its attributes are those of the entry
      }
      if (!shown.equals(expected)) {
        wrong.append(shown).append(" is not ").append(expected).append("; ");
      }
    }
    return wrong.toString();
  }

  private static Object created(Class<?> type) {
    try {
      Object book = type.getConstructor().newInstance();
      type.getMethod("fill", long.class).invoke(book, 1L);
      return book;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a class of the test", e);
    }
  }

  private static void change(Object book, int round) {
    try {
      book.getClass().getMethod("change", int.class).invoke(book, round);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a class of the test", e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jcache", "rockpool"})
  void anUnchangedApplicationStartsWarm(String regions) throws Exception {
    Map<String, String> sources = Change.NOTHING.sources("READ_WRITE");
    Deployment first = new Deployment(sources, directory, regions);
    first.run(List.of("Book"), factory -> use(factory, 0, false));
    Deployment same = new Deployment(sources, directory, regions);
    long statements =
        same.run(
            List.of("Book"),
            factory -> {
              Class<?> type = factory.getMetamodel().getEntities().iterator().next().getJavaType();
              factory.inTransaction(
                  session -> {
                    assertThat(session.find(type, 1L)).hasToString("A|T|7|[x1y1]");
                    if (regions.equals("rockpool")) {
                      assertThat(
                              session
                                  .createQuery("select b from Book b", type)
                                  .setCacheable(true)
                                  .list())
                          .hasSize(1);
                    }
                  });
              return factory.getStatistics().getPrepareStatementCount();
            });
    assertThat(statements).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jcache", "rockpool"})
  void anEntityThatCannotBeCachedFailsNoCall(String regions) throws Exception {
    String site =
        """
        @Entity(name = "Site") @Cacheable @Cache(usage = CacheConcurrencyStrategy.%s)
        public class Site {
          @Id public Long id;
          public java.net.URL address;
          public Class<?> type;
          @Column(length = 1_000_000) public IllegalStateException failure;
          @Column(length = 10_000) public Thing thing;
          public Site() {}
          public void fill(long number) throws Exception {
            id = number;
            address = new java.net.URL("http://localhost/");
            type = String.class;
            failure = new IllegalStateException("no", new RuntimeException("cause"));
            thing = new Thing();
          }
          @Override public String toString() { return address + "|" + type + "|" + failure; }
        }
        """;
    for (String strategy : List.of("READ_WRITE", "NONSTRICT_READ_WRITE")) {
      Deployment deployment =
          new Deployment(
              Map.of(
                  "Site",
                  site.formatted(strategy),
                  "Thing",
                  "public class Thing implements java.io.Serializable {\n"
                      + "  public ClassLoader loader;\n"
                      + "  public java.net.URL url;\n"
                      + "  public Thing() throws Exception {"
                      + " url = new java.net.URL(\"http://localhost/\"); }\n"
                      + "}\n"),
              java.nio.file.Files.createTempDirectory(directory, "site"),
              regions);
      for (int round = 0; round < 2; round++) {
        deployment.run(
            List.of("Site"),
            factory -> {
              Class<?> type = factory.getMetamodel().getEntities().iterator().next().getJavaType();
              if (factory.fromTransaction(session -> session.find(type, 1L) == null)) {
                factory.inTransaction(session -> session.persist(created(type)));
              }
              for (int read = 0; read < 3; read++) {
                assertThat(
                        factory.<String>fromTransaction(
                            session -> String.valueOf(session.find(type, 1L))))
                    .startsWith("http://localhost/|class java.lang.String|java.lang.Ill");
              }
              return "";
            });
      }
    }
  }
}
