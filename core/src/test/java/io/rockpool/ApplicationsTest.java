package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.change.ChangeOptions;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.Schedule;
import io.rockpool.testing.SourceLoader;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two applications in one process, each with its own class loader and its own copy of a class, open
 * one store: each gets instances of its own class, or a refusal.
 */
@Timeout(120)
public class ApplicationsTest {
  private static final Duration LONG = Duration.ofDays(1);
  private static final String SOURCE =
      "public record Main(int a) implements Serializable {"
          + " public static Object make() { return new Main(1); } }";

  private static final String EQUALS =
      " private static final long serialVersionUID = 1;"
          + " public boolean equals(Object o) { return o instanceof Main; }"
          + " public int hashCode() { return 1; }";

  private static final String SUBCLASS =
      "public class Main extends io.rockpool.ApplicationsTest.Parent {"
          + EQUALS
          + " public static Object make() { return new Main(); } }";

  private static final String EXCEPTION =
      "public class Main extends RuntimeException {"
          + EQUALS
          + " public static Object make() { return new Main(); } }";

  @TempDir Path directory;

  private interface Write {
    void write(Rockpool pool, Class<Object> type, Object value) throws Exception;
  }

  private interface Read {
    Object read(Rockpool pool, Class<Object> type) throws Exception;
  }

  @SuppressWarnings("ImmutableEnumChecker") // functions
  private enum Place {
    CACHE(
        (p, t, v) -> p.cache("c", String.class, t).put("k", v),
        (p, t) -> p.cache("c", String.class, t).get("k")),
    CACHE_WITH_OPTIONS(
        (p, t, v) -> p.cache("o", String.class, t, o -> o.hotEntries(10)).put("k", v),
        (p, t) -> p.cache("o", String.class, t, o -> o.hotEntries(10)).get("k")),
    CACHE_KEY(
        (p, t, v) -> p.cache("ck", t, String.class).put(v, "v"),
        (p, t) -> p.cache("ck", t, String.class).iterator().next().getKey()),
    CACHE_LOAD(
        (p, t, v) -> p.cache("l", String.class, t).get("k", k -> v),
        (p, t) -> p.cache("l", String.class, t).get("k", k -> "loaded")),
    MAP(
        (p, t, v) -> p.map("m", String.class, t).put("k", v),
        (p, t) -> p.map("m", String.class, t).get("k")),
    SET(
        (p, t, v) -> assertThat(p.set("s", t).add(v)).isTrue(),
        (p, t) -> p.set("s", t).iterator().next()),
    SORTED_MAP(
        (p, t, v) -> p.sortedMap("sm", Integer.class, t).put(1, v),
        (p, t) -> p.sortedMap("sm", Integer.class, t).get(1)),
    SCORED_SET(
        (p, t, v) -> assertThat(p.scoredSet("ss", t).add(v, 1)).isTrue(),
        (p, t) -> p.scoredSet("ss", t).first().orElseThrow().element()),
    TABLE(
        (p, t, v) -> p.table("t", String.class, String.class, t).put("r", "c", v),
        (p, t) -> p.table("t", String.class, String.class, t).get("r", "c")),
    VALUE((p, t, v) -> p.value("v", t).set(v), (p, t) -> p.value("v", t).get()),
    DEQUE((p, t, v) -> p.deque("d", t).addLast(v), (p, t) -> p.deque("d", t).peekFirst()),
    QUEUE(
        (p, t, v) -> sendTwo(p.queue("q", t), v),
        (p, t) -> p.queue("q", t).receive(1, Duration.ofSeconds(30)).get(0).message()),
    TIMER(
        (p, t, v) -> timer(p, t).start(v),
        (p, t) -> timer(p, t).firings().receive(1, Duration.ofSeconds(30)).get(0).message()),
    FEED(
        (p, t, v) ->
            p.map("f", String.class, t, o -> o.changes(ChangeOptions.keep(LONG))).put("k", v),
        (p, t) ->
            p.changes("f", String.class, t)
                .poll(p.changes("f", String.class, t).oldest(), 1)
                .get(0)
                .value()),
    ONCE((p, t, v) -> p.once("k", LONG, x -> v), (p, t) -> p.once("k", LONG, x -> "again"));

    private final Write write;
    private final Read read;

    Place(Write write, Read read) {
      this.write = write;
      this.read = read;
    }
  }

  /** A class that may have subclasses, of both applications. */
  public static class Envelope implements Serializable {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // each test gives something serializable
    final Object content;

    public Envelope(Object content) {
      this.content = content;
    }
  }

  /** A class without subclasses. */
  public static final class Sealed implements Serializable {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // each test gives something serializable
    final Object content;

    Sealed(Object content) {
      this.content = content;
    }
  }

  /** A record with anything. */
  public record Holder(Object content) implements Serializable {}

  /** A record that names a class that holds anything. */
  public record Deep(int number, Holder holder) implements Serializable {}

  /** A record with a list of anything. */
  public record Listed(List<Object> list) implements Serializable {}

  /** A record with any list. */
  public record AnyList(List<?> list) implements Serializable {}

  /** A record that names itself. */
  public record Chain(Chain next, Comparable<?> content) implements Serializable {}

  /** A type that both applications know and implement. */
  public interface Shape {}

  /** Some of its implementations are known, but not all. */
  public sealed interface Known permits Open {}

  /** The implementation that applications extend. */
  public static non-sealed class Open extends Envelope implements Known {
    private static final long serialVersionUID = 1;

    public Open(Object content) {
      super(content);
    }
  }

  /** A type of both applications whose values hold, or are, instances of a class of one. */
  @SuppressWarnings("ImmutableEnumChecker") // functions
  private enum Shared {
    NOT_FINAL(Envelope.class, Envelope::new, it -> ((Envelope) it).content),
    FINAL(Sealed.class, Sealed::new, it -> ((Sealed) it).content),
    RECORD(Holder.class, Holder::new, it -> ((Holder) it).content()),
    DEEP(Deep.class, it -> new Deep(1, new Holder(it)), it -> ((Deep) it).holder().content()),
    LISTED(Listed.class, it -> new Listed(List.of(it)), it -> ((Listed) it).list().get(0)),
    ANY_LIST(AnyList.class, it -> new AnyList(List.of(it)), it -> ((AnyList) it).list().get(0)),
    CHAIN(
        Chain.class,
        it -> new Chain(new Chain(null, (Comparable<?>) it), "x"),
        it -> ((Chain) it).next().content()),
    INTERFACE(Shape.class, it -> it, it -> it),
    SUBCLASS(Parent.class, it -> it, it -> it),
    SEALED(Known.class, Open::new, it -> ((Open) it).content),
    ARRAY(Object[].class, it -> new Object[] {it}, it -> ((Object[]) it)[0]),
    THROWABLE(RuntimeException.class, ApplicationsTest::thrown, it -> ((Throwable) it).getCause()),
    PROPERTIES(
        Properties.class,
        it -> {
          Properties all = new Properties();
          all.put("k", it);
          return all;
        },
        it -> ((Properties) it).get("k"));

    final Class<Object> type;
    final Function<Object, Object> wrap;
    final Function<Object, Object> unwrap;

    @SuppressWarnings("unchecked") // the functions fit
    Shared(Class<?> type, Function<Object, Object> wrap, Function<Object, Object> unwrap) {
      this.type = (Class<Object>) type;
      this.wrap = wrap;
      this.unwrap = unwrap;
    }
  }

  /** A class that applications extend. */
  public abstract static class Base implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** As {@link Base}, without a field and not abstract. */
  public static class Parent extends Base implements Shape, Comparable<Parent> {
    private static final long serialVersionUID = 1;

    @Override
    public int compareTo(Parent other) {
      return 0;
    }
  }

  private static RuntimeException thrown(Object content) {
    return new RuntimeException("t", content instanceof Throwable cause ? cause : null);
  }

  static Stream<Arguments> sharedTypes() {
    return Stream.of(Shared.values())
        .flatMap(it -> Stream.of(Place.values()).map(place -> Arguments.of(it, place)));
  }

  /** Not only what the declared type names, but what its fields and subclasses may be. */
  @ParameterizedTest
  @MethodSource("sharedTypes")
  void eachReadsItsOwnClassesInATypeOfBoth(Shared shared, Place place) throws Exception {
    String source = shared == Shared.THROWABLE ? EXCEPTION : SUBCLASS;
    try (Applications both = open(source)) {
      try {
        place.write.write(both.first, shared.type, shared.wrap.apply(both.left.make()));
      } catch (UnencodableValueException | IllegalArgumentException e) {
        // Such a type cannot be there, such as one without a form in bytes as a key.
        assertThat(e).hasMessageMatching("(.* cannot (keep|use) an? (object|value|key)|Type ).*");
        return;
      }
      assertOwn(both.right, () -> shared.unwrap.apply(place.read.read(both.second, shared.type)));
      assertOwn(both.left, () -> shared.unwrap.apply(place.read.read(both.first, shared.type)));
    }
  }

  private static void sendTwo(PersistentQueue<Object> queue, Object message) {
    queue.send(message);
    queue.send(message);
  }

  private static PersistentTimer<Object> timer(Rockpool pool, Class<Object> type) {
    return pool.timer("ti", Schedule.rate(Duration.ofMillis(1)), TypeRef.of(type));
  }

  private static <R> R in(ClassLoader loader, Supplier<R> work) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return work.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private record Applications(
      SourceLoader left, SourceLoader right, Rockpool first, Rockpool second)
      implements AutoCloseable {
    @Override
    public void close() {
      first.close();
      second.close();
    }
  }

  /** Neither sets codecs: classes are those of the context class loader. */
  private Applications open() {
    return open(SOURCE);
  }

  private Applications open(String source) {
    SourceLoader left = new SourceLoader(source);
    SourceLoader right = new SourceLoader(source);
    return new Applications(
        left,
        right,
        in(left, () -> Rockpool.open(directory)),
        in(right, () -> Rockpool.open(directory)));
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void eachReadsItsOwnClassWhereTheTypeIsDeclared(Place place) throws Exception {
    try (Applications both = open()) {
      place.write.write(both.first, both.left.main(), both.left.make());
      assertOwn(both.right, () -> place.read.read(both.second, both.right.main()));
      assertOwn(both.left, () -> place.read.read(both.first, both.left.main()));
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void eachReadsItsOwnClassWhereTheTypeIsObject(Place place) throws Exception {
    try (Applications both = open()) {
      place.write.write(both.first, Object.class, both.left.make());
      assertOwn(both.right, () -> place.read.read(both.second, Object.class));
      assertOwn(both.left, () -> place.read.read(both.first, Object.class));
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void theSecondMayOpenANameFirst(Place place) throws Exception {
    try (Applications both = open()) {
      place.write.write(both.second, Object.class, both.right.make());
      assertOwn(both.right, () -> place.read.read(both.second, Object.class));
    }
  }

  @Test
  void namesOfTypesThatNameAllClassesAreShared() {
    try (Applications both = open()) {
      assertThat(both.second.cache("c", String.class, Long.class))
          .isSameAs(both.first.cache("c", String.class, Long.class));
      assertThat(both.second.map("m", String.class, ZoneId.class))
          .isSameAs(both.first.map("m", String.class, ZoneId.class));
      assertThat(both.second.queue("q", String.class))
          .isSameAs(both.first.queue("q", String.class));
      assertThat(both.second.<String>once("k", LONG, tx -> "done")).isEqualTo("done");
      assertThat(both.first.<String>once("k", LONG, tx -> "again")).isEqualTo("done");
    }
  }

  @Test
  void aThreadWithAParentOfTheLoaderOpensTheSame() {
    SourceLoader left = new SourceLoader(SOURCE);
    try (Rockpool first = in(left, () -> Rockpool.open(directory));
        Rockpool second = in(left.getParent(), () -> Rockpool.open(directory))) {
      first.map("m", String.class, Object.class).put("k", left.make());
      assertThat(second.map("m", String.class, Object.class).get("k")).isEqualTo(left.make());
    }
  }

  private interface Reading {
    Object read() throws Exception;
  }

  /** Reads an instance of the loader's class, unless the name is open with another loader. */
  private static void assertOwn(SourceLoader loader, Reading reading) throws Exception {
    try {
      assertThat(reading.read()).isEqualTo(loader.make());
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("with classes from another class loader. Use another");
    }
  }
}
