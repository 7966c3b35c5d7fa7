package io.rockpool.compatibility.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.jcache.RockpoolCachingProvider;
import io.rockpool.sample.testing.LocalServer;
import io.rockpool.spring.RockpoolCache;
import io.rockpool.spring.transaction.RockpoolTransactionManager;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Files alone put an application's caches on a server. */
@Timeout(240)
final class ConfiguredServersTest {
  @Configuration
  @EnableAutoConfiguration
  @EnableCaching
  static class Application {}

  @TempDir private Path directory;

  /** The file that the document has in a block of code, with another server. */
  private URI file(String name, String language, String uriLine) throws IOException {
    String page = Files.readString(Path.of("../../docs/many-machines.md"));
    String fence = "```" + language + "\n";
    int begin = page.indexOf(fence) + fence.length();
    String text = page.substring(begin, page.indexOf("```", begin));
    String changed = text.replaceFirst("uri[ =:]+.*", Matcher.quoteReplacement(uriLine));
    assertThat(changed).isNotEqualTo(text).contains("orders");
    return Files.writeString(directory.resolve(name), changed).toUri();
  }

  @ParameterizedTest
  @EnumSource
  void aFileOfJCacheNamesTheServer(LocalServer.Kind kind) throws IOException {
    kind.tool().orSkip();
    try (LocalServer server = LocalServer.start(kind);
        RockpoolCachingProvider one = new RockpoolCachingProvider();
        RockpoolCachingProvider another = new RockpoolCachingProvider()) {
      URI file = file("caches.conf", "hocon", "uri = \"" + server.uri("shop") + '"');
      CacheManager manager = one.getCacheManager(file, null);
      assertThat(manager.getCacheNames()).containsExactly("orders"); // the file has it
      Cache<String, Integer> orders = manager.getCache("orders", String.class, Integer.class);
      orders.put("o-1", 5);
      assertThat(ttl(manager, "orders")).isBetween(Duration.ofMinutes(55), Duration.ofHours(1));

      // Another process may have the URI itself.
      URI uri = URI.create("rockpool+" + server.uri("shop"));
      CacheManager direct = another.getCacheManager(uri, null);
      assertThat(direct.getCacheNames()).containsExactly("orders");
      Cache<String, Integer> same = direct.getCache("orders", String.class, Integer.class);
      assertThat(same.get("o-1")).isEqualTo(5);
      orders.clear();
      Rockpool pool = direct.unwrap(Rockpool.class);
      assertThat(pool.<Integer>withLatestReads(() -> same.get("o-1"))).isNull();
    }
  }

  private static Duration ttl(CacheManager manager, String name) {
    PersistentCache<String, Integer> cache =
        manager.unwrap(Rockpool.class).cache(name, String.class, Integer.class);
    return cache.ttl("o-1").orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void aYamlFileNamesTheServer(LocalServer.Kind kind) throws IOException {
    kind.tool().orSkip();
    try (LocalServer server = LocalServer.start(kind)) {
      URI file = file("application.yml", "yaml", "uri: " + server.uri("shop"));
      try (ConfigurableApplicationContext one = start(file);
          ConfigurableApplicationContext another = start(file)) {
        cache(one).put("o-1", 5);
        assertThat(cache(another).get("o-1", Integer.class)).isEqualTo(5);
        Optional<Duration> ttl = ((RockpoolCache) cache(one)).getNativeCache().ttl("o-1");
        assertThat(ttl.orElseThrow()).isBetween(Duration.ofMinutes(55), Duration.ofHours(1));
        cache(another).clear();
      }
      try (ConfigurableApplicationContext later = start(file)) {
        assertThat(cache(later).get("o-1")).isNull();
      }
    }
  }

  @Test
  void aTransactionOnRedisIsRefusedWithTheWayOut() throws IOException {
    LocalServer.Kind.REDIS.tool().orSkip();
    try (LocalServer server = LocalServer.start(LocalServer.Kind.REDIS);
        Rockpool pool = Rockpool.open(server.uri("shop"))) {
      TransactionTemplate template = new TransactionTemplate(new RockpoolTransactionManager(pool));
      assertThatThrownBy(() -> template.executeWithoutResult(status -> {}))
          .isInstanceOf(CannotCreateTransactionException.class)
          .hasRootCauseInstanceOf(UnsupportedOperationException.class)
          .hasStackTraceContaining("has no MULTI_ROW_TRANSACTIONS")
          .hasStackTraceContaining("or on PostgreSQL");
    }
  }

  private static org.springframework.cache.Cache cache(ConfigurableApplicationContext context) {
    return context.getBean(org.springframework.cache.CacheManager.class).getCache("orders");
  }

  private static ConfigurableApplicationContext start(URI file) {
    SpringApplication application = new SpringApplication(Application.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setLogStartupInfo(false);
    application.setRegisterShutdownHook(false);
    return application.run("--spring.config.location=" + file);
  }
}
