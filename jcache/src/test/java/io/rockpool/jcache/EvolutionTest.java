package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.SourceLoader;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;

/** An application that comes back with other classes under the same names. */
class EvolutionTest extends JCacheTest {
  private static final SourceLoader FIRST =
      new SourceLoader(
          """
          public record Main(String id, Kind kind) {
            public enum Kind { OLD, NEW }
            public static Object make() { return new Main("o1", Kind.NEW); }
          }
          """);
  private static final SourceLoader WITH_A_FIELD_MORE =
      new SourceLoader(
          """
          public record Main(String id, Kind kind, Integer rank) {
            public enum Kind { OLD, NEW }
            public static Object make() { return new Main("o1", Kind.NEW, 1); }
          }
          """);
  private static final SourceLoader WITHOUT_THE_CONSTANT =
      new SourceLoader(
          """
          public record Main(String id, Kind kind) {
            public enum Kind { OLD }
          }
          """);

  private Cache<String, Object> open(SourceLoader version) {
    return provider
        .getCacheManager(uri(), version)
        .createCache(
            "orders",
            new MutableConfiguration<String, Object>()
                .setTypes(String.class, version.main())
                .setStatisticsEnabled(true));
  }

  @Test
  void aFieldThatWasAddedIsNullInOldEntries() {
    open(FIRST).put("k", FIRST.make());
    provider.close();
    Cache<String, Object> cache = open(WITH_A_FIELD_MORE);
    assertThat(cache.get("k"))
        .isInstanceOf(WITH_A_FIELD_MORE.main())
        .hasToString("Main[id=o1, kind=NEW, rank=null]");
    cache.put("k", WITH_A_FIELD_MORE.make());
    provider.close();
    assertThat(open(FIRST).get("k")).as("and back").isEqualTo(FIRST.make());
  }

  @Test
  void twoVersionsAtOnceReadEachOther() {
    Cache<String, Object> first = open(FIRST);
    Cache<String, Object> second = open(WITH_A_FIELD_MORE);
    first.put("k", FIRST.make());
    assertThat(second.get("k")).hasToString("Main[id=o1, kind=NEW, rank=null]");
    second.put("k", WITH_A_FIELD_MORE.make());
    assertThat(first.get("k")).isEqualTo(FIRST.make());
  }

  @Test
  void whatCannotBeDecodedIsAMissCountedAndRemoved() {
    open(FIRST).put("k", FIRST.make());
    provider.close();
    Cache<String, Object> cache = open(WITHOUT_THE_CONSTANT);
    assertThat(cache.containsKey("k")).isTrue();
    assertThat(cache.get("k")).isNull();
    assertThat(cache.containsKey("k")).isFalse();
    assertThat(cache.unwrap(PersistentCache.class).statistics().undecodable()).isEqualTo(1);
    assertThat(statistics(cache).orElseThrow().getCacheMisses()).isEqualTo(1);
    assertThat(cache).isEmpty();
  }
}
