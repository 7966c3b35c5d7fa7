package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes in and what comes out is nobody else's: keys and values here can be changed. */
@SuppressWarnings({"JavaUtilDate", "CollectionUndefinedEquality"}) // a key that can be changed
class StoreByValueTest extends JCacheTest {
  private static final Date KEY = new Date(1_000);

  private Cache<Date, List<String>> cache;

  @BeforeEach
  @SuppressWarnings({"unchecked", "rawtypes"})
  void open() {
    MutableConfiguration configuration =
        new MutableConfiguration<>().setTypes((Class) Date.class, (Class) List.class);
    cache = manager().createCache("lists", configuration);
  }

  private static List<String> list(String... elements) {
    return new ArrayList<>(List.of(elements));
  }

  @Test
  void whatWasPutIsNotChangedFromOutside() {
    Date key = new Date(1_000);
    List<String> value = list("a");
    cache.put(key, value);
    key.setTime(2_000);
    value.add("b");
    assertThat(cache.get(KEY)).containsExactly("a");
    assertThat(cache.containsKey(new Date(2_000))).isFalse();

    List<String> other = list("x");
    cache.putAll(Map.of(KEY, other));
    other.add("y");
    assertThat(cache.get(KEY)).containsExactly("x");

    List<String> replacement = list("r");
    cache.replace(KEY, replacement);
    replacement.add("s");
    assertThat(cache.get(KEY)).containsExactly("r");
  }

  static Stream<Named<Function<Cache<Date, List<String>>, List<String>>>> waysOut() {
    return Stream.of(
        Named.of("get", cache -> cache.get(KEY)),
        Named.of("getAll", cache -> cache.getAll(Set.of(KEY)).get(KEY)),
        Named.of("iterator", cache -> cache.iterator().next().getValue()),
        Named.of("getAndPut", cache -> cache.getAndPut(KEY, list("a"))),
        Named.of("getAndReplace", cache -> cache.getAndReplace(KEY, list("a"))),
        Named.of("invoke", cache -> cache.invoke(KEY, (entry, arguments) -> entry.getValue())));
  }

  @ParameterizedTest
  @MethodSource("waysOut")
  void whatWasReadIsTheReadersOwn(Function<Cache<Date, List<String>>, List<String>> wayOut) {
    cache.put(KEY, list("a"));
    for (int round = 0; round < 3; round++) {
      List<String> read = wayOut.apply(cache);
      assertThat(read).containsExactly("a");
      read.add("changed by its reader");
    }
    assertThat(cache.get(KEY)).containsExactly("a");
  }

  @Test
  void aKeyThatWasReadIsTheReadersOwn() {
    cache.put(KEY, list("a"));
    cache.iterator().next().getKey().setTime(5);
    assertThat(cache.iterator().next().getKey()).isEqualTo(KEY);
    assertThat(cache.containsKey(KEY)).isTrue();
  }

  @Test
  void aProcessorThatChangesAValueButDoesNotSetItChangesNothing() {
    cache.put(KEY, list("a"));
    cache.invoke(KEY, (entry, arguments) -> entry.getValue().add("b"));
    assertThat(cache.get(KEY)).containsExactly("a");
  }

  @Test
  void aListenerCannotChangeWhatItIsTold() {
    CacheEntryCreatedListener<Date, List<String>> vandal =
        events -> {
          for (CacheEntryEvent<? extends Date, ? extends List<String>> event : events) {
            event.getKey().setTime(5);
            event.getValue().clear();
          }
        };
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> vandal, null, false, true));
    List<String> value = list("a");
    cache.put(KEY, value);
    assertThat(value).containsExactly("a");
    assertThat(cache.get(KEY)).containsExactly("a");
    assertThat(KEY.getTime()).isEqualTo(1_000);
  }

  @Test
  void theConfigurationIsCopied() {
    MutableConfiguration<Object, Object> configuration = new MutableConfiguration<>();
    Cache<Object, Object> other = manager().createCache("other", configuration);
    configuration.setExpiryPolicyFactory(FactoryBuilder.factoryOf("none.such"));
    configuration.setStatisticsEnabled(true);
    assertThat(configurationOf(other).isStatisticsEnabled()).isFalse();
    ((MutableConfiguration<?, ?>) configurationOf(other)).setStatisticsEnabled(true);
    assertThat(configurationOf(other).isStatisticsEnabled()).isFalse();
  }
}
