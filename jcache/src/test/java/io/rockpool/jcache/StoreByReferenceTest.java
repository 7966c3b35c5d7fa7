package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same instance for everyone while it is in memory; on disk, what was put. */
class StoreByReferenceTest extends JCacheTest {
  private static final int KEYS = 500;

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static RockpoolConfiguration<String, List<String>> lists() {
    return RockpoolConfiguration.of(String.class, (Class<List<String>>) (Class) List.class)
        .storeByValue(false);
  }

  private static List<String> list(String... elements) {
    return new ArrayList<>(List.of(elements));
  }

  static Stream<Named<Function<Cache<String, List<String>>, List<String>>>> waysOut() {
    return Stream.of(
        Named.of("get", it -> it.get("k")),
        Named.of("getAll", it -> it.getAll(Set.of("k")).get("k")),
        Named.of("iterator", it -> it.iterator().next().getValue()),
        Named.of("getAndPut", it -> it.getAndPut("k", list("x"))),
        Named.of("getAndReplace", it -> it.getAndReplace("k", list("x"))),
        Named.of("getAndRemove", it -> it.getAndRemove("k")),
        Named.of("invoke", it -> it.invoke("k", (entry, arguments) -> entry.getValue())));
  }

  @ParameterizedTest
  @MethodSource("waysOut")
  void everyWayOutGivesTheInstance(Function<Cache<String, List<String>>, List<String>> way) {
    Cache<String, List<String>> cache = manager().createCache("c", lists());
    List<String> value = list("a");
    cache.put("k", value);
    value.add("b");
    assertThat(way.apply(cache)).isSameAs(value).containsExactly("a", "b");
  }

  @Test
  void loadersAndListenersShareItToo() {
    List<List<String>> heard = new ArrayList<>();
    CacheEntryCreatedListener<String, List<String>> listener =
        events -> events.forEach(it -> heard.add(it.getValue()));
    Cache<String, List<String>> cache =
        manager()
            .createCache(
                "c",
                lists()
                    .listener(
                        new MutableCacheEntryListenerConfiguration<>(
                            () -> listener, null, false, true)));
    List<String> value = list("a");
    cache.putAll(Map.of("k", value));
    assertThat(heard).singleElement().isSameAs(value);
  }

  @Test
  void theDiskHasWhatWasPut() {
    Cache<String, List<String>> cache = manager().createCache("c", lists());
    List<String> value = list("a");
    cache.put("k", value);
    value.add("b");
    Cache<String, List<String>> found = restarted().getCache("c");
    assertThat(configurationOf(found).isStoreByValue()).isFalse();
    assertThat(found.get("k")).containsExactly("a").isSameAs(found.get("k"));
  }

  /** While entries are brought back after a restart, too. */
  @Test
  void whoReadsAtTheSameTimeIsGivenTheSameInstance() throws Exception {
    Cache<String, List<String>> cache = manager().createCache("c", lists());
    for (int i = 0; i < KEYS; i++) {
      cache.put("k" + i, list("a"));
    }
    Cache<String, List<String>> found = restarted().getCache("c");
    List<String> keys = IntStream.range(0, KEYS).mapToObj(i -> "k" + i).toList();
    Callable<Map<String, List<String>>> one =
        () -> keys.stream().collect(Collectors.toMap(key -> key, found::get));
    Callable<Map<String, List<String>>> all = () -> found.getAll(Set.copyOf(keys));
    ExecutorService readers = Executors.newFixedThreadPool(3);
    try {
      for (Future<Map<String, List<String>>> each : readers.invokeAll(List.of(one, one, all))) {
        each.get().forEach((key, value) -> assertThat(value).isSameAs(found.get(key)));
      }
    } finally {
      readers.shutdown();
    }
  }

  @Test
  void withoutMemoryForEntriesItIsRefused() {
    assertThatThrownBy(() -> manager().createCache("c", lists().hotEntries(0)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("\"c\"")
        .hasMessageContaining("setStoreByValue(true)");
    assertThat(manager().getCacheNames()).isEmpty();
  }
}
