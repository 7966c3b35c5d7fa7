package io.rockpool.cache;

import static io.rockpool.cache.PersistentCacheTest.contents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.rockpool.structure.PersistentStructure;
import io.rockpool.testing.Slow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When entries end: by the policy of their cache, or by a time to live of their own. */
@Slow
class CacheExpiryTest extends OnEverySetup {
  private PersistentCache<String, Integer> cache;

  @BeforeEach
  void open() {
    cache = pool.cache("numbers", String.class, Integer.class, o -> setup.options());
  }

  private PersistentCache<String, Integer> expiring(
      String name, CacheExpiry<? super String, ? super Integer> expiry) {
    CacheOptions<String, Integer> options = setup.options();
    return pool.cache(name, String.class, Integer.class, o -> options.expiry(expiry));
  }

  @Test
  void anEntryIsGoneFromTheMillisecondOfItsExpiryOn() {
    cache.put("a", 1, Duration.ofMillis(10));
    assertThat(cache.get("a")).isEqualTo(1);
    clock.advanceMillis(9);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.ttl("a")).contains(Duration.ofMillis(1));
    clock.advanceMillis(1);
    assertThat(cache.get("a")).isNull();
    assertThat(cache.containsKey("a")).isFalse();
    assertThat(cache.ttl("a")).isEmpty();
    assertThat(cache).isEmpty();
    assertThat(cache.putIfAbsent("a", 2)).isNull();
    assertThat(cache.ttl("a")).contains(CacheExpiry.FOREVER);
  }

  @Test
  void aTtlOfNothingRemoves() {
    cache.put("a", 1);
    cache.put("a", 2, Duration.ZERO);
    assertThat(cache.get("a")).isNull();
    assertThat(cache.expireAfter("a", Duration.ofHours(1))).isFalse();
    cache.put("a", 1);
    assertThat(cache.expireAfter("a", Duration.ofMillis(5))).isTrue();
    assertThat(cache.ttl("a")).contains(Duration.ofMillis(5));
    assertThat(cache.expireAfter("a", Duration.ZERO)).isTrue();
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void manyEntriesMayHaveATtlOfTheirOwn() {
    PersistentCache<String, Integer> c =
        expiring("many", CacheExpiry.afterWrite(Duration.ofHours(1)));
    Map<String, Integer> many = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      many.put("k" + i, i);
    }
    c.putAll(many, Duration.ofSeconds(5));
    assertThat(c.getAll(many.keySet())).isEqualTo(many);
    assertThat(c.ttl("k7")).contains(Duration.ofSeconds(5));
    assertThat(c.statistics().puts()).isEqualTo(1_000);
    c.putAll(Map.of("k8", 80), CacheExpiry.FOREVER);
    assertThat(c.ttl("k8")).contains(CacheExpiry.FOREVER);
    c.putAll(Map.of("k7", 70), Duration.ZERO);
    assertThat(c.containsKey("k7")).isFalse();
    clock.advanceMillis(5_000);
    assertThat(c.getAll(many.keySet())).isEqualTo(Map.of("k8", 80));

    List<String> expired = new ArrayList<>();
    c.onExpired((key, value) -> expired.add(key + value));
    c.putAll(Map.of("a", 1), Duration.ofSeconds(1));
    clock.advanceMillis(1_000);
    c.putAll(Map.of("a", 2), Duration.ofSeconds(1));
    assertThat(expired).containsExactly("a1");
    assertThatNullPointerException().isThrownBy(() -> c.putAll(many, null)).withMessage("ttl");
  }

  @Test
  void afterWriteStartsAnewWithEachWrite() {
    PersistentCache<String, Integer> c =
        expiring("w", CacheExpiry.afterWrite(Duration.ofMillis(100)));
    c.put("a", 1);
    clock.advanceMillis(60);
    c.put("a", 2);
    clock.advanceMillis(99);
    assertThat(c.get("a")).isEqualTo(2);
    clock.advanceMillis(1);
    assertThat(c.get("a")).isNull();
  }

  @Test
  void afterCreationIsNotMovedByWrites() {
    PersistentCache<String, Integer> c =
        expiring("c", CacheExpiry.afterCreation(Duration.ofMillis(100)));
    c.put("a", 1);
    clock.advanceMillis(60);
    c.put("a", 2);
    c.putAll(Map.of("a", 3));
    c.compute("a", (k, v) -> v + 1);
    clock.advanceMillis(39);
    assertThat(c.get("a")).isEqualTo(4);
    clock.advanceMillis(1);
    assertThat(c.get("a")).isNull();
    c.put("a", 5);
    clock.advanceMillis(99);
    assertThat(c.get("a")).isEqualTo(5);
  }

  @Test
  void afterAccessIsMovedByReadsExactly() {
    PersistentCache<String, Integer> c =
        expiring("i", CacheExpiry.afterAccess(Duration.ofMillis(100)));
    c.put("a", 1);
    c.put("b", 1);
    for (int i = 0; i < 100; i++) {
      clock.advanceMillis(99);
      assertThat(c.get("a")).as("read %d", i).isEqualTo(1);
    }
    assertThat(c.containsKey("b")).isFalse();
    clock.advanceMillis(99);
    assertThat(c.containsKey("a")).isTrue();
    assertThat(c.getAll(Set.of("a"))).isEqualTo(Map.of("a", 1));
    clock.advanceMillis(99);
    assertThat(contents(c)).isEqualTo(Map.of("a", 1));
    clock.advanceMillis(1);
    assertThat(c.get("a")).isNull();
    assertThat(contents(c)).isEmpty();
  }

  @Test
  void manyMovedDeadlinesAreWrittenBackAndStayExact() {
    PersistentCache<String, Integer> c =
        expiring("many", CacheExpiry.afterAccess(Duration.ofSeconds(10)));
    int n = IdleDeadlines.MAX_NOTES + 500;
    Map<String, Integer> many =
        IntStream.range(0, n).boxed().collect(Collectors.toMap(i -> "k" + i, i -> i));
    c.putAll(many);
    clock.advanceMillis(9_000);
    assertThat(c.getAll(many.keySet())).hasSize(n);
    clock.advanceMillis(9_999);
    assertThat(contents(c)).hasSize(n);
    clock.advanceMillis(1);
    assertThat(contents(c)).isEmpty();
  }

  @Test
  void aPolicyOfOnesOwnSeesKeyAndValue() {
    PersistentCache<String, Integer> c =
        expiring("f", CacheExpiry.writing((k, v) -> Duration.ofMillis(k.length() * 10L + v)));
    c.put("abc", 4);
    assertThat(c.ttl("abc")).contains(Duration.ofMillis(34));
    c.put("abc", 5);
    assertThat(c.ttl("abc")).contains(Duration.ofMillis(35));
  }

  @Test
  void aFunctionMayDecideAtCreationOnly() {
    PersistentCache<String, Integer> c =
        expiring("f", CacheExpiry.creating((k, v) -> Duration.ofMillis(v)));
    c.put("a", 40);
    clock.advanceMillis(10);
    c.put("a", 70);
    assertThat(c.ttl("a")).contains(Duration.ofMillis(30));
    assertThat(c.get("a")).isEqualTo(70);
    assertThat(c.ttl("a")).contains(Duration.ofMillis(30));
  }

  @Test
  void aFunctionMayDecideAtEachReadToo() {
    PersistentCache<String, Integer> c =
        expiring("f", CacheExpiry.accessing((k, v) -> Duration.ofMillis(v)));
    c.put("a", 40);
    c.put("a", 70);
    assertThat(c.ttl("a")).contains(Duration.ofMillis(70));
    clock.advanceMillis(50);
    assertThat(c.get("a")).isEqualTo(70);
    assertThat(c.ttl("a")).contains(Duration.ofMillis(70));
  }

  @Test
  void aPolicyThatOverridesAfterAccessIsAskedAtReads() {
    class Written implements CacheExpiry<String, Integer> {
      @Override
      public Duration afterCreation(String key, Integer value) {
        return Duration.ofMillis(100);
      }

      @Override
      public Duration afterUpdate(String key, Integer value) {
        return Duration.ofMillis(100);
      }
    }
    class Read extends Written {
      @Override
      public Duration afterAccess(String key, Integer value) {
        return Duration.ofMillis(200);
      }
    }
    assertThat(new Written().usesAccess()).isFalse();
    assertThat(new Read().usesAccess()).isTrue();
    assertThat(new Read() {}.usesAccess()).isTrue();
    PersistentCache<String, Integer> c = expiring("f", new Read());
    c.put("a", 1);
    assertThat(c.get("a")).isEqualTo(1);
    assertThat(c.ttl("a")).contains(Duration.ofMillis(200));
  }

  @Test
  void anEntryCanEndAtAnInstant() {
    cache.put("a", 1);
    Instant end = clock.instant().plusMillis(10);
    assertThat(cache.expireAt("a", end)).isTrue();
    assertThat(cache.ttl("a")).contains(Duration.ofMillis(10));
    assertThat(cache.expireAt("a", Instant.MAX)).isTrue();
    assertThat(cache.ttl("a")).contains(CacheExpiry.FOREVER);
    assertThat(cache.expireAt("a", Instant.MIN)).isTrue();
    assertThat(cache.containsKey("a")).isFalse();
    assertThat(cache.expireAt("a", end)).isFalse();
    cache.put("a", 2);
    assertThat(cache.expireAt("a", clock.instant())).isTrue();
    assertThat(cache.containsKey("a")).isFalse();
  }

  @Test
  void anExpiryCanBeRemoved() {
    cache.put("a", 1, Duration.ofMillis(10));
    assertThat(cache.persist("a")).isTrue();
    assertThat(cache.ttl("a")).contains(CacheExpiry.FOREVER);
    clock.advanceMillis(10);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.persist("none")).isFalse();
  }

  @Test
  void putIfAbsentMayHaveATtl() {
    assertThat(cache.putIfAbsent("a", 1, Duration.ofMillis(10))).isNull();
    assertThat(cache.putIfAbsent("a", 2, Duration.ofMillis(50))).isEqualTo(1);
    assertThat(cache.ttl("a")).contains(Duration.ofMillis(10));
    assertThat(cache.putIfAbsent("b", 1, Duration.ZERO)).isNull();
    assertThat(cache.containsKey("b")).isFalse();
  }

  @Test
  void foreverCanBeUsedInArithmetic() {
    assertThat(CacheExpiry.FOREVER.toMillis()).isEqualTo(Long.MAX_VALUE);
    assertThat(Instant.EPOCH.plus(CacheExpiry.FOREVER)).isAfter(Instant.EPOCH);
    assertThat(PersistentStructure.FOREVER).isEqualTo(CacheExpiry.FOREVER);
    cache.put("a", 1, CacheExpiry.FOREVER);
    assertThat(cache.ttl("a")).contains(CacheExpiry.FOREVER);
    cache.put("b", 1, Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(cache.ttl("b")).contains(CacheExpiry.FOREVER);
  }
}
