package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.FakeClock;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CompletionListenerFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is removed while it is read through stays removed, and nothing older follows a put. */
@Timeout(60)
class RemovalWhileLoadingTest extends JCacheTest {
  /** A removal of the key, and whether it asks for one where there is no entry. */
  @SuppressWarnings("ImmutableEnumChecker") // functions
  enum Removal {
    REMOVE(cache -> cache.remove("k"), null),
    GET_AND_REMOVE(cache -> cache.getAndRemove("k"), null),
    REMOVE_VALUE(cache -> cache.remove("k", "other"), null),
    REMOVE_ALL_OF(cache -> cache.removeAll(Set.of("k")), null),
    REMOVE_ALL(Cache::removeAll, null),
    CLEAR(Cache::clear, null),
    INVOKE(
        cache ->
            cache.<@Nullable Object>invoke(
                "k",
                (entry, arguments) -> {
                  entry.remove();
                  return null;
                }),
        null),
    CONTAINS(cache -> cache.containsKey("k"), "loaded"),
    REPLACE(cache -> cache.replace("k", "v"), "loaded"),
    PUT(cache -> cache.put("k", "v"), "v");

    private final Consumer<Cache<String, String>> how;
    private final @Nullable String left;

    Removal(Consumer<Cache<String, String>> how, @Nullable String left) {
      this.how = how;
      this.left = left;
    }
  }

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** A loader that waits. */
  private final class Held implements CacheLoader<String, String> {
    @Override
    public String load(String key) {
      begun.countDown();
      await(goOn);
      return "loaded";
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      Map<String, String> loaded = new LinkedHashMap<>();
      keys.forEach(key -> loaded.put(key, load(key)));
      return loaded;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How the key is loaded. */
  @SuppressWarnings("ImmutableEnumChecker") // functions
  enum Load {
    GET(cache -> cache.get("k")),
    GET_ALL(cache -> cache.getAll(Set.of("k")).get("k")),
    LOAD_ALL(
        cache -> {
          CompletionListenerFuture done = new CompletionListenerFuture();
          cache.loadAll(Set.of("k"), true, done);
          try {
            done.get(30, TimeUnit.SECONDS);
          } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
          }
          return null;
        }),
    INVOKE(cache -> cache.<String>invoke("k", (entry, arguments) -> entry.getValue())),
    INVOKE_ALL(
        cache ->
            cache
                .<String>invokeAll(Set.of("k"), (entry, arguments) -> entry.getValue())
                .get("k")
                .get());

    private final Function<Cache<String, String>, @Nullable String> how;

    Load(Function<Cache<String, String>, @Nullable String> how) {
      this.how = how;
    }

    /** Whether a change of a watched cache waits until the load has ended. */
    boolean holdsItsKey() {
      return this == INVOKE || this == INVOKE_ALL;
    }
  }

  /** What else a cache does when entries change. */
  @SuppressWarnings("ImmutableEnumChecker") // functions
  enum Kind {
    PLAIN(configuration -> {}),
    COUNTED(configuration -> configuration.setStatisticsEnabled(true)),
    WRITTEN_THROUGH(
        configuration ->
            configuration.setWriteThrough(true).setCacheWriterFactory(() -> new Ignoring())),
    HEARD(
        configuration ->
            configuration.addCacheEntryListenerConfiguration(
                new MutableCacheEntryListenerConfiguration<>(
                    () -> (CacheEntryRemovedListener<String, String>) events -> {},
                    null,
                    false,
                    true)));

    private final Consumer<MutableConfiguration<String, String>> how;

    Kind(Consumer<MutableConfiguration<String, String>> how) {
      this.how = how;
    }
  }

  /** A writer of nothing. */
  private static final class Ignoring implements CacheWriter<String, String> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {}

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      entries.clear();
    }

    @Override
    public void delete(Object key) {}

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.clear();
    }
  }

  static Stream<Arguments> cases() {
    return Stream.of(Kind.values())
        .flatMap(
            kind ->
                Stream.of(Load.values())
                    .filter(
                        load ->
                            EnumSet.of(Kind.PLAIN, Kind.COUNTED).contains(kind)
                                || !load.holdsItsKey())
                    .flatMap(
                        load ->
                            Stream.of(Removal.values())
                                // A processor waits for the lock of the one that loads.
                                .filter(removal -> removal != Removal.INVOKE || !load.holdsItsKey())
                                .map(removal -> Arguments.of(kind, load, removal))));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isNotStored(Kind kind, Load how, Removal removal) {
    try (CacheManager manager = managerOver(MemoryEngine.builder().build())) {
      MutableConfiguration<String, String> configuration =
          new MutableConfiguration<String, String>()
              .setTypes(String.class, String.class)
              .setReadThrough(true)
              .setCacheLoaderFactory(Held::new);
      kind.how.accept(configuration);
      Cache<String, String> cache = manager.createCache("c", configuration);
      CompletableFuture<@Nullable String> load =
          CompletableFuture.supplyAsync(
              () -> how.how.apply(cache), task -> new Thread(task).start());
      await(begun);
      removal.how.accept(cache);
      goOn.countDown();
      String loaded = load.orTimeout(30, TimeUnit.SECONDS).join();
      String left = removal.left;
      assertThat(loaded).isEqualTo(how == Load.LOAD_ALL ? null : "v".equals(left) ? "v" : "loaded");
      Map<String, String> entries = new LinkedHashMap<>();
      cache.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
      assertThat(entries).isEqualTo(left == null ? Map.of() : Map.of("k", left));
    }
  }

  static Stream<Arguments> loads() {
    return Stream.of(Kind.PLAIN, Kind.COUNTED)
        .flatMap(kind -> Stream.of(Load.values()).map(load -> Arguments.of(kind, load)));
  }

  @ParameterizedTest
  @MethodSource("loads")
  void doesNotFollowAPutThatHasExpired(Kind kind, Load how) {
    FakeClock clock = new FakeClock();
    try (CacheManager manager = managerOver(MemoryEngine.builder().clock(clock).build())) {
      MutableConfiguration<String, String> configuration =
          new MutableConfiguration<String, String>()
              .setTypes(String.class, String.class)
              .setReadThrough(true)
              .setCacheLoaderFactory(Held::new)
              .setExpiryPolicyFactory(ModifiedExpiryPolicy.factoryOf(Duration.ONE_MINUTE));
      kind.how.accept(configuration);
      Cache<String, String> cache = manager.createCache("c", configuration);
      CompletableFuture<@Nullable String> load =
          CompletableFuture.supplyAsync(
              () -> how.how.apply(cache), task -> new Thread(task).start());
      await(begun);
      cache.put("k", "v");
      assertThat(cache.containsKey("k")).isTrue();
      clock.advanceMillis(60_000);
      assertThat(cache.containsKey("k")).isFalse();
      goOn.countDown();
      assertThat(load.orTimeout(30, TimeUnit.SECONDS).join())
          .isEqualTo(how == Load.LOAD_ALL ? null : "loaded");
      assertThat(cache).isEmpty();
    }
  }
}
