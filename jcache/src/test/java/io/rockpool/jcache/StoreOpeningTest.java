package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.jcache.internal.config.AllowedNames;
import io.rockpool.jcache.internal.config.StoreLocation;
import io.rockpool.jcache.internal.config.StoreOpening;
import io.rockpool.testing.Child;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A manager whose store another process has open, and temporary stores. */
@Timeout(60)
final class StoreOpeningTest extends JCacheTest {
  /** A process that holds a store open until its input ends. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      try (Rockpool pool = Rockpool.at(Path.of(arguments[0])).open()) {
        System.out.println("holds " + pool);
        System.in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  private Child hold() throws IOException {
    Child holder = Child.start(Holder.class, List.of(), directory.resolve("store"));
    assertThat(holder.readLine()).startsWith("holds");
    return holder;
  }

  private CacheManager manager(String property, String value) {
    Properties properties = new Properties();
    properties.setProperty(property, value);
    return provider.getCacheManager(uri(), null, properties);
  }

  @Test
  void aManagerWaitsForTheOtherProcessWithoutBeingTold() throws Exception {
    try (Child holder = hold()) {
      CompletableFuture<CacheManager> opening = CompletableFuture.supplyAsync(this::manager);
      assertThatThrownBy(() -> opening.get(300, TimeUnit.MILLISECONDS)).hasMessage(null); // waits
      holder.release();
      assertThat(opening.get(30, TimeUnit.SECONDS).isClosed()).isFalse();
    }
  }

  @Test
  void theWaitIsAPropertyOfTheManagerOrTheFile() throws Exception {
    try (Child holder = hold()) {
      String pid = "in use by the process with pid " + holder.pid();
      assertThatThrownBy(() -> manager(StoreOpening.LOCK_WAIT_PROPERTY, "100ms"))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining(pid);
      assertThatThrownBy(() -> manager("lock-wait = 0s"))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining(pid);
    }
  }

  @Test
  void aTemporaryStoreTakesThePlaceOfALockedOne() throws Exception {
    try (Child holder = hold()) {
      CacheManager manager = manager("lock-wait = 0s\nwhen-locked = temporary");
      Cache<String, String> cache = manager.createCache("c", new MutableConfiguration<>());
      cache.put("k", "v");
      assertThat(cache.get("k")).isEqualTo("v");
      holder.release();
      assertThat(holder.waitFor()).isZero();
    }
    provider.close();
    assertThat(manager().getCacheNames()).isEmpty();
  }

  @Test
  void aMistakeIsNamed() {
    assertThatThrownBy(() -> manager(StoreOpening.LOCK_WAIT_PROPERTY, "soon"))
        .isInstanceOf(CacheException.class)
        .hasMessage("rockpool.lock-wait is \"soon\". Give a duration, such as 30s or 2 minutes.");
    assertThatThrownBy(() -> manager(StoreOpening.WHEN_LOCKED_PROPERTY, "panic"))
        .isInstanceOf(CacheException.class)
        .hasMessage("rockpool.when-locked is \"panic\". Give one of fail, temporary.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "1", "on", "ture", "falsch"})
  void aStrictnessThatIsNeitherTrueNorFalseIsRefused(String text) throws Exception {
    String message = "rockpool.strict is \"" + text + "\". Give true or false.";
    assertThatThrownBy(() -> manager(AllowedNames.STRICT, text))
        .isInstanceOf(CacheException.class)
        .hasMessage(message);
    System.setProperty(AllowedNames.STRICT, text);
    try {
      assertThatThrownBy(this::manager).isInstanceOf(CacheException.class).hasMessage(message);
    } finally {
      System.clearProperty(AllowedNames.STRICT);
    }
    Rockpool.at(directory.resolve("store")).lockWait(Duration.ZERO).open().close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "TRUE", " true "})
  void trueIsStrictInAnyCase(String text) {
    Cache<Object, Object> cache =
        manager(AllowedNames.STRICT, text).createCache("c", new MutableConfiguration<>());
    assertThatThrownBy(() -> cache.put("k", new Unlisted())).isInstanceOf(CacheException.class);
  }

  @Test
  void aPropertyThatIsNoTextIsRefused() {
    Properties properties = new Properties();
    properties.put(AllowedNames.STRICT, true);
    assertThatThrownBy(() -> provider.getCacheManager(uri(), null, properties))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("rockpool.strict")
        .hasMessageContaining("java.lang.Boolean");
    properties.clear();
    properties.put("other", 7);
    assertThat(provider.getCacheManager(uri(), null, properties).isClosed()).isFalse();
  }

  record Unlisted() {}

  @Test
  void temporaryManagersHaveAStoreEach() {
    URI temporary = StoreLocation.uriOf(StoreLocation.TEMPORARY);
    ClassLoader other = new ClassLoader(getClass().getClassLoader()) {};
    List<Cache<String, String>> caches = new ArrayList<>();
    for (ClassLoader loader : List.of(getClass().getClassLoader(), other)) {
      caches.add(
          provider
              .getCacheManager(temporary, loader)
              .createCache("c", new MutableConfiguration<>()));
    }
    caches.get(0).put("k", "v");
    assertThat(caches.get(1).get("k")).isNull();
    assertThat(Path.of(StoreLocation.TEMPORARY)).doesNotExist();
    provider.close();
    assertThat(provider.getCacheManager(temporary, null).getCacheNames()).isEmpty();
  }
}
