package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.cache.HotSize;
import io.rockpool.cache.PersistentCache;
import io.rockpool.store.Durability;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RockpoolConfigurationTest extends JCacheTest {
  private static RockpoolConfiguration<String, String> texts() {
    return RockpoolConfiguration.of(String.class, String.class);
  }

  @Test
  void isGivenBackAsItWasGiven() {
    RockpoolConfiguration<String, String> given =
        texts()
            .expiry(ModifiedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ONE_HOUR))
            .hotEntries(7)
            .durability(Durability.SYNC)
            .diskBudgetBytes(1 << 20)
            .maximumSize(1_000)
            .softTtl(Duration.ofMinutes(5))
            .refreshAheadFactor(0.8)
            .jitter(0.1)
            .warmRestart(false)
            .onUnencodable(OnUnencodable.SKIP)
            .valueCodec(new UpperCodec())
            .entryTtl((key, value) -> Duration.ofMinutes(value.length()))
            .management(true);
    Cache<String, String> cache = manager().createCache("c", given);
    assertThat(own(cache)).isEqualTo(given).hasSameHashCodeAs(given);
    assertThat(own(cache).hotSize()).contains(HotSize.entries(7));
    assertThat(own(cache).diskBudgetBytes()).hasValue(1 << 20);
    assertThat(own(cache).maximumSize()).hasValue(1_000);
    assertThat(own(cache).softTtl()).contains(Duration.ofMinutes(5));
    assertThat(own(cache).refreshAheadFactor()).hasValue(0.8);
    assertThat(own(cache).jitter()).hasValue(0.1);
    assertThat(own(cache).warmRestart()).contains(false);
    assertThat(own(cache).onUnencodable()).contains(OnUnencodable.SKIP);
    assertThat(own(cache).durability()).contains(Durability.SYNC);
    assertThat(configurationOf(cache).isManagementEnabled()).isTrue();
    assertThat(configurationOf(cache)).isEqualTo(new MutableConfiguration<>(given));
  }

  @Test
  void aPlainConfigurationSaysNothingMore() {
    MutableConfiguration<String, String> plain =
        new MutableConfiguration<String, String>().setTypes(String.class, String.class);
    Cache<String, String> cache = manager().createCache("c", plain);
    assertThat(configurationOf(cache)).isEqualTo(plain);
    assertThat(own(cache)).isEqualTo(texts());
    assertThat(own(cache).durability()).isEmpty();
  }

  @Test
  void aBuilderBeginsWithAnotherConfigurationAndLeavesIt() {
    RockpoolConfiguration<String, String> small = texts().hotEntries(1).statistics(true);
    RockpoolConfiguration<String, String> big = RockpoolConfiguration.of(small).hotEntries(1 << 20);
    assertThat(big.hotSize()).contains(HotSize.entries(1 << 20));
    assertThat(big.hotBytes(1).hotSize()).contains(HotSize.bytes(1));
    assertThat(big.isStatisticsEnabled()).isTrue();
    assertThat(small.hotSize()).contains(HotSize.entries(1));
    assertThat(big).isNotEqualTo(small);
  }

  @Test
  void numbersThatMeanNothingAreRefused() {
    assertThatThrownBy(() -> texts().hotEntries(-1)).hasMessageContaining("hotSize is -1;");
    assertThatThrownBy(() -> texts().hotBytes(-1)).hasMessageContaining("hotSize is -1B;");
    assertThatThrownBy(() -> texts().diskBudgetBytes(0)).hasMessageContaining("diskBudgetBytes");
    assertThatThrownBy(() -> texts().maximumSize(0)).hasMessageContaining("maximumSize is 0");
    assertThatThrownBy(() -> texts().softTtl(Duration.ZERO))
        .hasMessageContaining("softTtl is PT0S");
    assertThatThrownBy(() -> texts().refreshAheadFactor(1))
        .hasMessageContaining("refreshAheadFactor is 1.0");
    assertThatThrownBy(() -> texts().jitter(-0.1)).hasMessageContaining("jitter is -0.1");
  }

  @Test
  void isSerializableWhereItsPartsAre() throws Exception {
    RockpoolConfiguration<String, String> given =
        texts()
            .hotEntries(3)
            .expiry(CreatedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ONE_DAY));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(given);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(given);
    }
  }

  @Test
  void theHotTierIsAsLargeAsItSays() {
    Cache<String, String> none = manager().createCache("none", texts().hotBytes(0));
    Cache<String, String> few = manager().createCache("few", texts().hotEntries(5));
    for (int i = 0; i < 1_000; i++) {
      none.put("k" + i, "v");
      few.put("k" + i, "v");
      assertThat(none.get("k" + i)).isEqualTo("v");
    }
    assertThat(none.unwrap(PersistentCache.class).hotSize()).isZero();
    assertThat(few.unwrap(PersistentCache.class).hotSize()).isBetween(1L, 300L);
  }

  @Test
  void tuningReachesTheKernel() {
    RockpoolConfiguration<String, String> bytes =
        texts().hotBytes(77).maximumSize(78).durability(Durability.SYNC);
    CacheOptions<String, String> options =
        CacheOptions.<String, String>defaults().setAll(bytes.values());
    assertThat(options.hotSize()).contains(HotSize.bytes(77));
    assertThat(options.maximumSize()).hasValue(78);
    assertThat(options.durability()).contains(Durability.SYNC);
    assertThat(options.setAll(texts().values())).isEqualTo(options);
  }

  @Test
  void codecsAreUsedAndNeverMixed() {
    manager().createCache("c", texts().valueCodec(new UpperCodec()).hotBytes(0)).put("k", "loud");
    assertThat(manager().<String, String>getCache("c").get("k")).isEqualTo("LOUD");
    assertThatThrownBy(() -> restarted().getCache("c"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("a codec of values");
    assertThatThrownBy(() -> manager().createCache("c", texts()))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("upper");
    assertThat(manager().createCache("c", texts().valueCodec(new UpperCodec())).get("k"))
        .isEqualTo("LOUD");
  }

  @Test
  @SuppressWarnings("unchecked") // a class cannot say its type arguments
  void eachEntryLivesAsLongAsItsFunctionSays() {
    Cache<String, String> cache =
        manager()
            .createCache(
                "c",
                texts()
                    .expiry(ModifiedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ONE_DAY))
                    .entryTtl(
                        (key, value) ->
                            switch (value) {
                              case "policy" -> null;
                              case "fails" -> throw new IllegalStateException("no ttl");
                              case "forever" -> CacheExpiry.FOREVER;
                              case "never" -> Duration.ZERO;
                              default -> Duration.ofMinutes(5);
                            }));
    cache.putAll(Map.of("a", "short", "b", "policy", "c", "fails", "d", "forever", "e", "never"));
    PersistentCache<String, String> kernel = cache.unwrap(PersistentCache.class);
    assertThat(kernel.ttl("a").orElseThrow())
        .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    assertThat(kernel.ttl("b").orElseThrow()).isBetween(Duration.ofHours(23), Duration.ofDays(1));
    assertThat(kernel.ttl("c").orElseThrow()).isBetween(Duration.ofHours(23), Duration.ofDays(1));
    assertThat(kernel.ttl("d")).contains(CacheExpiry.FOREVER);
    assertThat(cache.containsKey("e")).isFalse();

    cache.replace("a", "policy");
    assertThat(kernel.ttl("a").orElseThrow()).isGreaterThan(Duration.ofHours(23));
    cache.invoke(
        "a",
        (entry, arguments) -> {
          entry.setValue("never");
          return null;
        });
    assertThat(cache.containsKey("a")).isFalse();
  }

  @Test
  void comesBackAfterARestart() {
    RockpoolConfiguration<String, String> given =
        texts()
            .expiry(TouchedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ONE_HOUR))
            .hotBytes(1 << 16)
            .durability(Durability.BUFFERED)
            .diskBudgetBytes(1L << 40)
            .maximumSize(1L << 41)
            .softTtl(Duration.ofSeconds(1, 5))
            .refreshAheadFactor(0.875)
            .refreshRetryPause(Duration.ofMinutes(3))
            .jitter(0.3)
            .warmRestart(true)
            .storeByValue(false);
    manager().createCache("c", given).put("k", "v");
    manager().createCache("count", texts().hotEntries(0));
    assertThat(own(restarted().<String, String>getCache("c"))).isEqualTo(given);
    assertThat(own(manager().getCache("count")).hotSize()).contains(HotSize.entries(0));
    assertThat(manager().getCache("c").get("k")).isEqualTo("v");
  }

  static Stream<Named<RockpoolConfiguration<String, String>>> configurationsWithCode() {
    return Stream.of(
        Named.of("a function of entries' TTL", texts().entryTtl((k, v) -> null)),
        Named.of("a codec of values", texts().valueCodec(new UpperCodec())),
        Named.of("a codec of keys", texts().keyCodec(new UpperCodec())),
        Named.of("a cache loader", texts().loader(() -> null)));
  }

  @ParameterizedTest
  @MethodSource("configurationsWithCode")
  void whatIsCodeIsAskedForAgain(RockpoolConfiguration<String, String> configuration) {
    manager().createCache("c", configuration).put("k", "v");
    assertThatThrownBy(() -> restarted().getCache("c"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("cannot be stored")
        .hasMessageContaining("Call createCache");
    assertThat(manager().createCache("c", configuration).containsKey("k")).isTrue();
  }

  @Test
  void switchesComeBackAsTheyWereLast() {
    manager().createCache("c", texts().statistics(true).hotEntries(9));
    manager().enableStatistics("c", false);
    manager().enableManagement("c", true);
    CompleteConfiguration<?, ?> found = configurationOf(restarted().getCache("c"));
    assertThat(found.isStatisticsEnabled()).isFalse();
    assertThat(found.isManagementEnabled()).isTrue();
    manager().enableStatistics("c", true);
    manager().enableManagement("c", false);
    found = configurationOf(restarted().getCache("c"));
    assertThat(found.isStatisticsEnabled()).isTrue();
    assertThat(found.isManagementEnabled()).isFalse();
    assertThat(own(manager().getCache("c")).hotSize()).contains(HotSize.entries(9));
  }

  @Test
  void aSwitchKeepsNoListenerOfTheMoment() {
    Cache<String, String> cache = manager().createCache("c", texts());
    cache.registerCacheEntryListener(
        new javax.cache.configuration.MutableCacheEntryListenerConfiguration<>(
            () -> (javax.cache.event.CacheEntryCreatedListener<String, String>) events -> {},
            null,
            false,
            true));
    manager().enableStatistics("c", true);
    assertThat(configurationOf(restarted().getCache("c")).isStatisticsEnabled()).isTrue();
  }
}
