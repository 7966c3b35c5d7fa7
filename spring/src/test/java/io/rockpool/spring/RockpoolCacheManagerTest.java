package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.store.Durability;
import io.rockpool.store.Registration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.Cache;
import org.springframework.transaction.support.TransactionTemplate;

final class RockpoolCacheManagerTest {
  private static final RockpoolCacheConfiguration UNSAID = RockpoolCacheConfiguration.defaults();

  private Rockpool pool;
  private RockpoolCacheManager manager;

  @BeforeEach
  void open(@TempDir Path directory) {
    pool = SuiteStores.open(directory);
    manager = new RockpoolCacheManager(pool);
  }

  @AfterEach
  void close() {
    manager.close();
    pool.close();
  }

  @Test
  void cachesAreMadeWhenTheyAreAskedFor() {
    manager.afterPropertiesSet();
    assertThat(manager.getCacheNames()).isEmpty();
    Cache cache = manager.getCache("a");
    assertThat(manager.getCache("a")).isSameAs(cache);
    assertThat(manager.getCacheNames()).containsExactly("a");
  }

  @Test
  void threadsThatAskAtOnceGetTheSame() {
    List<Cache> caches =
        IntStream.range(0, 64).parallel().mapToObj(i -> manager.getCache("a")).distinct().toList();
    assertThat(caches).hasSize(1);
  }

  @Test
  void givenNamesAreAllThereAre() {
    manager.setCacheNames(List.of("a", "b"));
    manager.afterPropertiesSet();
    assertThat(manager.getCacheNames()).containsExactly("a", "b");
    assertThat(manager.getCache("c")).isNull();
    Cache cache = manager.getCache("a");
    cache.put(1, "v");
    manager.initializeCaches();
    assertThat(manager.getCache("a").get(1).get()).isEqualTo("v");
  }

  @Test
  void resettingEmptiesAllCaches() {
    manager.getCache("a").put(1, 1);
    manager.getCache("b").put(1, 1);
    manager.resetCaches();
    assertThat(manager.getCache("a").get(1)).isNull();
    assertThat(manager.getCache("b").get(1)).isNull();
  }

  @Test
  void oneConfigurationCountsOverTheDefaults() {
    manager.setDefaults(UNSAID.ttl(Duration.ofHours(1)).hotEntries(10).keyPrefix("app/"));
    manager.setCacheConfiguration("shop*", UNSAID.tti(Duration.ofMinutes(1)));
    manager.setCacheConfiguration("shop-slow*", UNSAID.hotBytes(5).durability(Durability.SYNC));
    manager.setCacheConfiguration("shop-slow-1", UNSAID.keyPrefix("").nullTtl(Duration.ZERO));
    manager.setCacheConfiguration("fresh", UNSAID.softTtl(Duration.ofMinutes(5)).jitter(0.1));

    assertThat(manager.configurationOf("other"))
        .isEqualTo(UNSAID.ttl(Duration.ofHours(1)).hotEntries(10).keyPrefix("app/"));
    assertThat(manager.configurationOf("fresh").over(UNSAID.refreshAheadFactor(0.8).jitter(0.3)))
        .isEqualTo(
            UNSAID
                .ttl(Duration.ofHours(1))
                .softTtl(Duration.ofMinutes(5))
                .refreshAheadFactor(0.8)
                .jitter(0.1)
                .hotEntries(10)
                .keyPrefix("app/"));
    assertThat(manager.configurationOf("shop"))
        .isEqualTo(UNSAID.tti(Duration.ofMinutes(1)).hotEntries(10).keyPrefix("app/"));
    assertThat(manager.configurationOf("shop-slow"))
        .isEqualTo(
            UNSAID
                .ttl(Duration.ofHours(1))
                .hotBytes(5)
                .durability(Durability.SYNC)
                .keyPrefix("app/"));
    assertThat(manager.configurationOf("shop-slow-1"))
        .isEqualTo(
            UNSAID.ttl(Duration.ofHours(1)).hotEntries(10).nullTtl(Duration.ZERO).keyPrefix(""));
  }

  @Test
  void contradictionsAndImpossibleNumbersAreRefused() {
    assertThatThrownBy(() -> UNSAID.ttl(Duration.ZERO)).hasMessageContaining("ttl is PT0S");
    assertThatThrownBy(() -> UNSAID.tti(Duration.ofMillis(-1))).hasMessageContaining("tti is");
    assertThatThrownBy(() -> UNSAID.nullTtl(Duration.ofMillis(-1))).hasMessageContaining("nullTtl");
    assertThatThrownBy(() -> UNSAID.hotEntries(-1)).hasMessageContaining("hotSize is -1;");
    assertThatThrownBy(() -> UNSAID.hotBytes(-1)).hasMessageContaining("hotSize is -1B;");
    assertThatThrownBy(() -> UNSAID.diskBudgetBytes(0))
        .hasMessageContaining("diskBudgetBytes is 0");
    assertThatThrownBy(() -> UNSAID.maximumSize(0)).hasMessageContaining("maximumSize is 0");
    assertThatThrownBy(() -> UNSAID.softTtl(Duration.ZERO)).hasMessageContaining("softTtl is PT0S");
    assertThatThrownBy(() -> UNSAID.refreshAheadFactor(1))
        .hasMessageContaining("refreshAheadFactor is 1.0");
    assertThatThrownBy(() -> UNSAID.jitter(-0.5)).hasMessageContaining("jitter is -0.5");
  }

  @Test
  void aPrefixStandsInFrontOfTheNameInTheStore() {
    manager.setDefaults(UNSAID.keyPrefix("app/"));
    manager.getCache("a").put(1, "v");
    assertThat(pool.names().list("app")).singleElement().extracting("name").isEqualTo("app/a");
    assertThat(manager.getCacheNames()).containsExactly("a");
  }

  @Test
  void aNameThatHoldsSomethingElseIsRefused() {
    pool.map("stock", String.class, Long.class);
    assertThatThrownBy(() -> manager.getCache("stock")).isInstanceOf(NameConflictException.class);
  }

  @Test
  void changesWaitForTheCommitWhereAskedTo() {
    manager.setTransactionAware(true);
    Cache cache = manager.getCache("a");
    cache.put("evicted", 1);
    TransactionTemplate template = new TransactionTemplate(new ResourcelessTransactions());

    template.executeWithoutResult(
        status -> {
          cache.put("put", 1);
          cache.evict("evicted");
          assertThat(cache.get("put")).isNull();
          assertThat(cache.get("evicted")).isNotNull();
        });
    assertThat(cache.get("put")).isNotNull();
    assertThat(cache.get("evicted")).isNull();

    template.executeWithoutResult(
        status -> {
          cache.put("rolled back", 1);
          cache.evict("put");
          cache.clear();
          status.setRollbackOnly();
        });
    assertThat(cache.get("rolled back")).isNull();
    assertThat(cache.get("put")).isNotNull();

    cache.put("outside", 1);
    assertThat(cache.get("outside")).isNotNull();
  }

  @Test
  void closingClosesTheCachesAndNotTheStore() {
    Cache cache = manager.getCache("a");
    cache.put(1, "v");
    manager.close();
    manager.close();
    assertThatThrownBy(() -> cache.get(1)).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> manager.getCache("b"))
        .isInstanceOf(StoreClosedException.class)
        .hasMessageContaining("is closed");
    RockpoolCacheManager other = new RockpoolCacheManager(pool);
    assertThat(other.getCache("a").get(1).get()).isEqualTo("v");
    other.close();
  }

  @Test
  void twoManagersOnOneStoreSeeEachOthersWrites() {
    try (RockpoolCacheManager other = new RockpoolCacheManager(pool)) {
      Cache mine = manager.getCache("a");
      Cache theirs = other.getCache("a");
      mine.put(1, "v");
      assertThat(theirs.get(1).get()).isEqualTo("v");
      theirs.put(1, "w");
      assertThat(mine.get(1).get()).isEqualTo("w");
      mine.clear();
      assertThat(theirs.get(1)).isNull();
    }
  }

  @Test
  void aListenerOfNewCachesCanLeave() {
    manager.getCache("before");
    List<String> made = new ArrayList<>();
    try (Registration registration = manager.whenMade(cache -> made.add(cache.getName()))) {
      manager.getCache("meanwhile");
    }
    manager.getCache("after");
    assertThat(made).containsExactly("before", "meanwhile");
  }

  /** The JCache provider has the same table. */
  @Test
  void cachesHaveAnyName() {
    Map<String, String> stored =
        Map.of(
            "", "%",
            "/users", "%002Fusers",
            "users/", "users%002F",
            "a//b", "a/%002Fb",
            "a/b", "a/b",
            "tab\tnul\0", "tab%0009nul%0000",
            "50%", "50%0025",
            "\ud83d", "%D83D");
    for (String prefix : List.of("", "app/")) {
      manager.setDefaults(UNSAID.keyPrefix(prefix));
      stored.keySet().forEach(name -> manager.getCache(name).put(1, prefix + name));
      assertThat(manager.getCacheNames()).containsExactlyInAnyOrderElementsOf(stored.keySet());
      assertThat(pool.names().list(prefix.replace("/", "")))
          .extracting("name")
          .containsExactlyInAnyOrderElementsOf(
              stored.values().stream().map(name -> prefix + name).toList());
      stored
          .keySet()
          .forEach(
              name -> assertThat(manager.getCache(name).get(1).get()).isEqualTo(prefix + name));
      manager.close();
      manager = new RockpoolCacheManager(pool);
      manager.setDefaults(UNSAID.keyPrefix(prefix));
      stored
          .keySet()
          .forEach(
              name -> assertThat(manager.getCache(name).get(1).get()).isEqualTo(prefix + name));
      stored.values().forEach(name -> pool.names().drop(prefix + name));
      manager.close();
      manager = new RockpoolCacheManager(pool);
    }
  }
}
