package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bulk calls on a cluster of three masters, one of which does not answer. */
@Timeout(90)
final class PartOfAClusterTest {
  private static final int ENTRIES = 2_500;

  private final List<RedisServer> masters = new ArrayList<>();
  private Rockpool pool;

  @BeforeEach
  void start() throws Exception {
    for (int i = 0; i < 3; i++) {
      masters.add(
          RedisServer.start("--cluster-enabled", "yes", "--cluster-require-full-coverage", "no"));
    }
    RedisServer.join(masters);
  }

  @AfterEach
  void stop() {
    if (pool != null) {
      pool.close();
    }
    masters.forEach(RedisServer::close);
  }

  private Rockpool open(String options) {
    pool =
        Rockpool.open(
            masters.get(0).uri("?cluster=true&timeout=300ms&feed-timeout=300ms" + options));
    return pool;
  }

  private static Map<Integer, Long> all(long value) {
    return IntStream.range(0, ENTRIES).boxed().collect(Collectors.toMap(key -> key, key -> value));
  }

  private void stopOne() {
    masters.get(1).signal("STOP");
    Failover.await(() -> !pool.serverState().orElseThrow().connected());
  }

  private void goOn() {
    masters.get(1).signal("CONT");
    Failover.await(() -> pool.serverState().orElseThrow().connected());
  }

  /** How many entries the masters have of each value. */
  private Map<Long, Long> values(PersistentCache<Integer, Long> cache) {
    return pool.withLatestReads(() -> cache.getAll(all(0).keySet())).values().stream()
        .collect(Collectors.groupingBy(value -> value, Collectors.counting()));
  }

  /** Each master in turn refuses writes; for at least two of them, others come first. */
  private void assertSaysWhatWasMade(
      PersistentCache<Integer, Long> cache, Runnable write, Runnable before) {
    int parts = 0;
    for (RedisServer master : masters) {
      before.run();
      Map<Long, Long> old = values(cache);
      assertThat(master.command("CONFIG", "SET", "min-replicas-to-write", "1")).isEqualTo("OK");
      try {
        write.run();
        fail("A write was made that a server refused.");
      } catch (ServerUnavailableException e) {
        assertThat(values(cache)).isEqualTo(old);
      } catch (OutcomeUnknownException e) {
        assertThat(e).hasMessageContainingAll("in part", "NOREPLICAS");
        assertThat(values(cache)).isNotEqualTo(old);
        parts++;
      }
      assertThat(master.command("CONFIG", "SET", "min-replicas-to-write", "0")).isEqualTo("OK");
    }
    assertThat(parts).isGreaterThanOrEqualTo(2);
  }

  @Test
  void aBulkWriteOfWhichAPartWasMadeSaysSo() {
    PersistentCache<Integer, Long> cache = open("").cache("c", Integer.class, Long.class);
    assertSaysWhatWasMade(cache, () -> cache.putAll(all(2)), () -> cache.putAll(all(1)));
    assertSaysWhatWasMade(
        cache, () -> cache.invalidateAll(all(1).keySet()), () -> cache.putAll(all(1)));
  }
}
