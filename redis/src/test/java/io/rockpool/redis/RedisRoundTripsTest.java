package io.rockpool.redis;

import io.rockpool.Rockpool;
import io.rockpool.testing.RoundTripCalls;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** What docs/round-trips.md lists for Redis is what a real server sees. */
final class RedisRoundTripsTest {
  @Test
  void thePageListsWhatCallsNeed() throws Exception {
    try (RedisServer server = RedisServer.start();
        CountingProxy proxy = new CountingProxy(server.port());
        Rockpool pool =
            Rockpool.open(URI.create("redis://127.0.0.1:" + proxy.port() + "?feed-timeout=10m"))) {
      RoundTripCalls calls = new RoundTripCalls(pool, proxy::roundTrips, proxy::awaitQuiet);
      for (int i = 0; i < 3; i++) { // the first learns scripts and generations
        calls.caches();
      }
      calls.check("Redis");
    }
  }
}
