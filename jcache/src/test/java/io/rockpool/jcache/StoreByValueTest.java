package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.FakeClock;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.integration.CompletionListenerFuture;
import javax.cache.processor.EntryProcessor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What goes in and what comes out is nobody else's: keys and values here can be changed, and
 * whoever gets hold of one changes it.
 */
@ParameterizedClass
@EnumSource
@SuppressWarnings({"JavaUtilDate", "CollectionUndefinedEquality"}) // a key that can be changed
class StoreByValueTest extends JCacheTest {
  private static final Date KEY = new Date(1_000);

  /** Where the cache has an entry when it is asked for. */
  enum Source {
    MEMORY,
    DISK,
    /** The same, in a cache that keeps nothing in memory. */
    DISK_ALONE
  }

  @Parameter Source source;
  private final Ledger ledger = new Ledger();
  private Cache<Date, List<String>> cache;
  private Cache<Date, List<String>> other;

  @BeforeEach
  void open() {
    cache = manager().createCache("lists", tuned(configuration()));
    ClassLoader another = new URLClassLoader(new URL[0], getClass().getClassLoader());
    other = provider.getCacheManager(uri(), another).createCache("lists", tuned(configuration()));
  }

  private CompleteConfiguration<Date, List<String>> tuned(
      MutableConfiguration<Date, List<String>> configuration) {
    return source == Source.DISK_ALONE
        ? RockpoolConfiguration.of(configuration).hotBytes(0)
        : configuration;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private MutableConfiguration<Date, List<String>> configuration() {
    return new MutableConfiguration<>().setTypes((Class) Date.class, (Class) List.class);
  }

  private static List<String> list(String... elements) {
    return new ArrayList<>(List.of(elements));
  }

  private static void spoil(Date key, List<String> value) {
    key.setTime(5);
    value.add("spoilt");
  }

  /** Puts a list of "a" under the key, where the source says. */
  private void given() {
    cache.remove(KEY);
    (source == Source.MEMORY ? cache : other).put(KEY, list("a"));
  }

  private void assertUnspoilt(String... elements) {
    assertThat(cache.getAll(Set.of(KEY, new Date(5)))).isEqualTo(Map.of(KEY, List.of(elements)));
    assertThat(KEY.getTime()).isEqualTo(1_000);
  }

  static Stream<Named<BiConsumer<Cache<Date, List<String>>, Map.Entry<Date, List<String>>>>>
      waysIn() {
    return Stream.of(
        Named.of("put", (c, e) -> c.put(e.getKey(), e.getValue())),
        Named.of("putAll", (c, e) -> c.putAll(Map.of(e.getKey(), e.getValue()))),
        Named.of("getAndPut", (c, e) -> c.getAndPut(e.getKey(), e.getValue())),
        Named.of("replace", (c, e) -> c.replace(e.getKey(), e.getValue())),
        Named.of("replace equal", (c, e) -> c.replace(e.getKey(), list("a"), e.getValue())),
        Named.of("getAndReplace", (c, e) -> c.getAndReplace(e.getKey(), e.getValue())),
        Named.of(
            "putIfAbsent",
            (c, e) -> {
              c.remove(KEY);
              c.putIfAbsent(e.getKey(), e.getValue());
            }),
        Named.of(
            "invoke",
            (c, e) ->
                c.invoke(
                    e.getKey(),
                    (entry, arguments) -> {
                      entry.setValue(e.getValue());
                      entry.getKey().setTime(5);
                      return null;
                    })),
        Named.of(
            "invokeAll",
            (c, e) ->
                c.invokeAll(
                    Set.of(e.getKey()),
                    (entry, arguments) -> {
                      entry.setValue(e.getValue());
                      entry.getKey().setTime(5);
                      return null;
                    })));
  }

  @ParameterizedTest
  @MethodSource("waysIn")
  void whatWasPutIsNotChangedFromOutside(
      BiConsumer<Cache<Date, List<String>>, Map.Entry<Date, List<String>>> wayIn) {
    given();
    Date key = new Date(1_000);
    List<String> value = list("new");
    wayIn.accept(cache, Map.entry(key, value));
    assertThat(key).as("the caller's own").isEqualTo(KEY);
    spoil(key, value);
    assertUnspoilt("new");
  }

  static Stream<Named<Consumer<Cache<Date, List<String>>>>> waysOut() {
    return Stream.of(
        Named.of("get", c -> c.get(KEY).add("spoilt")),
        Named.of("getAll", c -> c.getAll(Set.of(new Date(1_000))).forEach(StoreByValueTest::spoil)),
        Named.of("getAndPut", c -> c.getAndPut(KEY, list("a")).add("spoilt")),
        Named.of("getAndReplace", c -> c.getAndReplace(KEY, list("a")).add("spoilt")),
        Named.of("iterator", c -> c.forEach(entry -> spoil(entry.getKey(), entry.getValue()))),
        Named.of(
            "getAndRemove",
            c -> {
              List<String> value = c.getAndRemove(KEY);
              c.put(KEY, value);
              value.add("spoilt");
            }),
        Named.of(
            "invoke",
            c ->
                c.invoke(
                    KEY,
                    (entry, arguments) -> {
                      spoil(entry.getKey(), entry.getValue());
                      return null;
                    })),
        Named.of(
            "the result of invoke",
            c -> c.invoke(KEY, (entry, arguments) -> entry.getValue()).add("spoilt")),
        Named.of(
            "invokeAll",
            c ->
                c.<List<String>>invokeAll(Set.of(KEY), (entry, arguments) -> entry.getValue())
                    .get(KEY)
                    .get()
                    .add("spoilt")));
  }

  @ParameterizedTest
  @MethodSource("waysOut")
  void whatWasReadIsTheReadersOwn(Consumer<Cache<Date, List<String>>> wayOut) {
    given();
    for (int round = 0; round < 3; round++) {
      wayOut.accept(cache);
      assertUnspoilt("a");
    }
  }

  @Test
  void anIteratorRemovesWhatItHasShownWhateverBecameOfTheKey() {
    given();
    Iterator<Cache.Entry<Date, List<String>>> entries = cache.iterator();
    entries.next().getKey().setTime(5);
    entries.remove();
    assertThat(cache).isEmpty();
  }

  /** Changes all that it is told. */
  private static final class Vandal
      implements CacheEntryCreatedListener<Date, List<String>>,
          CacheEntryUpdatedListener<Date, List<String>>,
          CacheEntryRemovedListener<Date, List<String>> {
    private static void spoilAll(
        Iterable<CacheEntryEvent<? extends Date, ? extends List<String>>> events) {
      for (CacheEntryEvent<? extends Date, ? extends List<String>> event : events) {
        spoil(event.getKey(), event.getValue());
        if (event.isOldValueAvailable()) {
          event.getOldValue().add("spoilt");
        }
      }
    }

    @Override
    public void onCreated(
        Iterable<CacheEntryEvent<? extends Date, ? extends List<String>>> events) {
      spoilAll(events);
    }

    @Override
    public void onUpdated(
        Iterable<CacheEntryEvent<? extends Date, ? extends List<String>>> events) {
      spoilAll(events);
    }

    @Override
    public void onRemoved(
        Iterable<CacheEntryEvent<? extends Date, ? extends List<String>>> events) {
      spoilAll(events);
    }
  }

  @Test
  void listenersCannotChangeWhatTheyAreTold() {
    given();
    for (int i = 0; i < 2; i++) {
      cache.registerCacheEntryListener(
          new MutableCacheEntryListenerConfiguration<>(Vandal::new, null, true, i == 0));
    }
    List<String> value = list("new");
    assertThat(cache.getAndPut(KEY, value)).containsExactly("a");
    assertThat(value).containsExactly("new");
    assertUnspoilt("new");
    assertThat(cache.getAndRemove(KEY)).containsExactly("new");
    cache.put(KEY, value);
    assertUnspoilt("new");
  }

  private Cache<Date, List<String>> through() {
    return manager()
        .createCache(
            "through",
            tuned(
                configuration()
                    .setCacheLoaderFactory(() -> ledger)
                    .setReadThrough(true)
                    .setCacheWriterFactory(() -> ledger)
                    .setWriteThrough(true)));
  }

  @Test
  void aLoaderHandsOutCopies() throws Exception {
    cache = through();
    Date key = new Date(1_000);
    ledger.rows.put(KEY.getTime(), list("a"));
    cache.get(key).add("mine");
    assertThat(ledger.rows.get(KEY.getTime())).containsExactly("a");
    ledger.spoilAll();
    assertThat(key).isEqualTo(KEY);
    assertUnspoilt("a");

    ledger.rows.put(KEY.getTime(), list("b"));
    CompletionListenerFuture done = new CompletionListenerFuture();
    cache.loadAll(Set.of(key), true, done);
    done.get();
    ledger.spoilAll();
    assertUnspoilt("b");
  }

  @Test
  void aWriterIsGivenCopies() {
    cache = through();
    Date key = new Date(1_000);
    List<String> value = list("a");
    cache.put(key, value);
    ledger.spoilAll();
    assertThat(value).containsExactly("a");
    cache.putAll(Map.of(key, value));
    ledger.spoilAll();
    assertThat(value).containsExactly("a");
    assertThat(cache.get(KEY)).containsExactly("a");
    cache.remove(key);
    cache.removeAll(Set.of(key));
    ledger.spoilAll();
    assertThat(key).isEqualTo(KEY);
  }

  @Test
  void aProcessorIsGivenACopyOfWhatWasLoaded() {
    cache = through();
    for (boolean many : new boolean[] {false, true}) {
      kernelOf(cache).clear();
      ledger.rows.put(KEY.getTime(), list("a"));
      EntryProcessor<Date, List<String>, Object> spoiling =
          (entry, arguments) -> {
            spoil(entry.getKey(), entry.getValue());
            return null;
          };
      Date key = new Date(1_000);
      if (many) {
        cache.invokeAll(Set.of(key), spoiling);
      } else {
        cache.invoke(key, spoiling);
      }
      assertThat(key).isEqualTo(KEY);
      assertThat(ledger.rows.get(KEY.getTime())).containsExactly("a");
      ledger.spoilAll();
      assertThat(kernelOf(cache).get(KEY)).isEqualTo(List.of("a"));
    }
  }

  @Test
  void manyAreLoadedAsCopies() throws Exception {
    cache = through();
    for (boolean reading : new boolean[] {true, false}) {
      kernelOf(cache).clear();
      ledger.rows.put(KEY.getTime(), list("a"));
      Date key = new Date(1_000);
      if (reading) {
        cache.getAll(Set.of(key)).forEach(StoreByValueTest::spoil);
      } else {
        CompletionListenerFuture done = new CompletionListenerFuture();
        cache.loadAll(Set.of(key), false, done);
        done.get();
      }
      key.setTime(1_000);
      assertThat(ledger.rows.get(KEY.getTime())).containsExactly("a");
      ledger.spoilAll();
      assertThat(key).isEqualTo(KEY);
      assertThat(kernelOf(cache).get(KEY)).isEqualTo(List.of("a"));
    }
  }

  @Test
  void aKeyMayChangeAsSoonAsLoadAllHasReturned() throws Exception {
    cache = through();
    ledger.rows.put(KEY.getTime(), list("a"));
    Date key = new Date(1_000);
    ledger.held = new CountDownLatch(1);
    CompletionListenerFuture done = new CompletionListenerFuture();
    cache.loadAll(Set.of(key), true, done);
    key.setTime(5);
    ledger.held.countDown();
    done.get();
    assertUnspoilt("a");
  }

  @Test
  void aWriterIsGivenCopiesByProcessorsAndReplacementsToo() {
    cache = through();
    List<String> value = list("a");
    EntryProcessor<Date, List<String>, Object> setting =
        (entry, arguments) -> {
          entry.setValue(value);
          return null;
        };
    List<Consumer<Date>> ways =
        List.of(
            key -> cache.invoke(key, setting),
            key -> cache.invokeAll(Set.of(key), setting),
            key -> cache.replace(key, value),
            key -> cache.replace(key, list("a"), value),
            key -> cache.getAndReplace(key, value),
            key -> cache.getAndPut(key, value));
    for (Consumer<Date> way : ways) {
      Date key = new Date(1_000);
      way.accept(key);
      ledger.spoilAll();
      assertThat(key).isEqualTo(KEY);
      assertThat(value).containsExactly("a");
      assertThat(cache.get(KEY)).containsExactly("a");
    }
  }

  @Test
  void whatAProcessorChangesIsNotTheOldValueThatIsTold() {
    given();
    List<List<String>> old = new ArrayList<>();
    CacheEntryUpdatedListener<Date, List<String>> listener =
        events -> events.forEach(it -> old.add(it.getOldValue()));
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> listener, null, true, true));
    EntryProcessor<Date, List<String>, Object> adding =
        (entry, arguments) -> {
          List<String> value = entry.getValue();
          value.add("b");
          entry.setValue(value);
          return null;
        };
    cache.invoke(KEY, adding);
    cache.invokeAll(Set.of(KEY), adding);
    assertThat(old).containsExactly(list("a"), list("a", "b"));
    assertUnspoilt("a", "b", "b");
  }

  @Test
  void listenersCannotChangeWhatHasExpired() {
    FakeClock clock = new FakeClock();
    List<List<String>> heard = new ArrayList<>();
    CacheEntryExpiredListener<Date, List<String>> listener =
        events ->
            events.forEach(
                it -> {
                  heard.add(List.copyOf(it.getValue()));
                  spoil(it.getKey(), it.getValue());
                });
    MutableConfiguration<Date, List<String>> configuration =
        configuration().setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(Duration.ONE_MINUTE));
    for (int i = 0; i < 2; i++) {
      configuration.addCacheEntryListenerConfiguration(
          new MutableCacheEntryListenerConfiguration<>(() -> listener, null, true, true));
    }
    try (CacheManager timed = managerOver(MemoryEngine.builder().clock(clock).build())) {
      Cache<Date, List<String>> expiring = timed.createCache("expiring", tuned(configuration));
      expiring.put(KEY, list("a"));
      clock.advanceMillis(60_000);
      assertThat(expiring.get(KEY)).isNull();
    }
    assertThat(KEY.getTime()).isEqualTo(1_000);
    assertThat(heard).containsExactly(List.of("a"), List.of("a"));
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
