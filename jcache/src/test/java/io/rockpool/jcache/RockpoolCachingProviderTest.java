package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.jcache.internal.config.StoreLocation;
import io.rockpool.testing.MemoryEngineProvider;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.Callable;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.configuration.OptionalFeature;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RockpoolCachingProviderTest extends JCacheTest {
  private static final ClassLoader OTHER =
      new URLClassLoader(new URL[0], RockpoolCachingProviderTest.class.getClassLoader());

  @Test
  void isFoundByItsService() {
    assertThat(Caching.getCachingProvider()).isInstanceOf(RockpoolCachingProvider.class);
    assertThat(provider.getDefaultURI()).isEqualTo(URI.create("rockpool:rockpool-data"));
    assertThat(provider.isSupported(OptionalFeature.STORE_BY_REFERENCE)).isTrue();
  }

  @Test
  void thePropertyNamesTheDefaultDirectory() {
    Path named = directory.resolve("named by property");
    System.setProperty(StoreLocation.DIRECTORY_PROPERTY, named.toString());
    try {
      CacheManager manager = provider.getCacheManager();
      assertThat(manager.getURI()).isEqualTo(provider.getDefaultURI());
      assertThat(manager.getURI().getSchemeSpecificPart()).isEqualTo(named.toString());
      assertThat(named).isDirectory();
    } finally {
      System.clearProperty(StoreLocation.DIRECTORY_PROPERTY);
    }
  }

  @Test
  void aRelativeDirectoryLiesUnderTheWorkingDirectory() {
    assertThat(StoreLocation.directory(URI.create("rockpool:data"))).isEqualTo(Path.of("data"));
    assertThat(StoreLocation.directory(URI.create("rockpool:/var/my%20data")))
        .isEqualTo(Path.of("/var/my data"));
  }

  @Test
  void aUriMayNameAServer() {
    URI server = URI.create("rockpool+memory://" + UUID.randomUUID());
    MutableConfiguration<String, Integer> configuration =
        new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class);
    Properties properties = new Properties();
    properties.setProperty("timeout", "2s");
    CacheManager manager = provider.getCacheManager(server, null, properties);
    Cache<String, Integer> cache = manager.createCache("orders", configuration);
    cache.put("a", 1);
    assertThat(MemoryEngineProvider.lastOptions().properties()).containsEntry("timeout", "2s");
    assertThat(manager.getURI()).isEqualTo(server);
    CacheManager another = provider.getCacheManager(server, OTHER);
    assertThat(another.<String, Integer>getCache("orders").get("a")).isEqualTo(1);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void thePropertyNamesTheServerOfTheDefaultStore() {
    String server = "memory://" + UUID.randomUUID();
    System.setProperty(StoreLocation.URI_PROPERTY, server);
    try {
      assertThat(provider.getDefaultURI()).isEqualTo(URI.create("rockpool+" + server));
      MutableConfiguration<Object, Object> configuration = new MutableConfiguration<>();
      provider.getCacheManager().createCache("orders", configuration);
      CacheManager named = provider.getCacheManager(URI.create("my-manager"), null);
      named.createCache("others", configuration);
      assertThat(named.getCacheNames()).containsExactly("others");
      assertThat(
              provider.getCacheManager().unwrap(Rockpool.class).names().find("orders").isPresent())
          .isTrue();
    } finally {
      System.clearProperty(StoreLocation.URI_PROPERTY);
    }
  }

  @Test
  void storeByReferenceIsRefusedOnAServer() {
    URI server = URI.create("rockpool+memory://" + UUID.randomUUID());
    CacheManager manager = provider.getCacheManager(server, null);
    MutableConfiguration<Object, Object> configuration =
        new MutableConfiguration<>().setStoreByValue(false);
    assertThatThrownBy(() -> manager.createCache("orders", configuration))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("on a server");
    System.setProperty(StoreLocation.URI_PROPERTY, "memory://x");
    try {
      assertThat(provider.isSupported(OptionalFeature.STORE_BY_REFERENCE)).isFalse();
    } finally {
      System.clearProperty(StoreLocation.URI_PROPERTY);
    }
  }

  @Test
  void aFileMayNameAServer() throws Exception {
    Path file = directory.resolve("caches.conf");
    Files.writeString(
        file,
        "rockpool.jcache { uri = \"memory://%s\", directory = %s }"
            .formatted(UUID.randomUUID(), "unused"));
    assertThat(provider.getCacheManager(file.toUri(), null).unwrap(Rockpool.class))
        .hasToString("The memory engine");
  }

  @Test
  void storeByReferenceIsRefusedWhereANameOrAFileMeansAServer() throws Exception {
    MutableConfiguration<Object, Object> configuration =
        new MutableConfiguration<>().setStoreByValue(false);
    Path file = directory.resolve("caches.conf");
    Files.writeString(
        file, "rockpool.jcache { uri = \"memory://%s\" }".formatted(UUID.randomUUID()));
    CacheManager manager = provider.getCacheManager(file.toUri(), null);
    assertThatThrownBy(() -> manager.createCache("orders", configuration))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("on a server");
    System.setProperty(StoreLocation.URI_PROPERTY, "memory://" + UUID.randomUUID());
    try {
      CacheManager named = provider.getCacheManager(URI.create("my-manager"), null);
      assertThatThrownBy(() -> named.createCache("orders", configuration))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("on a server");
    } finally {
      System.clearProperty(StoreLocation.URI_PROPERTY);
    }
  }

  @Test
  void thePasswordOfAUriIsNotShown() throws Exception {
    String host = UUID.randomUUID().toString();
    CacheManager manager =
        provider.getCacheManager(
            URI.create("rockpool+memory://user:secret@" + host + "/0?password=secret&prefix=a"),
            null);
    manager.createCache(
        "orders",
        new MutableConfiguration<>().setStatisticsEnabled(true).setManagementEnabled(true));
    assertThat(
            ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("javax.cache:Cache=orders,*"), null))
        .extracting(name -> name.getKeyProperty("CacheManager"))
        .containsExactly(
            "rockpool+memory.//" + host + "/0.password&prefix.a",
            "rockpool+memory.//" + host + "/0.password&prefix.a");
    manager.close();
    assertThatThrownBy(() -> manager.getCache("orders"))
        .hasMessageContaining(host)
        .hasMessageNotContaining("user")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(
            () -> provider.getCacheManager(URI.create("rockpool://user:secret@host/data"), null))
        .isInstanceOf(CacheException.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void aServerWithoutItsEngineNamesTheArtifact() {
    assertThatThrownBy(
            () -> provider.getCacheManager(URI.create("rockpool+postgresql://u:secret@h/d"), null))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("io.rockpool:rockpool-postgresql")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file:/data", "rockpool://host/data", "classpath:caches.xml"})
  void aUriThatMeansAnotherFileIsRefusedWithTheRightForm(String uri) {
    assertThatThrownBy(() -> provider.getCacheManager(URI.create(uri), null))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("\"" + uri + "\"")
        .hasMessageContaining("rockpool:/var/data");
  }

  @Test
  void anyOtherUriIsTheNameOfAManagerInTheDefaultStore() {
    System.setProperty(StoreLocation.DIRECTORY_PROPERTY, directory.resolve("default").toString());
    MutableConfiguration<String, Integer> configuration =
        new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class);
    List<String> uris = List.of("my-manager", "my-manager/orders", "ehcache://default/x?y=1");
    try {
      Cache<String, Integer> own = provider.getCacheManager().createCache("orders", configuration);
      own.put("a", -1);
      for (int i = 0; i < uris.size(); i++) {
        CacheManager manager = provider.getCacheManager(URI.create(uris.get(i)), null);
        assertThat(manager.getURI()).isEqualTo(URI.create(uris.get(i)));
        assertThat(manager.getCacheNames()).isEmpty();
        manager.createCache("orders", configuration).put("a", i);
        manager.createCache("orders/x", configuration).put("a", i);
        assertThat(manager.getCacheNames()).containsExactlyInAnyOrder("orders", "orders/x");
      }
      assertThat(provider.getCacheManager().getCacheNames()).containsExactly("orders");
      provider.close();
      for (int i = 0; i < uris.size(); i++) {
        CacheManager manager = provider.getCacheManager(URI.create(uris.get(i)), null);
        assertThat(manager.<String, Integer>getCache("orders").get("a")).isEqualTo(i);
        manager.destroyCache("orders");
        assertThat(manager.getCacheNames()).containsExactly("orders/x");
      }
      assertThat(provider.getCacheManager().<String, Integer>getCache("orders").get("a"))
          .isEqualTo(-1);
      assertThat(directory).isDirectoryContaining(it -> it.endsWith("default"));
    } finally {
      System.clearProperty(StoreLocation.DIRECTORY_PROPERTY);
    }
  }

  @Test
  void aDirectoryOfSomethingElseIsRefusedUntouched() throws Exception {
    Path file = Files.createDirectory(directory.resolve("store")).resolve("letters.txt");
    Files.writeString(file, "dear");
    assertThatThrownBy(this::manager)
        .isInstanceOf(CacheException.class)
        .hasMessageContaining(directory.toString());
    assertThat(file.getParent()).isDirectoryContaining(file::equals).isNotEmptyDirectory();
    assertThat(file).hasContent("dear");
  }

  @Test
  void managersAreKnownByUriAndLoader() {
    CacheManager manager = manager();
    assertThat(provider.getCacheManager(uri(), provider.getDefaultClassLoader())).isSameAs(manager);
    CacheManager other = provider.getCacheManager(uri(), OTHER);
    assertThat(other).isNotSameAs(manager);
    assertThat(other.getClassLoader()).isSameAs(OTHER);
    assertThat(other.getURI()).isEqualTo(uri());
  }

  @Test
  void theDefaultClassLoaderIsThatOfTheApplication() throws Exception {
    ClassLoader rockpool = RockpoolCachingProvider.class.getClassLoader();
    assertThat(madeUnder(OTHER).getDefaultClassLoader()).isSameAs(OTHER);
    assertThat(madeUnder(rockpool).getDefaultClassLoader()).isSameAs(rockpool);
    ClassLoader strange = ClassLoader.getPlatformClassLoader();
    assertThat(madeUnder(strange).getDefaultClassLoader()).isSameAs(rockpool);
    assertThat(madeUnder(null).getDefaultClassLoader()).isSameAs(rockpool);

    Caching.setDefaultClassLoader(OTHER);
    try {
      assertThat(madeUnder(strange).getDefaultClassLoader()).isSameAs(OTHER);
    } finally {
      Caching.setDefaultClassLoader(null);
    }
  }

  @Test
  void theDefaultClassLoaderIsTheSameInEachThread() throws Exception {
    RockpoolCachingProvider made = madeUnder(OTHER);
    try (CacheManager manager = made.getCacheManager(uri(), null)) {
      assertThat(manager.getClassLoader()).isSameAs(OTHER);
      CacheManager elsewhere =
          under(ClassLoader.getPlatformClassLoader(), () -> made.getCacheManager(uri(), null));
      assertThat(elsewhere).isSameAs(manager);
    }
  }

  @Test
  void theDefaultStoreIsThatOfTheApplicationsConfiguration() throws Exception {
    Path classes = Files.createDirectory(directory.resolve("classes"));
    Files.writeString(
        classes.resolve("application.conf"), "rockpool.jcache.directory = /var/lib/shop");
    try (URLClassLoader application =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, OTHER)) {
      assertThat(madeUnder(application).getDefaultURI())
          .isEqualTo(URI.create("rockpool:/var/lib/shop"));
    }
  }

  private static RockpoolCachingProvider madeUnder(@Nullable ClassLoader loader) throws Exception {
    return under(loader, RockpoolCachingProvider::new);
  }

  private static <T> T under(@Nullable ClassLoader loader, Callable<T> work) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return work.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void closingReachesWhatItNames() {
    CacheManager mine = manager();
    CacheManager other = provider.getCacheManager(uri(), OTHER);
    provider.close(OTHER);
    assertThat(other.isClosed()).isTrue();
    assertThat(mine.isClosed()).isFalse();

    CacheManager again = provider.getCacheManager(uri(), OTHER);
    assertThat(again).isNotSameAs(other);
    provider.close(uri(), null);
    assertThat(mine.isClosed()).isTrue();
    assertThat(again.isClosed()).isFalse();

    provider.close();
    assertThat(again.isClosed()).isTrue();
    assertThat(manager().isClosed()).isFalse();
  }

  @Test
  void aClosedManagerRefusesEverything() {
    CacheManager manager = manager();
    Cache<Object, Object> cache = manager.createCache("c", new MutableConfiguration<>());
    manager.close();
    manager.close();
    assertThat(cache.isClosed()).isTrue();
    assertThatThrownBy(() -> cache.get(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(manager::getCacheNames).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> manager.getCache("c")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> manager.destroyCache("c")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> manager.createCache("d", new MutableConfiguration<>()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void managersOfOtherLoadersShareTheStoreAndSeeEachOther() {
    MutableConfiguration<String, Integer> configuration =
        new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class);
    Cache<String, Integer> mine = manager().createCache("shared", configuration);
    Cache<String, Integer> theirs =
        provider.getCacheManager(uri(), OTHER).createCache("shared", configuration);
    mine.put("a", 1);
    assertThat(theirs.get("a")).isEqualTo(1);
    theirs.put("a", 2);
    assertThat(mine.get("a")).isEqualTo(2);
    mine.close();
    assertThat(theirs.get("a")).isEqualTo(2);
  }

  @Test
  void aCacheDestroyedThroughAnotherManagerIsClosed() {
    CacheManager manager = manager();
    Cache<Object, Object> cache = manager.createCache("c", new MutableConfiguration<>());
    cache.put("a", 1);
    provider.getCacheManager(uri(), OTHER).destroyCache("c");
    assertThat(cache.isClosed()).isTrue();
    assertThatThrownBy(() -> cache.put("a", 1)).isInstanceOf(IllegalStateException.class);
    assertThat(manager.<Object, Object>getCache("c")).isNull();
    assertThat(manager.createCache("c", new MutableConfiguration<>())).isEmpty();
  }

  @Test
  void unwrapsTheStore() {
    Rockpool pool = manager().unwrap(Rockpool.class);
    manager().createCache("c", new MutableConfiguration<>());
    assertThat(pool.names().find("c")).isPresent();
    assertThat(manager().unwrap(CacheManager.class)).isSameAs(manager());
    assertThatThrownBy(() -> manager().unwrap(String.class))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatCanBeClosedIsClosedOnce() {
    OwnPolicy policy = new OwnPolicy();
    Cache<Object, Object> cache =
        manager()
            .createCache("c", new MutableConfiguration<>().setExpiryPolicyFactory(() -> policy));
    cache.close();
    cache.close();
    provider.close();
    assertThat(policy.closed()).hasValue(1);
  }

  @Test
  void aCacheThatCannotBeMadeLeavesNothingBehind() {
    OwnPolicy policy = new OwnPolicy();
    MutableConfiguration<Object, Object> configuration =
        new MutableConfiguration<>()
            .setExpiryPolicyFactory(() -> policy)
            .setCacheLoaderFactory(
                () -> {
                  throw new IllegalStateException("no loader");
                });
    assertThatThrownBy(() -> manager().createCache("c", configuration)).hasMessage("no loader");
    assertThat(policy.closed()).hasValue(1);
    assertThat(manager().getCacheNames()).isEmpty();
    assertThat(manager().createCache("c", new MutableConfiguration<>())).isEmpty();
  }
}
