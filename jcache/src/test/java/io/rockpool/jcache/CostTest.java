package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What operations cost: the calls of the store and the looks at the clock they come to. */
class CostTest extends JCacheTest {
  /**
   * What is configured, the operation, and its calls of the store if the key is absent and if it is
   * present; {@code time} is a look at the clock. Operations on all three keys are marked.
   */
  private static final String TABLE =
      """
      nothing    | get                   | get                         | -
      nothing    | getAll *              | getAll                      | -
      nothing    | containsKey           | get                         | -
      nothing    | put                   | put                         | put
      nothing    | putAll *              | putAll                      | putAll
      nothing    | getAndPut             | get transact                | get transact
      nothing    | putIfAbsent           | get transact                | get
      nothing    | remove                | get                         | get transact
      nothing    | remove equal          | get                         | get transact
      nothing    | remove other          | get                         | get
      nothing    | replace               | get                         | get transact
      nothing    | removeAll of keys *   | deleteAll                   | deleteAll
      nothing    | removeAll *           | clear time                  | clear time
      nothing    | clear *               | clear time                  | clear time
      nothing    | iterate *             | scanAll                     | scanAll
      nothing    | loadAll keeping *     | -                           | -
      nothing    | invoke get            | get                         | get
      nothing    | invoke set            | get transact                | get transact
      nothing    | invokeAll get *       | getAll                      | getAll
      nothing    | invokeAll set *       | getAll atomically           | getAll atomically
      statistics | get                   | get                         | -
      statistics | put                   | put                         | put
      statistics | putAll *              | putAll                      | putAll
      statistics | removeAll of keys *   | getAll                      | getAll atomically
      statistics | removeAll *           | scanAll                     | scanAll getAll atomically
      listener   | put                   | get transact                | get transact
      listener   | putAll *              | getAll atomically           | getAll atomically
      listener   | removeAll of keys *   | getAll                      | getAll atomically
      listener   | invokeAll set *       | getAll atomically           | getAll atomically
      removals   | put                   | put                         | put
      removals   | putAll *              | putAll                      | putAll
      removals   | remove                | get                         | get transact
      writer     | put                   | put                         | put
      writer     | putAll *              | putAll                      | putAll
      writer     | remove                | get                         | get transact
      writer     | removeAll of keys *   | deleteAll                   | deleteAll
      writer     | invoke set            | get get transact            | get get transact
      writer     | invokeAll set *       | getAll getAll atomically    | getAll getAll atomically
      loader     | get                   | get get transact            | -
      loader     | getAll *              | getAll getAll atomically    | -
      loader     | loadAll keeping *     | getAll getAll atomically    | getAll
      loader     | loadAll replacing *   | getAll atomically           | getAll atomically
      modified   | put                   | time put                    | time put
      modified   | putAll *              | time time time putAll       | time time time putAll
      modified   | get                   | get                         | time
      touched    | put                   | time time put               | time time put
      created    | put                   | get time transact           | get time time transact time
      """;

  private static final Set<String> DATA_CALLS =
      Set.of(
          "get", "getAll", "put", "delete", "putAll", "deleteAll", "transact", "scanAll", "clear");
  private static final Set<String> KEYS = Set.of("a", "b", Operations.KEY);
  private static final Duration TTL = Duration.ONE_HOUR;

  private final List<String> calls = new ArrayList<>();

  /** Whose looks at the clock count. The store's threads look at it, too. */
  private volatile Thread measuring;

  private boolean together;
  private RockpoolJCacheManager manager;

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private RockpoolJCacheManager open() {
    InstantSource clock =
        () -> {
          if (Thread.currentThread() == measuring) {
            calls.add("time");
          }
          return Instant.EPOCH.plusSeconds(1);
        };
    manager =
        managerOver(
            counted(
                Engine.class,
                RocksDbEngine.open(
                    directory.resolve("counted"), RocksDbOptions.builder().clock(clock).build())));
    return manager;
  }

  /** The same thing, noting the data calls of every space that comes out of it. */
  private <T> T counted(Class<T> type, T thing) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              boolean joins = method.getName().equals("atomically");
              if (joins || (type == Space.class && DATA_CALLS.contains(method.getName()))) {
                note(method.getName());
              }
              together |= joins;
              try {
                Object result = method.invoke(thing, arguments);
                return result instanceof Space space ? counted(Space.class, space) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                together &= !joins;
              }
            });
    return type.cast(proxy);
  }

  /** Notes a call, unless it is part of a larger one. */
  private void note(String call) {
    if (!together) {
      calls.add(call);
    }
  }

  private MutableConfiguration<String, String> configured(String what) {
    Observer observer = new Observer();
    MutableConfiguration<String, String> cache =
        new MutableConfiguration<String, String>()
            .setTypes(String.class, String.class)
            .setCacheLoaderFactory(() -> observer.loader)
            .setCacheWriterFactory(() -> observer.writer);
    CacheEntryRemovedListener<String, String> removals = events -> {};
    return switch (what) {
      case "nothing" -> cache.setCacheLoaderFactory(null).setCacheWriterFactory(null);
      case "statistics" -> cache.setStatisticsEnabled(true);
      case "listener" -> cache.addCacheEntryListenerConfiguration(synchronous(observer.listener));
      case "removals" -> cache.addCacheEntryListenerConfiguration(synchronous(removals));
      case "writer" -> cache.setWriteThrough(true);
      case "loader" -> cache.setReadThrough(true);
      case "modified" -> cache.setExpiryPolicyFactory(ModifiedExpiryPolicy.factoryOf(TTL));
      case "touched" -> cache.setExpiryPolicyFactory(TouchedExpiryPolicy.factoryOf(TTL));
      case "created" -> cache.setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(TTL));
      default -> throw new IllegalArgumentException(what);
    };
  }

  private static MutableCacheEntryListenerConfiguration<String, String> synchronous(
      CacheEntryListener<String, String> listener) {
    return new MutableCacheEntryListenerConfiguration<>(() -> listener, null, true, true);
  }

  static Stream<Arguments> rows() {
    return TABLE
        .lines()
        .map(line -> line.split("\\|"))
        .map(row -> arguments(row[0].strip(), row[1].strip(), row[2].strip(), row[3].strip()));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("rows")
  void row(String configured, String marked, String absent, String present) {
    Set<String> keys = marked.endsWith("*") ? KEYS : Set.of(Operations.KEY);
    Consumer<Cache<String, String>> operation =
        Operations.named(marked.replace("*", "").strip(), keys);
    Cache<String, String> cache = open().createCache("c", configured(configured));
    assertThat(callsOf(() -> operation.accept(cache))).as("absent").isEqualTo(absent);
    cache.clear();
    cache.putAll(Operations.all(KEYS, Operations.OLD));
    cache.getAll(KEYS);
    assertThat(callsOf(() -> operation.accept(cache))).as("present").isEqualTo(present);
  }

  private String callsOf(Runnable operation) {
    calls.clear();
    measuring = Thread.currentThread();
    operation.run();
    measuring = null;
    return calls.isEmpty() ? "-" : String.join(" ", calls);
  }

  @Test
  void aBlindBatchIsFourMegabytesToo() {
    Cache<String, String> cache = open().createCache("c", configured("nothing"));
    String threeMegabytes = "x".repeat(3 << 20);
    assertThat(callsOf(() -> cache.putAll(Operations.all(KEYS, threeMegabytes))))
        .isEqualTo("putAll putAll");
  }

  @Test
  void aReadIsFiveHundredAndTwelveKeys() {
    Cache<String, String> cache = open().createCache("c", configured("nothing"));
    Set<String> keys = IntStream.range(0, 1_025).mapToObj(i -> "k" + i).collect(Collectors.toSet());
    assertThat(callsOf(() -> cache.getAll(keys))).isEqualTo("getAll getAll getAll");
  }

  @Test
  void aMissThatIsLoadedIsOneMiss() {
    Cache<String, String> cache = open().createCache("c", configured("loader"));
    cache.get(Operations.KEY);
    assertThat(cache.unwrap(PersistentCache.class).statistics().misses()).isEqualTo(1);
  }

  @Test
  void whoeverIsAtAnEntryThatNobodyWatchesKeepsNobodyWaiting() throws Exception {
    Cache<String, String> cache = open().createCache("c", configured("nothing"));
    String seen =
        cache.invoke(
            Operations.KEY,
            (entry, arguments) -> {
              CompletableFuture.runAsync(() -> cache.putAll(Operations.all(KEYS, "other")))
                  .orTimeout(20, TimeUnit.SECONDS)
                  .join();
              return entry.getValue();
            });
    assertThat(seen).as("nothing is decided on it, so it may be old").isNull();
    assertThat(cache.get(Operations.KEY)).isEqualTo("other");
  }

  @Test
  void aBatchIsFourMegabytes() {
    Cache<String, String> cache = open().createCache("c", configured("listener"));
    String threeMegabytes = "x".repeat(3 << 20);
    assertThat(callsOf(() -> cache.putAll(Operations.all(KEYS, threeMegabytes))))
        .isEqualTo("getAll atomically transact");
  }
}
