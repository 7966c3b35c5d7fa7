package io.rockpool.jcache;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.HotSize;
import io.rockpool.store.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ModifiedExpiryPolicy;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/jcache.md} are these, and they are right. */
class JCachePageTest extends JCacheTest {
  private record Order(String id, boolean isDraft) {}

  private static Cache<String, Order> example(CacheManager manager) {
    // PAGE
    Cache<String, Order> orders =
        manager.createCache(
            "orders",
            RockpoolConfiguration.of(String.class, Order.class)
                .expiry(ModifiedExpiryPolicy.factoryOf(Duration.ONE_HOUR))
                .entryTtl((id, order) -> order.isDraft() ? ofMinutes(5) : null)
                .hotEntries(10_000)
                .jitter(0.1)
                .durability(Durability.SYNC));
    // PAGE
    return orders;
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("").toAbsolutePath().resolveSibling("docs/jcache.md"));
  }

  @Test
  void theCodeIsTheOneInThePage() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/io/rockpool/jcache/JCachePageTest.java"));
    String mark = "    // PAGE\n";
    int begin = source.indexOf(mark) + mark.length();
    String code =
        source.substring(begin, source.indexOf(mark, begin)).stripTrailing().stripIndent();
    assertThat(page()).contains("\n" + code + "\n```");
    Cache<String, Order> orders = example(manager());
    orders.put("o-1", new Order("o-1", true));
    assertThat(orders.get("o-1").isDraft()).isTrue();
  }

  @Test
  void theFileInThePageIsRight() throws IOException {
    String mark = "```hocon\n";
    String page = page();
    int begin = page.indexOf(mark) + mark.length();
    Path file = directory.resolve("caches.conf");
    Files.writeString(
        file,
        page.substring(begin, page.indexOf("```", begin))
            .replace("/var/lib/shop", "\"" + directory.resolve("store") + "\"")
            .replace("com.acme.Order", "\"" + Order.class.getName() + "\""));
    Cache<String, Order> orders =
        provider.getCacheManager(file.toUri(), null).getCache("shop/orders");
    orders.put("o-1", new Order("o-1", false));
    assertThat(own(orders).hotSize()).contains(HotSize.bytes(64 << 20));
    assertThat(own(orders).durability()).contains(Durability.SYNC);
    assertThat(directory.resolve("store")).isDirectory();
  }
}
