package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.NameConflictException;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentStructure;
import io.rockpool.structure.StructureOptions;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options that describe data are kept with the name. */
class KeptOptionsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final TypeRef<String> TEXT = TypeRef.of(String.class);

  /** A policy in code. */
  private static final class AnHour implements CacheExpiry<String, String> {
    @Override
    public Duration afterCreation(String key, String value) {
      return HOUR;
    }

    @Override
    public Duration afterUpdate(String key, String value) {
      return HOUR;
    }
  }

  private final FakeClock clock = new FakeClock();

  @TempDir Path directory;

  private void opened(Consumer<Rockpool> work) {
    try (Rockpool pool = Rockpool.at(directory).clock(clock).open()) {
      work.accept(pool);
    }
  }

  private static CacheOptions<String, String> defaults() {
    return CacheOptions.defaults();
  }

  private static PersistentCache<String, String> cache(
      Rockpool pool, CacheOptions<String, String> options) {
    return pool.cache("c", TEXT, TEXT, o -> options);
  }

  private static PersistentCache<String, String> cache(Rockpool pool) {
    return pool.cache("c", String.class, String.class);
  }

  private static PersistentMap<String, String> map(Rockpool pool, StructureOptions options) {
    return pool.map("m", TEXT, TEXT, o -> options);
  }

  private boolean livesFor(Duration time, Function<Rockpool, PersistentCache<String, String>> of) {
    boolean[] lives = new boolean[1];
    opened(
        pool -> {
          of.apply(pool).put("a", "1");
          clock.advanceMillis(time.toMillis());
          lives[0] = of.apply(pool).get("a") != null;
        });
    return lives[0];
  }

  @Test
  void aCacheKeepsItsExpiry() {
    opened(pool -> cache(pool, defaults().expiry(CacheExpiry.afterWrite(HOUR))));
    assertThat(livesFor(HOUR.minusMillis(1), KeptOptionsTest::cache)).isTrue();
    assertThat(livesFor(HOUR, KeptOptionsTest::cache)).isFalse();
    assertThat(livesFor(HOUR, pool -> cache(pool, defaults().hotEntries(9)))).isFalse();
    Function<Rockpool, PersistentCache<String, String>> forDays =
        pool -> cache(pool, defaults().expiry(CacheExpiry.afterWrite(Duration.ofDays(2))));
    assertThat(livesFor(HOUR, forDays)).isTrue();
    assertThat(livesFor(Duration.ofDays(1), KeptOptionsTest::cache)).isTrue();
    assertThat(livesFor(Duration.ofDays(2), KeptOptionsTest::cache)).isFalse();
    opened(pool -> cache(pool, defaults().expiry(CacheExpiry.never())));
    assertThat(livesFor(Duration.ofDays(3), KeptOptionsTest::cache)).isTrue();
  }

  @Test
  void aCacheKeepsItsIdleTimeWithItsLimit() {
    opened(
        pool ->
            cache(
                pool,
                defaults().expiry(CacheExpiry.afterWriteOrAccess(HOUR.multipliedBy(2), HOUR))));
    opened(
        pool -> {
          PersistentCache<String, String> cache = cache(pool);
          cache.put("a", "1");
          clock.advanceMillis(HOUR.toMillis() - 1);
          assertThat(cache.get("a")).isEqualTo("1");
          clock.advanceMillis(HOUR.toMillis() - 1);
          assertThat(cache.get("a")).isEqualTo("1");
          clock.advanceMillis(2);
          assertThat(cache.get("a")).isNull();
        });
  }

  @Test
  void aCacheKeepsItsLimitsOnDisk() {
    opened(pool -> cache(pool, defaults().diskBudgetBytes(1 << 20).maximumSize(10).jitter(0.5)));
    opened(
        pool -> {
          cache(pool);
          assertThat(pool.names().find("c").orElseThrow().diskBudgetBytes())
              .isEqualTo(OptionalLong.of(1 << 20));
          assertThat(pool.names().find("c").orElseThrow().options())
              .containsEntry("rockpool.maximum-size", "10")
              .containsEntry("rockpool.jitter", "0.5");
        });
    opened(pool -> cache(pool, defaults().diskBudgetBytes(2 << 20)));
    opened(
        pool -> {
          cache(pool);
          assertThat(pool.names().find("c").orElseThrow().diskBudgetBytes())
              .isEqualTo(OptionalLong.of(2 << 20));
        });
  }

  @Test
  void theJitterOfAPolicyIsKeptToo() {
    opened(
        pool ->
            cache(
                pool,
                defaults().expiry(CacheExpiry.<String, String>afterWrite(HOUR).withJitter(0.5))));
    opened(
        pool -> {
          cache(pool);
          assertThat(pool.names().find("c").orElseThrow().options())
              .containsEntry("rockpool.expiry", "creation=PT1H update=PT1H jitter=0.5");
        });
    assertThat(livesFor(HOUR, KeptOptionsTest::cache)).isFalse();
  }

  @Test
  void anExpiryInCodeIsNotKept() {
    opened(pool -> cache(pool, defaults().expiry(new AnHour())));
    opened(
        pool -> {
          cache(pool);
          assertThat(pool.names().find("c").orElseThrow().options())
              .containsEntry("rockpool.expiry", "code");
        });
    assertThat(livesFor(HOUR, KeptOptionsTest::cache)).isTrue();
  }

  @Test
  void attributesAreKeptBesideOptions() {
    opened(pool -> cache(pool, defaults().attributes(Map.of("owner", "shop"))));
    opened(pool -> cache(pool, defaults().maximumSize(5)));
    opened(
        pool ->
            assertThat(pool.names().find("c").orElseThrow().options())
                .containsOnly(Map.entry("owner", "shop"), Map.entry("rockpool.maximum-size", "5")));
  }

  @Test
  void anOpenCacheRefusesAnotherValueByName() {
    opened(
        pool -> {
          PersistentCache<String, String> cache = cache(pool, defaults().hotEntries(5));
          assertThat(cache(pool, defaults())).isSameAs(cache);
          assertThat(cache(pool, defaults().jitter(0))).isSameAs(cache);
          assertThatIllegalStateException()
              .isThrownBy(() -> cache(pool, defaults().hotEntries(6)))
              .withMessageContaining("hotSize is 5, not 6");
          assertThatIllegalStateException()
              .isThrownBy(() -> cache(pool, defaults().maximumSize(6)))
              .withMessageContaining("maximumSize is unset, not 6");
        });
  }

  @Test
  void aConflictOfNamesSaysWhatDiffers() {
    opened(pool -> cache(pool));
    opened(
        pool ->
            assertThatThrownBy(() -> pool.cache("c", Long.class, String.class))
                .isInstanceOf(NameConflictException.class)
                .hasMessageContaining(
                    "key type is java.lang.String, not java.lang.Long; key codec is "));
  }

  @Test
  void aResetForgetsWhatWasKept() {
    opened(pool -> cache(pool, defaults().expiry(CacheExpiry.afterWrite(HOUR)).maximumSize(9)));
    opened(
        pool -> {
          pool.cache(
              "c", TypeRef.of(Long.class), TEXT, o -> o.onConflict(CacheOptions.OnConflict.RESET));
          assertThat(pool.names().find("c").orElseThrow().options()).isEmpty();
        });
  }

  @Test
  void aStructureKeepsTheTimeToLiveOfItsElements() {
    opened(pool -> map(pool, StructureOptions.defaults().entryTtl(HOUR)));
    opened(
        pool -> {
          PersistentMap<String, String> map = pool.map("m", String.class, String.class);
          map.put("a", "1");
          assertThat(map.ttl("a")).contains(HOUR);
        });
    opened(pool -> map(pool, StructureOptions.defaults().entryTtl(HOUR.multipliedBy(2))));
    opened(
        pool -> {
          PersistentMap<String, String> map = map(pool, StructureOptions.defaults());
          map.put("a", "1");
          assertThat(map.ttl("a")).contains(HOUR.multipliedBy(2));
        });
    opened(pool -> map(pool, StructureOptions.defaults().entryTtl(PersistentStructure.FOREVER)));
    opened(
        pool -> {
          PersistentMap<String, String> map = pool.map("m", String.class, String.class);
          map.put("a", "1");
          assertThat(map.ttl("a")).contains(PersistentStructure.FOREVER);
        });
  }

  @Test
  void aDequeKeepsItsCapacity() {
    StructureOptions ofTwo = StructureOptions.defaults().capacity(2);
    opened(pool -> pool.deque("d", String.class).add("a"));
    opened(pool -> pool.deque("d", TEXT, o -> ofTwo));
    opened(
        pool -> {
          PersistentDeque<String> deque = pool.deque("d", String.class);
          assertThat(deque.remainingCapacity()).isEqualTo(1);
          assertThat(pool.deque("d", TEXT, o -> ofTwo)).isSameAs(deque);
        });
    opened(
        pool -> {
          PersistentDeque<String> wider = pool.deque("d", String.class, o -> o.capacity(3));
          assertThat(wider.remainingCapacity()).isEqualTo(2);
        });
    opened(pool -> assertThat(pool.deque("d", String.class).remainingCapacity()).isEqualTo(2));
  }

  @Test
  void anOpenStructureRefusesAnotherValueByName() {
    opened(
        pool -> {
          PersistentMap<String, String> map = map(pool, StructureOptions.defaults().entryTtl(HOUR));
          assertThat(map(pool, StructureOptions.defaults())).isSameAs(map);
          assertThatIllegalStateException()
              .isThrownBy(() -> map(pool, StructureOptions.defaults().entryTtl(HOUR.plus(HOUR))))
              .withMessageContaining("entryTtl is PT1H, not PT2H");
        });
  }
}
