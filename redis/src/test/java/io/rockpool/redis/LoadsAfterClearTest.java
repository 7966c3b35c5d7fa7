package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * After a clear, loads replace what is left of the entries, which the server reports to the loading
 * process, too. This must not keep the loaded values from being stored.
 */
@Timeout(120)
@Needs(Tool.REDIS)
final class LoadsAfterClearTest {
  private static final int KEYS = 3_000;

  private static final Set<Integer> ALL =
      IntStream.range(0, KEYS).boxed().collect(Collectors.toSet());

  private static Map<Integer, String> values(String value) {
    return ALL.stream().collect(Collectors.toMap(Function.identity(), key -> value));
  }

  private static PersistentCache<Integer, String> cache(Rockpool pool) {
    return pool.cache("c", Integer.class, String.class);
  }

  @Test
  void loadedValuesAreStored() throws Exception {
    try (RedisServer server = RedisServer.start();
        Rockpool mine = Rockpool.open(server.uri("?timeout=20s&feed-timeout=20s"));
        Rockpool theirs = Rockpool.open(server.uri("?timeout=20s&feed-timeout=20s"))) {
      PersistentCache<Integer, String> one = cache(mine);
      PersistentCache<Integer, String> other = cache(theirs);
      for (int round = 0; round < 3; round++) {
        one.putAll(values("before"));
        one.clear();
        String loaded = "loaded " + round;
        Map<Integer, String> got =
            one.getAll(
                ALL,
                keys -> {
                  LockSupport.parkNanos(500_000_000); // until the reports have come
                  return values(loaded);
                });
        assertThat(got).isEqualTo(values(loaded));
        assertThat(other.getAll(ALL)).hasSize(KEYS);
      }
    }
  }

  /** An id is known until its reports have come, and no key has more than a few. */
  @Test
  void idsAreKeptUntilTheirReportsHaveCome() {
    OwnEchoes echoes = new OwnEchoes();
    byte[] key = {1};
    echoes.expect(key, 1);
    echoes.expect(key, 2);
    echoes.expect(key, 3);
    assertThat(echoes.take(new byte[] {1})).containsExactly(1, 2, 3);
    echoes.forget(key, 2);
    assertThat(echoes.take(key)).containsExactly(1, 3);
    assertThat(echoes.take(key)).isNull();
    echoes.expect(key, 4);
    echoes.forget(key, 4);
    assertThat(echoes.take(key)).isNull();
    for (int id = 0; id < 10; id++) {
      echoes.expect(key, id);
    }
    assertThat(echoes.take(key)).containsExactly(6, 7, 8, 9);
    for (int i = 0; i < OwnEchoes.MAX_KEYS; i++) {
      echoes.expect(new byte[] {2, (byte) i, (byte) (i >> 8), (byte) (i >> 16)}, i);
    }
    assertThat(echoes.take(key)).isNull();
    assertThat(echoes.take(new byte[] {2, 0, 0, 0})).containsExactly(0);
  }
}
