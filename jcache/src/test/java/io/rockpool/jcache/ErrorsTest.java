package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An error, not an exception, in whatever a user gives a cache: the caller gets that error itself,
 * nothing stays locked, and the cache goes on.
 */
@Timeout(60)
class ErrorsTest extends JCacheTest {
  private static final String KEY = "key";
  private static final String OTHER = "other";

  private enum Place {
    LOADER,
    WRITER,
    LISTENER,
    EXPIRY
  }

  private Place place;
  private Error error;
  private Cache<String, String> cache;

  static List<Error> errors() {
    return List.of(
        new OutOfMemoryError("thrown by a user's code"),
        new StackOverflowError("thrown by a user's code"),
        new AssertionError("thrown by a user's code"));
  }

  private void fail(Place at) {
    if (at == place && error != null) {
      throw error;
    }
  }

  private final class Loader implements CacheLoader<String, String> {
    @Override
    public String load(String key) {
      fail(Place.LOADER);
      return "loaded";
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      Map<String, String> all = new HashMap<>();
      keys.forEach(key -> all.put(key, load(key)));
      return all;
    }
  }

  private final class Writer implements CacheWriter<String, String> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
      fail(Place.WRITER);
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      fail(Place.WRITER);
      entries.clear();
    }

    @Override
    public void delete(Object key) {
      fail(Place.WRITER);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      fail(Place.WRITER);
      keys.clear();
    }
  }

  private final class Policy implements ExpiryPolicy {
    @Override
    public Duration getExpiryForCreation() {
      fail(Place.EXPIRY);
      return Duration.ONE_DAY;
    }

    @Override
    public Duration getExpiryForAccess() {
      fail(Place.EXPIRY);
      return Duration.ONE_DAY;
    }

    @Override
    public Duration getExpiryForUpdate() {
      fail(Place.EXPIRY);
      return Duration.ONE_DAY;
    }
  }

  /** What the listener is for: told of all that is done here. */
  private interface Watcher
      extends CacheEntryCreatedListener<String, String>,
          CacheEntryUpdatedListener<String, String>,
          CacheEntryRemovedListener<String, String> {}

  private Watcher watcher() {
    return (Watcher)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Watcher.class},
            (self, method, arguments) -> {
              if (method.getName().startsWith("on")) {
                fail(Place.LISTENER);
              }
              return null;
            });
  }

  @BeforeEach
  void open() {
    Watcher watcher = watcher();
    cache =
        manager()
            .createCache(
                "c",
                new MutableConfiguration<String, String>()
                    .setTypes(String.class, String.class)
                    .setReadThrough(true)
                    .setWriteThrough(true)
                    .setCacheLoaderFactory(Loader::new)
                    .setCacheWriterFactory(Writer::new)
                    .setExpiryPolicyFactory(Policy::new)
                    .addCacheEntryListenerConfiguration(
                        new MutableCacheEntryListenerConfiguration<>(
                            () -> watcher, null, true, true)));
    cache.put(KEY, "1");
  }

  private Map<String, Runnable> writes() {
    Map<String, Runnable> all = new LinkedHashMap<>();
    all.put("put", () -> cache.put(KEY, "2"));
    all.put("put new", () -> cache.put(OTHER, "2"));
    all.put("putAll", () -> cache.putAll(Map.of(KEY, "2", OTHER, "2")));
    all.put("putIfAbsent", () -> cache.putIfAbsent(OTHER, "2"));
    all.put("replace", () -> cache.replace(KEY, "2"));
    all.put("getAndPut", () -> cache.getAndPut(KEY, "2"));
    all.put(
        "invoke",
        () ->
            cache.invoke(
                KEY,
                (entry, arguments) -> {
                  entry.setValue("2");
                  return null;
                }));
    return all;
  }

  private Map<String, Runnable> removals() {
    Map<String, Runnable> all = new LinkedHashMap<>();
    all.put("remove", () -> cache.remove(KEY));
    all.put("getAndRemove", () -> cache.getAndRemove(KEY));
    all.put("removeAll", () -> cache.removeAll(Set.of(KEY)));
    return all;
  }

  /** What a call threw while {@code place} threw it. */
  private Throwable during(Place at, Error thrown, Runnable call) {
    place = at;
    error = thrown;
    try {
      return catchThrowable(call::run);
    } finally {
      error = null;
    }
  }

  /** Others can change everything, and it is as it was before. */
  private void assertWorksOn(String after) throws Exception {
    CompletableFuture.runAsync(
            () -> {
              assertThat(cache.get(KEY)).as(after).isNotNull();
              cache.put(OTHER, "3");
              cache.remove(OTHER);
              cache.getAndPut(KEY, "1");
              cache.invoke(KEY, (entry, arguments) -> entry.getValue());
            })
        .get(20, TimeUnit.SECONDS);
  }

  private void assertUnchanged(String after) throws Exception {
    assertThat(kernelOf(cache).get(KEY)).as(after).isEqualTo("1");
    assertThat(cache.containsKey(OTHER)).as(after).isFalse();
    assertWorksOn(after);
  }

  @ParameterizedTest
  @MethodSource("errors")
  void ofAWriterOrPolicyChangeNothing(Error thrown) throws Exception {
    for (Map.Entry<String, Runnable> write : writes().entrySet()) {
      for (Place at : List.of(Place.WRITER, Place.EXPIRY)) {
        String what = at + " of " + write.getKey();
        assertThat(during(at, thrown, write.getValue())).as(what).isSameAs(thrown);
        assertUnchanged(what);
      }
    }
    for (Map.Entry<String, Runnable> removal : removals().entrySet()) {
      assertThat(during(Place.WRITER, thrown, removal.getValue()))
          .as(removal.getKey())
          .isSameAs(thrown);
      assertUnchanged(removal.getKey());
    }
    assertThat(during(Place.EXPIRY, thrown, () -> cache.get(KEY))).isSameAs(thrown);
    assertUnchanged("access");
  }

  @ParameterizedTest
  @MethodSource("errors")
  void ofALoaderStoreNothing(Error thrown) throws Exception {
    assertThat(during(Place.LOADER, thrown, () -> cache.get(OTHER))).isSameAs(thrown);
    assertUnchanged("get");
    assertThat(during(Place.LOADER, thrown, () -> cache.getAll(Set.of(OTHER)))).isSameAs(thrown);
    assertUnchanged("getAll");
    assertThat(
            during(
                Place.LOADER,
                thrown,
                () -> cache.invoke(OTHER, (entry, arguments) -> entry.getValue())))
        .isSameAs(thrown);
    assertUnchanged("invoke");
    CompletionListenerFuture done = new CompletionListenerFuture();
    place = Place.LOADER;
    error = thrown;
    cache.loadAll(Set.of(OTHER), true, done);
    assertThat(catchThrowable(() -> done.get(20, TimeUnit.SECONDS)))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(CacheLoaderException.class)
        .hasCause(thrown);
    error = null;
    assertUnchanged("loadAll");
    assertThat(cache.get(OTHER)).isEqualTo("loaded");
  }

  @ParameterizedTest
  @MethodSource("errors")
  void ofAProcessorChangeNothing(Error thrown) throws Exception {
    Runnable one =
        () ->
            cache.invoke(
                KEY,
                (entry, arguments) -> {
                  entry.setValue("2");
                  throw thrown;
                });
    assertThat(catchThrowable(one::run)).isSameAs(thrown);
    assertUnchanged("invoke");
    Runnable many =
        () ->
            cache.invokeAll(
                Set.of(KEY, OTHER),
                (entry, arguments) -> {
                  entry.setValue("2");
                  throw thrown;
                });
    assertThat(catchThrowable(many::run)).isSameAs(thrown);
    assertUnchanged("invokeAll");
  }

  @ParameterizedTest
  @MethodSource("errors")
  void ofAListenerThatIsToldLaterAreLogged(Error thrown) throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    CountDownLatch told = new CountDownLatch(2);
    CacheEntryCreatedListener<String, String> later =
        events -> {
          told.countDown();
          throw thrown;
        };
    try {
      cache.registerCacheEntryListener(
          new MutableCacheEntryListenerConfiguration<>(() -> later, null, false, false));
      cache.put(OTHER, "2");
      cache.put("third", "2");
      assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
      cache.close(); // waits for those who are told
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("A listener of cache c failed; the cache goes on", thrown.toString())
        .doesNotContain("Exception in thread");
  }

  /** What it was told of is done. */
  @ParameterizedTest
  @MethodSource("errors")
  void ofAListenerComeAfterTheChange(Error thrown) throws Exception {
    assertThat(during(Place.LISTENER, thrown, () -> cache.put(KEY, "2"))).isSameAs(thrown);
    assertThat(kernelOf(cache).get(KEY)).isEqualTo("2");
    assertWorksOn("put");
    for (Map.Entry<String, Runnable> write : writes().entrySet()) {
      assertThat(during(Place.LISTENER, thrown, write.getValue()))
          .as(write.getKey())
          .isSameAs(thrown);
      assertWorksOn(write.getKey());
    }
    assertThat(during(Place.LISTENER, thrown, () -> cache.remove(KEY))).isSameAs(thrown);
    assertThat(cache.containsKey(KEY)).isFalse();
    assertWorksOn("remove"); // which loads it
  }
}
