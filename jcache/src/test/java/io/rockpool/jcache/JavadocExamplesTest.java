package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.HotSize;
import io.rockpool.jcache.internal.config.ConfigurationFile;
import io.rockpool.store.Durability;
import io.rockpool.testing.DocumentExamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ModifiedExpiryPolicy;
import org.junit.jupiter.api.Test;

/** The examples in the javadoc of this package, as they are there. */
final class JavadocExamplesTest extends JCacheTest {
  private record Order(String id) {}

  @Test
  void configuration() {
    CacheManager manager = manager();
    // JAVADOC RockpoolConfiguration
    RockpoolConfiguration<String, Order> configuration =
        RockpoolConfiguration.of(String.class, Order.class)
            .expiry(ModifiedExpiryPolicy.factoryOf(Duration.ONE_HOUR))
            .hotEntries(10_000)
            .durability(Durability.SYNC);
    Cache<String, Order> orders = manager.createCache("orders", configuration);
    // JAVADOC RockpoolConfiguration
    assertThat(own(orders)).isEqualTo(configuration);
    DocumentExamples.assertInJavadoc(RockpoolConfiguration.class, JavadocExamplesTest.class);
  }

  @Test
  void theFileOfTheProviderIsRight() throws IOException {
    Path file = directory.resolve("caches.conf");
    Files.writeString(file, DocumentExamples.javadocExample(RockpoolCachingProvider.class));
    ConfigurationFile read = ConfigurationFile.of(file.toUri(), getClass().getClassLoader());
    assertThat(read.cache("orders")).isNotNull();
    assertThat(
            read.template()
                .options(getClass().getClassLoader())
                .get(RockpoolConfiguration.HOT_SIZE))
        .isEqualTo(HotSize.bytes(64 << 20));
  }
}
