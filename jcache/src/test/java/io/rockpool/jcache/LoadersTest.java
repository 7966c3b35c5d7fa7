package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.memory.MemoryEngine;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loaders of a cache that somebody watches: slow ones, and such as use the cache themselves. */
class LoadersTest extends JCacheTest {
  /** More than there are locks, so that a lock held for one key is in the way of others. */
  private static final int KEYS = 2_000;

  private static final long SECONDS = 20;

  private final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch loading = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final CacheManager manager = managerOver(MemoryEngine.builder().build());

  @AfterEach
  void closeManager() {
    released.countDown();
    manager.close();
  }

  /** A loader that loads one by one. */
  private record Each(Function<String, String> load) implements CacheLoader<String, String> {
    @Override
    public String load(String key) {
      return load.apply(key);
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      Map<String, String> loaded = new LinkedHashMap<>();
      keys.forEach(key -> loaded.put(key, load.apply(key)));
      return loaded;
    }
  }

  private CacheEntryListener<String, String> listener() {
    CacheEntryCreatedListener<String, String> listener =
        events -> events.forEach(it -> told.add(it.getKey() + "=" + it.getValue()));
    return listener;
  }

  private Cache<String, String> cache(Function<String, String> load) {
    return manager.createCache(
        "c",
        new MutableConfiguration<String, String>()
            .setTypes(String.class, String.class)
            .setReadThrough(true)
            .setCacheLoaderFactory(() -> new Each(load))
            .addCacheEntryListenerConfiguration(
                new MutableCacheEntryListenerConfiguration<>(this::listener, null, false, true)));
  }

  private String slowly(String key) {
    loading.countDown();
    await(released);
    return "loaded";
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** In a thread of its own: the common pool may have but one, and those that wait block it. */
  private static void start(Runnable task) {
    new Thread(task).start();
  }

  private static <T> T result(CompletableFuture<T> future) throws Exception {
    return future.get(SECONDS, TimeUnit.SECONDS);
  }

  private static Set<String> keys() {
    return IntStream.range(0, KEYS).mapToObj(i -> "k" + i).collect(Collectors.toSet());
  }

  @Test
  void oneThatLoadsSlowlyKeepsNoWriterWaiting() throws Exception {
    Cache<String, String> cache = cache(this::slowly);
    CompletableFuture<String> got =
        CompletableFuture.supplyAsync(() -> cache.get("k0"), LoadersTest::start);
    await(loading);
    result(
        CompletableFuture.runAsync(
            () -> keys().forEach(key -> cache.put(key, "put")), LoadersTest::start));
    released.countDown();
    assertThat(result(got)).isEqualTo("put");
    assertThat(cache.get("k0")).isEqualTo("put");
    assertThat(told).contains("k0=put").doesNotContain("k0=loaded");
  }

  @Test
  void norDoesOneThatLoadsMany() throws Exception {
    Cache<String, String> cache = cache(this::slowly);
    CompletionListenerFuture loaded = new CompletionListenerFuture();
    cache.loadAll(keys(), false, loaded);
    await(loading);
    result(CompletableFuture.runAsync(() -> cache.put("k7", "put"), LoadersTest::start));
    result(CompletableFuture.runAsync(() -> cache.put("other", "put"), LoadersTest::start));
    released.countDown();
    loaded.get(SECONDS, TimeUnit.SECONDS);
    assertThat(cache.get("k7")).isEqualTo("put");
    assertThat(told).hasSize(KEYS + 1).contains("k7=put", "other=put", "k8=loaded");
  }

  @Test
  void whatIsRemovedWhileItLoadsIsNotStored() throws Exception {
    Cache<String, String> cache = cache(this::slowly);
    CompletableFuture<String> got =
        CompletableFuture.supplyAsync(() -> cache.get("k"), LoadersTest::start);
    await(loading);
    cache.put("k", "put");
    cache.remove("k");
    released.countDown();
    assertThat(result(got)).isEqualTo("loaded");
    assertThat(cache.containsKey("k")).isFalse();
    assertThat(told).containsExactly("k=put");
  }

  @Test
  void whoAsksMeanwhileIsGivenTheSameAndListenersHearOnce() throws Exception {
    Cache<String, String> cache = cache(this::slowly);
    List<CompletableFuture<String>> all =
        IntStream.range(0, 4)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> cache.get("k"), LoadersTest::start))
            .toList();
    await(loading);
    released.countDown();
    for (CompletableFuture<String> one : all) {
      assertThat(result(one)).isEqualTo("loaded");
    }
    assertThat(told).containsExactly("k=loaded");
  }

  @Test
  void theyMayAskTheCacheForOtherKeys() throws Exception {
    Cache<String, String> cache =
        cache(
            key -> {
              String parent = key.substring(1);
              return parent.isEmpty()
                  ? "root"
                  : manager.getCache("c", String.class, String.class).get(parent);
            });
    List<CompletableFuture<String>> all =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> cache.get(i + "abcdefgh"), LoadersTest::start))
            .toList();
    for (CompletableFuture<String> one : all) {
      assertThat(result(one)).isEqualTo("root");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void threadsSeeTheManagersClasses(boolean listening) throws Exception {
    ClassLoader mine = new URLClassLoader(new URL[0], getClass().getClassLoader());
    ClassLoader others = new URLClassLoader(new URL[0], getClass().getClassLoader());
    CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
    CacheEntryCreatedListener<String, String> listener =
        events -> seen.complete(Thread.currentThread().getContextClassLoader());
    MutableConfiguration<String, String> configuration =
        new MutableConfiguration<String, String>()
            .setTypes(String.class, String.class)
            .setCacheLoaderFactory(
                () ->
                    new Each(
                        key -> {
                          seen.complete(Thread.currentThread().getContextClassLoader());
                          return key;
                        }));
    if (listening) {
      configuration
          .setCacheLoaderFactory(null)
          .addCacheEntryListenerConfiguration(
              new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, false));
    }
    Cache<String, String> cache =
        provider.getCacheManager(uri(), mine).createCache("c", configuration);
    Thread caller =
        new Thread(
            () -> {
              cache.put("a", "b");
              cache.loadAll(Set.of("k"), true, null);
            });
    caller.setContextClassLoader(others);
    caller.start();
    assertThat(result(seen)).isSameAs(mine);
    caller.join();
  }

  /** Notes whether it was closed while it loaded; loads until its cache is being closed. */
  private final class Closed implements CacheLoader<String, String>, AutoCloseable {
    private volatile boolean busy;

    @Override
    public String load(String key) {
      busy = true;
      Cache<?, ?> cache = manager.getCache("c");
      loading.countDown();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      while (cache != null && !cache.isClosed() && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      busy = false;
      return key;
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      return Map.of("k", load("k"));
    }

    @Override
    public void close() {
      told.add(busy ? "closed while it loads" : "closed");
    }
  }

  @Test
  void aCacheThatClosesWaitsForThem() throws Exception {
    Cache<String, String> cache =
        manager.createCache(
            "c",
            new MutableConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setCacheLoaderFactory(Closed::new));
    CompletionListenerFuture loaded = new CompletionListenerFuture();
    cache.loadAll(Set.of("k"), true, loaded);
    await(loading);
    cache.close();
    loaded.get(SECONDS, TimeUnit.SECONDS);
    assertThat(told).containsExactly("closed");
    Cache<String, String> again =
        manager.createCache(
            "c", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
    assertThat(again.get("k")).isEqualTo("k");
  }

  @Test
  void theFailureOfOneIsThatOfAllWhoWait() throws Exception {
    Cache<String, String> cache =
        cache(
            key -> {
              slowly(key);
              throw new IllegalStateException("no " + key);
            });
    CompletableFuture<String> got =
        CompletableFuture.supplyAsync(() -> cache.get("k"), LoadersTest::start);
    await(loading);
    released.countDown();
    assertThatThrownBy(() -> result(got))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("no k");
    assertThat(told).isEmpty();
  }
}
