package io.rockpool.compatibility.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that has not used a cache since a clear writes beside others that have. */
@Timeout(60)
@Needs(Tool.REDIS)
final class ClearOnRedisTest {
  private static final int ROUNDS = 5;
  private static final long LINK_MILLIS = 100;
  private static final long HEARD_MILLIS = 500;

  private static PersistentCache<String, Long> cold(Rockpool pool) {
    return pool.cache("cold", String.class, Long.class, o -> o.hotEntries(0));
  }

  @Test
  void aPutOfOneThatHasHeardOfAClearHidesNoNewerPut() throws Exception {
    try (FaultyRedis server = FaultyRedis.start("--appendonly", "no");
        FaultProxy slow = new FaultProxy(server.port());
        Rockpool near = Rockpool.open(server.uri(server.port()));
        Rockpool far = Rockpool.open(server.uri(slow.port()))) {
      PersistentCache<String, Long> here = cold(near);
      PersistentCache<String, Long> there = cold(far);
      for (int round = 0; round < ROUNDS; round++) {
        String key = "k" + round;
        there.put(key, 0L);
        slow.delay(LINK_MILLIS);
        here.clear();
        here.put(key, 1L);
        TimeUnit.MILLISECONDS.sleep(HEARD_MILLIS);
        Thread putting = new Thread(() -> there.put(key, 2L));
        putting.start();
        while (putting.isAlive()) {
          assertThat(here.get(key)).isIn(1L, 2L);
        }
        assertThat(here.get(key)).isEqualTo(2);
        slow.delay(0);
      }
    }
  }
}
