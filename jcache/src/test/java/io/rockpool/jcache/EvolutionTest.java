package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.SourceLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.processor.EntryProcessor;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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
            public static Object make() { return new Main("o1", Kind.OLD); }
          }
          """);

  private final List<String> told = new ArrayList<>();

  private Cache<String, Object> open(SourceLoader version) {
    return open(version, false);
  }

  private Cache<String, Object> open(SourceLoader version, boolean evolves) {
    return provider
        .getCacheManager(uri(), version)
        .createCache(
            "orders",
            RockpoolConfiguration.of(String.class, version.main())
                .evolve(evolves)
                .statistics(true));
  }

  @Test
  void anEntryWithoutAFieldThatWasAddedIsAMiss() {
    open(FIRST).put("k", FIRST.make());
    provider.close();
    Cache<String, Object> cache = open(WITH_A_FIELD_MORE);
    assertThat(cache.get("k")).isNull();
    assertThat(cache.containsKey("k")).isFalse();
    assertThat(cache.unwrap(PersistentCache.class).statistics().undecodable()).isEqualTo(1);
    cache.put("k", WITH_A_FIELD_MORE.make());
    provider.close();
    assertThat(open(FIRST).get("k")).as("and back").isEqualTo(FIRST.make());
  }

  @Test
  void aFieldThatWasAddedIsNullInOldEntriesOfACacheThatEvolves() {
    open(FIRST, true).put("k", FIRST.make());
    provider.close();
    Cache<String, Object> cache = open(WITH_A_FIELD_MORE, true);
    assertThat(cache.get("k"))
        .isInstanceOf(WITH_A_FIELD_MORE.main())
        .hasToString("Main[id=o1, kind=NEW, rank=null]");
    cache.put("k", WITH_A_FIELD_MORE.make());
    provider.close();
    assertThat(open(FIRST, true).get("k")).as("and back").isEqualTo(FIRST.make());
  }

  @Test
  void twoVersionsAtOnceReadEachOther() {
    Cache<String, Object> first = open(FIRST, true);
    Cache<String, Object> second = open(WITH_A_FIELD_MORE, true);
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

  private static Map<String, Object> three(SourceLoader version) {
    return Map.of("a", version.make(), "b", version.make(), "c", version.make());
  }

  /** Ways to meet entries that cannot be decoded, and what listeners are told of it. */
  static Stream<Arguments> ways() {
    return Stream.of(
        way("getAll", it -> assertThat(it.getAll(Set.of("a", "b", "c"))).isEmpty()),
        way("iterator", it -> assertThat(it).isEmpty()),
        way(
            "invoke",
            it -> {
              EntryProcessor<String, Object, Boolean> exists =
                  (entry, arguments) -> entry.exists() || entry.getValue() != null;
              for (String key : new String[] {"a", "b", "c"}) {
                assertThat(it.invoke(key, exists)).isFalse();
              }
            }),
        way(
            "invokeAll",
            it ->
                assertThat(
                        it.<Object>invokeAll(
                            Set.of("a", "b", "c"), (entry, arguments) -> entry.getValue()))
                    .isEmpty()),
        way(
            "remove",
            it -> {
              for (String key : new String[] {"a", "b", "c"}) {
                assertThat(it.remove(key)).isFalse();
              }
            }),
        way(
            "getAndPut",
            it -> {
              for (String key : new String[] {"a", "b", "c"}) {
                assertThat(it.getAndPut(key, WITHOUT_THE_CONSTANT.make())).isNull();
              }
            },
            "CREATED a",
            "CREATED b",
            "CREATED c"));
  }

  private static Arguments way(String name, Consumer<Cache<String, Object>> way, String... told) {
    return Arguments.of(Named.of(name, way), List.of(told));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void everyWayFindsNothingWhereNothingCanBeDecoded(
      Consumer<Cache<String, Object>> way, List<String> heard) {
    open(FIRST).putAll(three(FIRST));
    provider.close();
    Cache<String, Object> cache = open(WITHOUT_THE_CONSTANT);
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> new Ear(told), null, true, true));
    way.accept(cache);
    assertThat(told).isEqualTo(heard);
    assertThat(cache.unwrap(PersistentCache.class).statistics().undecodable()).isEqualTo(3);
    provider.close();
    assertThat(open(FIRST).containsKey("a")).as("removed, or replaced").isEqualTo(!heard.isEmpty());
  }

  /** Notes every event. */
  private record Ear(List<String> told)
      implements CacheEntryCreatedListener<String, Object>,
          CacheEntryUpdatedListener<String, Object>,
          CacheEntryRemovedListener<String, Object> {
    private void hear(Iterable<CacheEntryEvent<? extends String, ? extends Object>> events) {
      events.forEach(it -> told.add(it.getEventType() + " " + it.getKey()));
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Object>> events) {
      hear(events);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Object>> events) {
      hear(events);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Object>> events) {
      hear(events);
    }
  }

  private Cache<Object, String> openByKey(SourceLoader version) {
    return provider
        .getCacheManager(uri(), version)
        .createCache(
            "by-key",
            new MutableConfiguration<Object, String>().setTypes(version.main(), String.class));
  }

  @Test
  void anIteratorPassesKeysThatCannotBeDecoded() {
    openByKey(FIRST).put(FIRST.make(), "v");
    provider.close();
    Cache<Object, String> cache = openByKey(WITHOUT_THE_CONSTANT);
    assertThat(cache).isEmpty();
    assertThat(cache.unwrap(PersistentCache.class).statistics().undecodable()).isEqualTo(1);
    cache.put(WITHOUT_THE_CONSTANT.make(), "other");
    assertThat(cache).hasSize(1);
    cache.removeAll();
    assertThat(cache).isEmpty();
  }
}
