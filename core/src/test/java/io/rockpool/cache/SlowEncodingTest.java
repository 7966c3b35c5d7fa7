package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A time to live runs from the write, however long the value took to encode: the first value of a
 * class is tried out and its class recorded before.
 */
class SlowEncodingTest extends OnEverySetup {
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration OWN_TTL = Duration.ofSeconds(4);

  private boolean slow;

  /** Takes six seconds for the next value. */
  private final class SlowCodec implements Codec<String> {
    private final Codec<String> fast = Codecs.defaults().codecFor(TypeRef.of(String.class));

    @Override
    public String id() {
      return "slow";
    }

    @Override
    public byte[] encode(String value) {
      if (slow) {
        slow = false;
        clock.advanceMillis(6_000);
      }
      return fast.encode(value);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      return fast.decode(bytes, offset, length);
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  private PersistentCache<String, String> cache(CacheOptions<String, String> options) {
    return pool.cache(
        "slow",
        String.class,
        String.class,
        o ->
            options
                .valueCodec(new SlowCodec())
                .refreshLoader(key -> "r")
                .refreshExecutor(Runnable::run));
  }

  private static List<Consumer<PersistentCache<String, String>>> writes() {
    return List.of(
        cache -> cache.put("k", "v"),
        cache -> cache.putAll(Map.of("k", "v")),
        cache -> cache.putIfAbsent("k", "v"),
        cache -> cache.getAndPut("k", "v"),
        cache -> cache.compute("k", (key, value) -> "v"),
        cache -> cache.merge("k", "v", (old, value) -> "v"),
        cache -> cache.asMap().put("k", "v"),
        cache -> cache.get("k", key -> "v"),
        cache -> cache.getAll(List.of("k"), keys -> Map.of("k", "v")),
        cache ->
            cache
                .getAsync("k", key -> CompletableFuture.completedFuture("v"), Runnable::run)
                .join(),
        cache -> cache.refresh("k").join());
  }

  private static List<Consumer<PersistentCache<String, String>>> writesWithTtl() {
    return List.of(
        cache -> cache.put("k", "v", OWN_TTL),
        cache -> cache.putAll(Map.of("k", "v"), OWN_TTL),
        cache -> cache.putIfAbsent("k", "v", OWN_TTL));
  }

  private void assertTtl(
      PersistentCache<String, String> cache,
      Consumer<PersistentCache<String, String>> write,
      Duration ttl) {
    cache.clear();
    slow = true;
    write.accept(cache);
    assertThat(cache.ttl("k")).contains(ttl);
    clock.advanceMillis(ttl.toMillis() - 1);
    assertThat(cache.containsKey("k")).isTrue();
    clock.advanceMillis(1);
    assertThat(cache.containsKey("k")).isFalse();
  }

  @Test
  void theTtlRunsFromTheWrite() {
    for (CacheExpiry<Object, Object> expiry :
        List.<CacheExpiry<Object, Object>>of(
            CacheExpiry.afterWrite(TTL),
            CacheExpiry.afterCreation(TTL),
            CacheExpiry.afterAccess(TTL),
            CacheExpiry.afterWriteOrAccess(TTL, TTL))) {
      PersistentCache<String, String> cache = cache(setup.<String, String>options().expiry(expiry));
      writes().forEach(write -> assertTtl(cache, write, TTL));
      writesWithTtl().forEach(write -> assertTtl(cache, write, OWN_TTL));
      try (var watching = cache.onExpired((key, value) -> {})) {
        writes().forEach(write -> assertTtl(cache, write, TTL));
        writesWithTtl().forEach(write -> assertTtl(cache, write, OWN_TTL));
      }
      cache.close();
    }
  }

  @Test
  void anUpdateThatKeepsTheExpiryKeepsIt() {
    PersistentCache<String, String> cache =
        cache(setup.<String, String>options().expiry(CacheExpiry.afterCreation(TTL)));
    cache.put("k", "v");
    slow = true;
    cache.put("k", "w");
    assertThat(cache.ttl("k")).contains(TTL.minusSeconds(6));
  }

  @Test
  void theRefreshTimeCountsFromTheWriteToo() {
    PersistentCache<String, String> cache =
        cache(
            setup
                .<String, String>options()
                .expiry(CacheExpiry.afterWrite(TTL))
                .refreshAheadFactor(0.5));
    slow = true;
    cache.put("k", "v");
    clock.advanceMillis(4_999);
    assertThat(cache.get("k")).isEqualTo("v");
    assertThat(cache.statistics().staleHits()).isZero();
    clock.advanceMillis(1);
    assertThat(cache.get("k")).isEqualTo("v");
    assertThat(cache.statistics().staleHits()).isEqualTo(1);
  }
}
