package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.RoundTripCalls;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What docs/round-trips.md lists for Redis is what a real server sees. */
final class RedisRoundTripsTest {
  private static final long FEW = 30;

  private static URI uri(CountingProxy proxy) {
    return URI.create("redis://127.0.0.1:" + proxy.port() + "?feed-timeout=10m");
  }

  @Test
  void thePageListsWhatCallsNeed() throws Exception {
    try (RedisServer server = RedisServer.start();
        CountingProxy proxy = new CountingProxy(server.port());
        Rockpool pool = Rockpool.open(uri(proxy))) {
      RoundTripCalls calls = new RoundTripCalls(pool, proxy::roundTrips, proxy::awaitQuiet);
      for (int i = 0; i < 3; i++) { // the first learns scripts and generations
        calls.caches();
      }
      calls.check("Redis");
    }
  }

  /** The entries are in more than 100 buckets. What a clear left is removed meanwhile. */
  @Test
  void bulkCallsAfterAClearNeedFew() throws Exception {
    try (RedisServer server = RedisServer.start();
        CountingProxy proxy = new CountingProxy(server.port());
        Rockpool pool = Rockpool.open(uri(proxy))) {
      PersistentCache<Integer, Long> cache =
          pool.cache("c", Integer.class, Long.class, options -> options.hotEntries(0));
      Map<Integer, Long> all = new HashMap<>();
      for (int i = 0; i < 200; i++) {
        all.put(i, (long) i);
      }
      cache.putAll(all);
      cache.clear();
      assertThat(trips(proxy, () -> cache.putAll(all))).isLessThan(FEW);
      assertThat(cache.getAll(all.keySet())).isEqualTo(all);
      cache.clear();
      assertThat(trips(proxy, () -> cache.getAll(all.keySet(), keys -> all))).isLessThan(FEW);
      assertThat(cache.getAll(all.keySet())).isEqualTo(all);
    }
  }

  private static long trips(CountingProxy proxy, Runnable call) {
    proxy.awaitQuiet();
    long before = proxy.roundTrips();
    call.run();
    return proxy.roundTrips() - before;
  }
}
