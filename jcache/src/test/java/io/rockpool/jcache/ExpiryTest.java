package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.jcache.internal.config.StoreLocation;
import io.rockpool.testing.FakeClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Expiry to the millisecond, by the clock of a store that the test opened first. */
class ExpiryTest extends JCacheTest {
  private static final long TTL_MILLIS = 10_000;
  private static final Duration TTL = new Duration(TimeUnit.SECONDS, 10);

  private final FakeClock clock = new FakeClock();
  private Rockpool pool;

  @BeforeEach
  void open() {
    pool = Rockpool.at(StoreLocation.directory(uri())).clock(clock).open();
  }

  @AfterEach
  void close() {
    provider.close();
    pool.close();
  }

  private Cache<String, String> cache(Factory<? extends ExpiryPolicy> policy) {
    CacheManager manager = manager();
    return manager.createCache(
        "expiring",
        new MutableConfiguration<String, String>()
            .setTypes(String.class, String.class)
            .setExpiryPolicyFactory(policy));
  }

  @Test
  void eternal() {
    Cache<String, String> cache = cache(EternalExpiryPolicy.factoryOf());
    cache.put("k", "v");
    clock.advanceMillis(TimeUnit.DAYS.toMillis(100_000));
    assertThat(cache.get("k")).isEqualTo("v");
  }

  @Test
  void created() {
    Cache<String, String> cache = cache(CreatedExpiryPolicy.factoryOf(TTL));
    cache.put("k", "v");
    clock.advanceMillis(TTL_MILLIS - 1);
    cache.put("k", "w");
    assertThat(cache.get("k")).isEqualTo("w");
    clock.advanceMillis(1);
    assertThat(cache.get("k")).isNull();
    assertThat(cache.containsKey("k")).isFalse();
    assertThat(cache).isEmpty();
  }

  @Test
  void modified() {
    Cache<String, String> cache = cache(ModifiedExpiryPolicy.factoryOf(TTL));
    cache.put("k", "v");
    clock.advanceMillis(TTL_MILLIS - 1);
    assertThat(cache.replace("k", "w")).isTrue();
    clock.advanceMillis(TTL_MILLIS - 1);
    assertThat(cache.get("k")).isEqualTo("w");
    clock.advanceMillis(1);
    assertThat(cache.get("k")).isNull();
  }

  @Test
  void accessed() {
    Cache<String, String> cache = cache(AccessedExpiryPolicy.factoryOf(TTL));
    cache.put("k", "v");
    for (int i = 0; i < 5; i++) {
      clock.advanceMillis(TTL_MILLIS - 1);
      assertThat(cache.get("k")).isEqualTo("v");
    }
    clock.advanceMillis(TTL_MILLIS - 1);
    cache.put("k", "w");
    assertThat(cache.containsKey("k")).isTrue();
    clock.advanceMillis(1);
    assertThat(cache.get("k")).isNull();
  }

  @Test
  void touched() {
    Cache<String, String> cache = cache(TouchedExpiryPolicy.factoryOf(TTL));
    cache.put("k", "v");
    clock.advanceMillis(TTL_MILLIS - 1);
    cache.put("k", "w");
    clock.advanceMillis(TTL_MILLIS - 1);
    assertThat(cache.iterator().next().getValue()).isEqualTo("w");
    clock.advanceMillis(TTL_MILLIS - 1);
    assertThat(cache.replace("k", "no such value", "x")).isFalse();
    clock.advanceMillis(TTL_MILLIS - 1);
    assertThat(cache.get("k")).isEqualTo("w");
    clock.advanceMillis(TTL_MILLIS);
    assertThat(cache.get("k")).isNull();
  }

  @Test
  void whatReadsHaveMovedOutlivesAClosedCache() {
    Cache<String, String> cache = cache(AccessedExpiryPolicy.factoryOf(TTL));
    cache.put("k", "v");
    clock.advanceMillis(TTL_MILLIS - 1);
    assertThat(cache.get("k")).isEqualTo("v");
    cache.close();
    clock.advanceMillis(TTL_MILLIS - 1);
    assertThat(manager().<String, String>getCache("expiring").get("k")).isEqualTo("v");
  }

  /** Answers what the test says, and notes what it was asked. */
  private static final class ScriptedPolicy implements ExpiryPolicy {
    private final List<String> asked = new ArrayList<>();
    private Duration answer = TTL;
    private boolean throwing;

    private Duration ask(String question) {
      asked.add(question);
      if (throwing) {
        throw new IllegalStateException("no answer");
      }
      return answer;
    }

    @Override
    public Duration getExpiryForCreation() {
      return ask("creation");
    }

    @Override
    public Duration getExpiryForAccess() {
      return ask("access");
    }

    @Override
    public Duration getExpiryForUpdate() {
      return ask("update");
    }
  }

  @Test
  void aPolicyOfOnesOwnIsAskedAtEachEvent() {
    ScriptedPolicy policy = new ScriptedPolicy();
    Cache<String, String> cache = cache(() -> policy);
    cache.put("k", "v");
    cache.put("k", "w");
    cache.get("k");
    cache.containsKey("k");
    cache.remove("k", "no such value");
    assertThat(policy.asked).containsExactly("creation", "update", "access", "access");
  }

  @Test
  void zeroEndsAnEntryAtOnceAndNullLeavesItsExpiry() {
    ScriptedPolicy policy = new ScriptedPolicy();
    Cache<String, String> cache = cache(() -> policy);
    policy.answer = Duration.ZERO;
    cache.put("k", "v");
    assertThat(cache.putIfAbsent("k", "v")).isFalse();
    assertThat(cache.get("k")).isNull();

    policy.answer = TTL;
    cache.put("k", "v");
    policy.answer = null;
    clock.advanceMillis(TTL_MILLIS - 1);
    cache.put("k", "w");
    assertThat(cache.get("k")).isEqualTo("w");
    clock.advanceMillis(1);
    assertThat(cache.get("k")).isNull();

    policy.answer = TTL;
    cache.put("k", "v");
    policy.answer = Duration.ZERO;
    cache.put("k", "w");
    assertThat(cache.get("k")).isNull();
  }

  @Test
  void aPolicyThatThrowsExpiresNothing() {
    ScriptedPolicy policy = new ScriptedPolicy();
    policy.throwing = true;
    Cache<String, String> cache = cache(() -> policy);
    cache.put("k", "v");
    clock.advanceMillis(TimeUnit.DAYS.toMillis(1_000));
    assertThat(cache.get("k")).isEqualTo("v");
  }

  @Test
  void aDurationPastAllTimeIsEternal() {
    Cache<String, String> cache =
        cache(ModifiedExpiryPolicy.factoryOf(new Duration(TimeUnit.DAYS, Long.MAX_VALUE)));
    cache.put("k", "v");
    clock.advanceMillis(TimeUnit.DAYS.toMillis(100_000));
    assertThat(cache.get("k")).isEqualTo("v");
  }
}
