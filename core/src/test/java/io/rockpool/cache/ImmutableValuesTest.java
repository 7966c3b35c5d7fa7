package io.rockpool.cache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codecs;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Values of a cache of objects: the hot tier shares those that are immutable, and copies others.
 */
@Slow
class ImmutableValuesTest {
  @TempDir Path directory;

  record Quote(String text, LocalDate day, long number) {}

  record Basket(List<String> items) {}

  record Value(Object of, boolean shared, Supplier<Object> make) {
    @Override
    public String toString() {
      return of.toString();
    }
  }

  private static Value shared(Supplier<Object> make) {
    return new Value(make.get(), true, make);
  }

  private static Value copied(String name, Supplier<Object> make) {
    return new Value(name, false, make);
  }

  @SuppressWarnings("JavaUtilDate") // which can be changed
  static Stream<Arguments> cases() {
    List<Value> values =
        List.of(
            shared(() -> new Quote("to be", LocalDate.EPOCH, 1L << 40)),
            shared(() -> "text".repeat(3)),
            shared(() -> 1L << 50),
            shared(() -> LocalDate.of(2026, 1, 2)),
            copied("a record of a list", () -> new Basket(new ArrayList<>(List.of("pear")))),
            copied("a list", () -> new ArrayList<>(List.of("pear"))),
            copied("a date", () -> new Date(5)),
            copied("an array", () -> new byte[] {1, 2}));
    List<UnaryOperator<CacheOptions<String, Object>>> options =
        List.of(
            o -> o,
            o -> o.hotBytes(1 << 20),
            o -> o.expiry(CacheExpiry.afterWrite(Duration.ofHours(1))),
            o -> o.expiry(CacheExpiry.afterAccess(Duration.ofHours(1))));
    return values.stream()
        .flatMap(
            value ->
                options.stream().map(each -> Arguments.of(value, options.indexOf(each), each)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("cases")
  void hitsShareWhatIsImmutable(
      Value value, int number, UnaryOperator<CacheOptions<String, Object>> options) {
    Object mine = value.make.get();
    withCache(
        options,
        cache -> {
          cache.put("put", mine);
          assertHits(cache, "put", value, mine);
          Object loaded = cache.get("loaded", key -> value.make.get());
          assertHits(cache, "loaded", value, loaded);
        });
    withCache(
        options,
        cache -> {
          Objects.requireNonNull(cache.warmRestart).broughtBack.orTimeout(30, SECONDS).join();
          Object warm = cache.get("put");
          assertHits(cache, "put", value, warm);
          cache.get("loaded");
        });
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("cases")
  void whatWasReadFromDiskIsSharedToo(
      Value value, int number, UnaryOperator<CacheOptions<String, Object>> options) {
    UnaryOperator<CacheOptions<String, Object>> cold = o -> options.apply(o).warmRestart(false);
    withCache(
        cold,
        cache -> {
          cache.put("a", value.make.get());
          cache.put("b", value.make.get());
        });
    withCache(
        cold,
        cache -> {
          assertHits(cache, "a", value, cache.get("a"));
          assertHits(cache, "b", value, cache.getAll(List.of("a", "b")).get("b"));
          assertThat(cache.statistics().diskHits()).isEqualTo(2);
        });
  }

  private static void assertHits(
      PersistentCache<String, Object> cache, String key, Value value, Object first) {
    assertThat(first).usingRecursiveComparison().isEqualTo(value.make.get());
    for (int i = 0; i < 3; i++) {
      Object hit = cache.get(key);
      assertThat(hit).usingRecursiveComparison().isEqualTo(value.make.get());
      assertThat(hit == first).isEqualTo(value.shared);
    }
  }

  private void withCache(
      UnaryOperator<CacheOptions<String, Object>> options,
      Consumer<PersistentCache<String, Object>> work) {
    Codecs codecs = Codecs.builder().allow(Quote.class, Basket.class).build();
    try (Rockpool pool = Rockpool.at(directory).codecs(codecs).open()) {
      work.accept(
          pool.cache(
              "values",
              String.class,
              Object.class,
              o -> options.apply(CacheOptions.<String, Object>defaults().hotEntries(100))));
    }
  }
}
