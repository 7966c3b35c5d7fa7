package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two stores on a cluster of three masters, while a slot with their entries moves, or is stuck. */
@Slow
@Timeout(90)
@Needs(Tool.REDIS)
final class MovingSlotTest {
  private static final int BUCKET = 7;
  private static final String SLOT = "" + KeyNames.slotOfBucket(BUCKET);
  private static final int ENTRIES = 1_200;

  private final List<RedisServer> masters = new ArrayList<>();
  private Rockpool mine;
  private Rockpool theirs;
  private RedisServer from;
  private RedisServer to;

  @BeforeEach
  void open() throws Exception {
    for (int i = 0; i < 3; i++) {
      masters.add(RedisServer.start("--cluster-enabled", "yes"));
    }
    RedisServer.join(masters);
    mine = Rockpool.open(masters.get(0).uri("?cluster=true&timeout=5s&feed-timeout=5s"));
    theirs = Rockpool.open(masters.get(0).uri("?cluster=true&timeout=5s&feed-timeout=5s"));
    String probed = new String(KeyNames.probed(new byte[0], BUCKET), StandardCharsets.US_ASCII);
    from =
        masters.stream()
            .filter(master -> !master.command("GET", probed).startsWith("MOVED"))
            .findFirst()
            .orElseThrow();
    to = masters.stream().filter(master -> master != from).findFirst().orElseThrow();
  }

  @AfterEach
  void close() {
    if (theirs != null) {
      theirs.close();
    }
    if (mine != null) {
      mine.close();
    }
    masters.forEach(RedisServer::close);
  }

  private static PersistentCache<String, Long> cache(Rockpool pool, String name) {
    return pool.cache(name, String.class, Long.class);
  }

  private static Map<String, Long> values(int first, long value) {
    return IntStream.range(first, first + ENTRIES)
        .boxed()
        .collect(Collectors.toMap(key -> "k" + key, key -> value));
  }

  private void setSlot(RedisServer server, String state, RedisServer other) {
    assertThat(server.command("CLUSTER", "SETSLOT", SLOT, state, other.command("CLUSTER", "MYID")))
        .isEqualTo("OK");
  }

  private void move(int percent) {
    List<String> keys = from.command("CLUSTER", "GETKEYSINSLOT", SLOT, "10000").lines().toList();
    for (String key : keys.subList(0, keys.size() * percent / 100)) {
      assertThat(from.command("MIGRATE", "127.0.0.1", "" + to.port(), key, "0", "5000"))
          .isEqualTo("OK");
    }
  }

  private static void assertHas(PersistentCache<String, Long> cache, Map<String, Long> expected) {
    Failover.await(() -> cache.getAll(expected.keySet()).equals(expected));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 30, 60, 100})
  void callsDoNotWaitForTheSlot(int percent) {
    PersistentCache<String, Long> one = cache(mine, "c");
    PersistentCache<String, Long> other = cache(theirs, "c");
    PersistentCache<String, Long> unread = cache(theirs, "u");
    Map<String, Long> old = values(0, 1);
    one.putAll(old);
    cache(mine, "u").putAll(old);
    assertHas(other, old);
    setSlot(to, "IMPORTING", from);
    setSlot(from, "MIGRATING", to);
    move(percent);
    final long begun = System.nanoTime();

    assertThat(unread.getAll(old.keySet())).isEqualTo(old);
    PersistentCache<String, Long> single = cache(mine, "u");
    for (int key = 0; key < ENTRIES; key++) {
      assertThat(single.get("k" + key)).isEqualTo(1);
    }
    Map<String, Long> changed = values(0, 2);
    one.putAll(changed);
    assertHas(other, changed);
    Map<String, Long> added = values(10_000, 3);
    added.forEach(other::put);
    assertHas(one, added);
    Set<String> removed = values(0, 0).keySet().stream().limit(1_000).collect(Collectors.toSet());
    one.invalidateAll(removed);
    Failover.await(() -> other.getAll(removed).isEmpty());

    Map<String, Long> loaded = values(20_000, 4);
    assertThat(one.getAll(loaded.keySet(), keys -> values(20_000, 4))).isEqualTo(loaded);
    for (int key = 30_000; key < 31_000; key++) {
      assertThat(other.get("k" + key, any -> 5L)).isEqualTo(5);
    }
    PersistentCache<String, Long> created = cache(mine, "new");
    created.putAll(added);
    assertHas(cache(theirs, "new"), added);
    one.clear();
    Failover.await(() -> other.getAll(added.keySet()).isEmpty());
    for (int key = 0; key < 1_000; key++) {
      assertThat(other.get("k" + key, any -> 6L)).isEqualTo(6);
    }
    one.putAll(old);
    assertHas(other, old);
    assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(40));

    move(100);
    setSlot(to, "NODE", to);
    setSlot(from, "NODE", to);
    assertHas(one, old);
    assertHas(other, old);
    Map<String, Long> last = new HashMap<>();
    for (int key = 0; key < 500; key++) {
      last.put("k" + key, one.compute("k" + key, (any, value) -> value + 1));
    }
    assertHas(other, last);
    assertThat(last.values()).allMatch(value -> Objects.equals(value, 2L));
  }
}
