package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.codec.TypeRef;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cache that is opened with another version is empty; see {@link CacheOptions#version}. */
@Slow
class CacheVersionTest {
  private static final TypeRef<String> TEXT = TypeRef.of(String.class);

  @TempDir Path directory;

  private void opened(Consumer<Rockpool> work) {
    try (Rockpool pool = Rockpool.at(directory).open()) {
      work.accept(pool);
    }
  }

  private static PersistentCache<String, String> cache(
      Rockpool pool, UnaryOperator<CacheOptions<String, String>> options) {
    return pool.cache("c", TEXT, TEXT, options);
  }

  private static UnaryOperator<CacheOptions<String, String>> version(String version) {
    return options -> version == null ? options : options.version(version);
  }

  private static BatchWriter<String, String> writer(Consumer<Map<String, String>> writing) {
    return new BatchWriter<>() {
      @Override
      public void writeAll(Map<String, String> entries) {
        writing.accept(entries);
      }

      @Override
      public void deleteAll(Set<String> keys) {}
    };
  }

  private static boolean flush(PersistentCache<String, String> cache) {
    try {
      return cache.writeBehind().flush(Duration.ofMinutes(1));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    ",,,true",
    "1,1,1,true",
    "1,,1,true",
    "1,,,true",
    ",1,1,false",
    "1,2,2,false",
    "1,,2,false",
    "1,2,1,false",
    "1,'',1,false"
  })
  void anotherVersionClears(String written, String second, String third, boolean kept) {
    opened(pool -> cache(pool, version(written)).put("key", "value"));
    opened(pool -> cache(pool, version(second)));
    opened(
        pool -> {
          PersistentCache<String, String> cache = cache(pool, version(third));
          assertThat(cache.get("key")).isEqualTo(kept ? "value" : null);
          assertThat(cache.containsKey("key")).isEqualTo(kept);
          cache.put("other", "value");
        });
    opened(pool -> assertThat(cache(pool, version(third)).get("other")).isEqualTo("value"));
  }

  /** Keys that only their equals can compare have records of their own, below row locks. */
  @Test
  void keysOfAnyClassAreCleared() {
    TypeRef<Object> any = TypeRef.of(Object.class);
    List<Object> key = List.of("a", "b");
    for (String version : List.of("1", "2", "2", "3")) {
      opened(
          pool -> {
            PersistentCache<Object, Object> cache =
                pool.cache("any", any, any, o -> o.version(version));
            boolean again = version.equals("2") && cache.containsKey(key);
            assertThat(cache.get(key)).isEqualTo(again ? "2" : null);
            cache.put(key, version);
          });
    }
  }

  @Test
  void anOpenCacheHasOneVersion() {
    opened(
        pool -> {
          PersistentCache<String, String> cache = cache(pool, version("1"));
          cache.put("key", "value");
          assertThat(cache(pool, version("1"))).isSameAs(cache);
          assertThat(cache(pool, version(null)).get("key")).isEqualTo("value");
          assertThatIllegalStateException()
              .isThrownBy(() -> cache(pool, version("2")))
              .withMessageContaining("version is 1, not 2");
          cache.close();
          assertThat(cache(pool, version("2")).get("key")).isNull();
        });
  }

  @Test
  void whatIsToBeWrittenIsStillWritten() {
    opened(
        pool -> {
          WriteBehindOptions never =
              WriteBehindOptions.defaults()
                  .delay(Duration.ofDays(1))
                  .closeTimeout(Duration.ofMillis(1));
          cache(
                  pool,
                  options ->
                      options
                          .version("1")
                          .writeBehind(
                              writer(
                                  entries -> {
                                    throw new IllegalStateException("the database is away");
                                  }),
                              never))
              .put("key", "value");
        });
    List<String> written = new ArrayList<>();
    opened(
        pool -> {
          PersistentCache<String, String> cache =
              cache(
                  pool,
                  options ->
                      options
                          .version("2")
                          .writeBehind(writer(entries -> written.addAll(entries.values()))));
          assertThat(cache.get("key")).isNull();
          assertThat(flush(cache)).isTrue();
        });
    assertThat(written).containsExactly("value");
  }

  @Test
  void tagsCountAsBefore() {
    opened(
        pool -> {
          PersistentCache<String, String> cache = cache(pool, version("1"));
          cache.put("key", "value", Set.of("t"));
          cache.invalidateTag("t");
        });
    opened(
        pool -> {
          PersistentCache<String, String> cache = cache(pool, version("2"));
          cache.put("key", "new", Set.of("t"));
          assertThat(cache.get("key")).isEqualTo("new");
          cache.invalidateTag("t");
          assertThat(cache.get("key")).isNull();
        });
  }
}
