package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.EngineOptions;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.testing.RoundTripCalls;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What docs/round-trips.md lists for Redis is what a real server sees. */
@Needs(Tool.REDIS)
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

  /** Records of one byte, below a bound. */
  private static List<RowRecord> records(int bound, int step) {
    return IntStream.iterate(0, i -> i < bound, i -> i + step)
        .mapToObj(i -> new byte[] {(byte) i})
        .map(key -> new RowRecord(key, Space.NO_SORT_KEY, key, Expiry.NEVER))
        .toList();
  }

  /** Returns the first key after one, and gives the walk up. */
  private static RecordKey first(Space space, RecordKey after) {
    try (Cursor cursor = space.scanAll(after)) {
      assertThat(cursor.next()).isTrue();
      return new RecordKey(cursor.hashKey(), Space.NO_SORT_KEY);
    }
  }

  private static int scans(RedisServer server) {
    return server
        .command("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_scan:"))
        .mapToInt(line -> Integer.parseInt(line.replaceAll(".*:calls=([0-9]+),.*", "$1")))
        .sum();
  }

  @Test
  void aWalkListsTheKeysOnceAndAgainAfterAClear() throws Exception {
    EngineOptions options = new EngineOptions(InstantSource.system(), null, Map.of());
    try (RedisServer server = RedisServer.start();
        RedisEngine engine = RedisEngine.open(server.uri(""), options)) {
      Space space = engine.create(new SpaceSpec("c", Layout.ENTRIES, Map.of()));
      List<RowRecord> records = records(100, 1);
      space.putAll(records);
      RecordKey before = new RecordKey(new byte[] {0}, Space.NO_SORT_KEY);
      RecordKey last = first(space, before);
      int listed = scans(server);
      last = first(space, last);
      assertThat(scans(server)).isEqualTo(listed);
      try (Cursor bounded = space.scanAll(last, new RecordKey(new byte[] {3}, new byte[0]))) {
        assertThat(bounded.next()).isTrue();
        last = new RecordKey(bounded.hashKey(), Space.NO_SORT_KEY);
      }
      last = first(space, last);
      assertThat(last.hashKey()).containsExactly(4);
      listed = scans(server);
      space.clear();
      space.putAll(records);
      assertThat(first(space, last).hashKey()).containsExactly(5);
      assertThat(scans(server)).isGreaterThan(listed);
    }
  }

  @Test
  void aWalkShowsAllEntriesAmongThoseThatAClearLeft() throws Exception {
    EngineOptions options = new EngineOptions(InstantSource.system(), null, Map.of());
    try (RedisServer server = RedisServer.start();
        RedisEngine engine = RedisEngine.open(server.uri(""), options)) {
      Space space = engine.create(new SpaceSpec("c", Layout.ENTRIES, Map.of()));
      space.putAll(records(100, 1));
      space.clear();
      space.putAll(records(100, 2));
      RecordKey last = new RecordKey(new byte[] {0}, Space.NO_SORT_KEY);
      List<Integer> shown = new ArrayList<>();
      for (int i = 1; i < 50; i++) {
        last = first(space, last);
        shown.add((int) last.hashKey()[0]);
      }
      assertThat(shown).isEqualTo(IntStream.range(1, 50).mapToObj(i -> 2 * i).toList());
    }
  }

  @Test
  void whatAWalkHadStillToShowIsForgottenAfterAMinuteAndWithItsSpace() {
    CatalogEntry entry =
        new CatalogEntry(1, new SpaceInfo("c", Layout.ENTRIES, Map.of(), 0, 0, 0, Expiry.NEVER), 1);
    RedisSpaceState state = new RedisSpaceState(entry);
    byte[] key = {1};
    long now = System.nanoTime();
    state.tails.keep(key, List.of(key));
    state.tails.clearOld(now + TimeUnit.SECONDS.toNanos(50));
    assertThat(state.tails.take(key)).isNotNull();
    state.tails.keep(key, List.of(key));
    state.tails.clearOld(now + TimeUnit.SECONDS.toNanos(100));
    assertThat(state.tails.take(key)).isNull();

    state.tails.keep(key, List.of(key));
    state.end();
    assertThat(state.tails.take(key)).isNull();
    state.tails.keep(key, List.of(key));
    assertThat(state.tails.take(key)).isNull();

    RedisSpaceState moved = new RedisSpaceState(entry);
    moved.tails.keep(key, List.of(key));
    moved.moveTo(state);
    assertThat(moved.tails.take(key)).isNull();
  }

  private static long trips(CountingProxy proxy, Runnable call) {
    proxy.awaitQuiet();
    long before = proxy.roundTrips();
    call.run();
    return proxy.roundTrips() - before;
  }
}
