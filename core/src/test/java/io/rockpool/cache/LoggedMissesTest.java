package io.rockpool.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.Fallback;
import io.rockpool.codec.OrderedCodec;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.testing.SourceLoader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A cache whose codec cannot read the stored values, for each way to set its codec: the values are
 * misses, and the log has one line about it.
 */
class LoggedMissesTest {
  private static final SourceLoader BEFORE =
      new SourceLoader(
          "public record Main(String id) implements Serializable {"
              + " public static Object make() { return new Main(\"o\"); } }");
  private static final SourceLoader AFTER =
      new SourceLoader("public record Main(int id) implements Serializable {}");

  /** A codec of the application's, once without an order and once with one. */
  private static class Own implements Codec<Object> {
    private final Supplier<@Nullable Object> read;

    Own(Supplier<@Nullable Object> read) {
      this.read = read;
    }

    @Override
    public String id() {
      return "own";
    }

    @Override
    public byte[] encode(Object value) {
      return new byte[5];
    }

    @Override
    @SuppressWarnings("NullAway") // as an application's may
    public Object decode(byte[] bytes, int offset, int length) {
      return read.get();
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  private static final class Sorted extends Own implements OrderedCodec<Object> {
    Sorted(Supplier<@Nullable Object> read) {
      super(read);
    }

    @Override
    public int compare(Object a, Object b) {
      return 0;
    }
  }

  /** What a codec does with bytes that it no longer knows, by what the line says of it. */
  private static final Map<String, Supplier<@Nullable Object>> READS =
      Map.of(
          "app.Main has other bytes",
          () -> {
            throw new UndecodableValueException("app.Main has other bytes.", null);
          },
          "threw java.lang.IllegalStateException",
          () -> {
            throw new IllegalStateException("secret");
          },
          "returned null",
          () -> null);

  /** What a store and its cache are opened with. */
  private record Deploy(Codecs codecs, @Nullable Codec<Object> option) {
    static Deploy option(Codec<Object> codec) {
      return new Deploy(Codecs.defaults(), codec);
    }

    static Deploy fallback(Fallback fallback) {
      return new Deploy(Codecs.builder().classLoader(BEFORE).fallback(fallback).build(), null);
    }

    PersistentCache<String, Object> cache(Rockpool pool) {
      return pool.cache(
          "c",
          String.class,
          Object.class,
          o -> option == null ? o.warmRestart(false) : o.warmRestart(false).valueCodec(option));
    }
  }

  /**
   * @param said a part of the line
   */
  private record Row(String name, Deploy before, Deploy after, String said) {}

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    READS.forEach(
        (said, read) -> {
          for (Codec<Object> codec : List.of(new Own(read), new Sorted(read))) {
            rows.add(row(codec.getClass().getSimpleName() + ' ' + said, codec, codec, said));
          }
        });
    for (Fallback fallback : Fallback.values()) {
      rows.add(
          row("option " + fallback, BEFORE.codec(fallback), AFTER.codec(fallback), "app.Main"));
      Fallback other = fallback == Fallback.FORY ? Fallback.JAVA_SERIALIZATION : Fallback.FORY;
      rows.add(
          new Row(
              "instead of " + fallback,
              Deploy.fallback(fallback),
              Deploy.fallback(other),
              "The value is written by"));
    }
    return rows;
  }

  private static Row row(String name, Codec<Object> before, Codec<Object> after, String said) {
    return new Row(name, Deploy.option(before), Deploy.option(after), said);
  }

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream errors = System.err;

  @BeforeEach
  void captureLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void releaseLog() {
    System.setErr(errors);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void oneLineSaysThatTheyAreMisses(Row row, @TempDir Path directory) {
    try (Rockpool pool = Rockpool.at(directory).codecs(row.before.codecs).open()) {
      PersistentCache<String, Object> cache = row.before.cache(pool);
      cache.put("k", BEFORE.make());
      cache.put("l", BEFORE.make());
    }
    log.reset();
    try (Rockpool pool = Rockpool.at(directory).codecs(row.after.codecs).open()) {
      PersistentCache<String, Object> cache = row.after.cache(pool);
      assertThat(cache.get("k")).isNull();
      assertThat(cache.get("l")).isNull();
      assertThat(cache.statistics().undecodable()).isEqualTo(2);
    }
    assertThat(log.toString(UTF_8).lines().filter(line -> line.contains("misses")))
        .singleElement(STRING)
        .contains("WARN", row.said)
        .doesNotContain("secret");
  }
}
