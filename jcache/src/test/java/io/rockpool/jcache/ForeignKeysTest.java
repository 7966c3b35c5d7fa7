package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.hibernate.cache.internal.BasicCacheKeyImplementation;
import org.hibernate.cache.internal.CacheKeyImplementation;
import org.hibernate.cache.internal.NaturalIdCacheKey;
import org.hibernate.cache.spi.QueryKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;

/** The keys that Hibernate and Spring give to a JCache cache, which say nothing of their types. */
class ForeignKeysTest extends JCacheTest {
  record OrderId(String shop, Object number) {}

  record Parameters(List<Object> values) implements QueryKey.ParameterBindingsMemento {}

  private static QueryKey query(Object... parameters) {
    Parameters values = new Parameters(new ArrayList<>(List.of(parameters)));
    return new QueryKey("select 1", values, 0, 10, Set.of("tenant"));
  }

  static Stream<Arguments> keys() {
    return Stream.of(
        both(() -> new CacheKeyImplementation(1L, "Order", null, 31)),
        both(() -> new CacheKeyImplementation(new OrderId("s", 1), "Order", "t", 32)),
        both(() -> new CacheKeyImplementation(new Object[] {"s", 1}, "Order", "t", 33)),
        both(() -> new BasicCacheKeyImplementation(1L, "Order", 31)),
        both(() -> new NaturalIdCacheKey(new Object[] {"s", 1}, "Order", "t", 34)),
        both(() -> new NaturalIdCacheKey("s", "Order", null, 35)),
        both(() -> query("a", 1)),
        both(() -> new SimpleKey("a", List.of(1), null)),
        both(() -> SimpleKey.EMPTY),
        both(() -> new SimpleKey(PageRequest.of(1, 20), "a")),
        both(() -> PageRequest.of(1, 20)),
        both(() -> PageRequest.of(1, 20, Sort.by("name").descending())),
        both(() -> Sort.by("name").descending()),
        both(() -> new SimpleKey("a", Sort.unsorted())));
  }

  private static Arguments both(Supplier<Object> key) {
    return Arguments.of(key.get().getClass().getSimpleName(), key);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void anEqualKeyFindsTheEntryAlsoAfterARestart(String kind, Supplier<Object> key) {
    Cache<Object, Object> cache =
        manager().createCache("cache", new MutableConfiguration<Object, Object>());
    cache.put(key.get(), "v");
    cache.put("another", "w");
    assertThat(cache.get(key.get())).isEqualTo("v");
    assertThat(cache.getAll(Set.of(key.get()))).isEqualTo(Map.of(key.get(), "v"));
    assertThat(cache.putIfAbsent(key.get(), "w")).isFalse();
    Map<Object, Object> seen = new HashMap<>();
    cache.forEach(entry -> seen.put(entry.getKey(), entry.getValue()));
    assertThat(seen).isEqualTo(Map.of(key.get(), "v", "another", "w"));
    Cache<Object, Object> again = restarted().getCache("cache");
    assertThat(again.get(key.get())).isEqualTo("v");
    assertThat(again.remove(key.get())).isTrue();
    assertThat(again.containsKey(key.get())).isFalse();
  }
}
