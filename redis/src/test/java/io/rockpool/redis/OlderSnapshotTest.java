package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.StoreClosedException;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server that restarts from an older snapshot has lost names, but not the catalog. Open caches
 * continue, empty, unless they were dropped.
 */
@Timeout(90)
@Needs(Tool.REDIS)
final class OlderSnapshotTest {
  private static final String NAME = "shop/cache";
  private static final String NAMES_KEY = "rockpool:{names}";
  private static final String KEY = "k";

  private RedisServer server;
  private Rockpool mine;
  private Rockpool theirs;

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start();
    mine = Rockpool.open(server.uri("?timeout=10s"));
    theirs = Rockpool.open(server.uri("?timeout=10s"));
    mine.cache("older", String.class, Long.class).put(KEY, 1L);
  }

  @AfterEach
  void close() {
    if (mine != null) {
      mine.close();
      theirs.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache(NAME, String.class, Long.class);
  }

  private void save() {
    assertThat(server.command("SAVE")).isEqualTo("OK");
  }

  private void restartFromSnapshot() throws Exception {
    server.kill();
    server.restart();
  }

  private void assertGoesOn(
      PersistentCache<String, Long> one, PersistentCache<String, Long> other) {
    Failover.await(() -> other.get(KEY) == null && one.get(KEY) == null);
    Failover.await(
        () -> {
          // Again: the last process that puts the name back empties the cache.
          assertThat(one.putIfAbsent(KEY, 7L)).isIn(null, 7L);
          return Long.valueOf(7).equals(other.get(KEY));
        });
    Failover.await(() -> server.command("HEXISTS", NAMES_KEY, NAME).equals("1"));
  }

  @Test
  void cachesThatAreNewerThanTheSnapshotGoOnEmpty() throws Exception {
    save();
    PersistentCache<String, Long> one = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    one.put(KEY, 1L);
    restartFromSnapshot();
    assertGoesOn(one, other);
    assertThat(mine.cache("older", String.class, Long.class).get(KEY)).isEqualTo(1);
    assertThat(theirs.names().drop(NAME)).isTrue();
    Failover.await(() -> hasEnded(one));
  }

  @Test
  void aCacheThatWasDroppedAndCreatedSinceTheSnapshotShowsNoOlderEntry() throws Exception {
    cache(mine).put(KEY, 1L);
    save();
    assertThat(mine.names().drop(NAME)).isTrue();
    PersistentCache<String, Long> one = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    one.put(KEY, 2L);
    restartFromSnapshot();
    assertGoesOn(one, other);
  }

  @Test
  void aDropInTheMomentOfTheLossRemovesTheName() throws Exception {
    save();
    PersistentCache<String, Long> one = cache(mine);
    one.put(KEY, 1L);
    restartFromSnapshot();
    assertThat(mine.names().drop(NAME)).isTrue();
    assertThatThrownBy(() -> one.get(KEY)).isInstanceOf(StoreClosedException.class);
    assertThat(server.command("HEXISTS", NAMES_KEY, NAME)).isEqualTo("0");
  }

  @Test
  void aDropEndsTheCacheOfAProcessThatWasCutOffMeanwhile() throws Exception {
    try (StallingProxy proxy = new StallingProxy(server.port());
        Rockpool cutOff =
            Rockpool.open(
                URI.create(
                    "redis://127.0.0.1:" + proxy.port() + "?timeout=10s&feed-timeout=300ms"))) {
      PersistentCache<String, Long> dropped = cache(cutOff);
      PersistentCache<String, Long> created = cutOff.cache("level/a", String.class, Long.class);
      dropped.put(KEY, 1L);
      created.put(KEY, 1L);
      proxy.stall(true);
      Failover.await(() -> !cutOff.state().server().orElseThrow().connected());
      assertThat(theirs.names().drop(NAME)).isTrue();
      assertThat(theirs.names().dropLevel("level")).isEqualTo(1);
      theirs.cache("level/a", String.class, Long.class).put(KEY, 2L);
      save();
      restartFromSnapshot();
      proxy.stall(false);
      Failover.await(() -> hasEnded(dropped) && hasEnded(created));
      assertThat(theirs.cache("level/a", String.class, Long.class).get(KEY)).isEqualTo(2);
    }
    assertThat(server.command("HEXISTS", NAMES_KEY, NAME)).isEqualTo("0");
  }

  private static boolean hasEnded(PersistentCache<String, Long> cache) {
    try {
      Long unused = cache.get(KEY);
      return false;
    } catch (StoreClosedException e) {
      return true;
    }
  }

  /** Both databases have the name with the same id, and each has entries of its own. */
  @Test
  void nothingOfADatabaseStaysInMemoryThatWasSwapped() throws InterruptedException {
    PersistentCache<String, Long> one = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    one.put(KEY, 1L);
    assertThat(server.command("SWAPDB", "0", "1")).isEqualTo("OK");
    Failover.await(() -> one.get(KEY) == null && other.get(KEY) == null);
    Failover.await(() -> server.command("HEXISTS", NAMES_KEY, NAME).equals("1"));
    one.put(KEY, 2L);
    for (long value = 1; value <= 4; value++) {
      long expected = value % 2 == 0 ? 2 : 1;
      Failover.await(() -> Objects.equals(other.get(KEY), 3 - expected));
      Thread.sleep(1_500); // a swap back before the first is noticed would not be noticed
      assertThat(server.command("SWAPDB", "0", "1")).isEqualTo("OK");
      Failover.await(
          () -> Objects.equals(one.get(KEY), expected) && Objects.equals(other.get(KEY), expected));
    }
  }

  @Test
  void dropsAreForgottenAfterAWhile() {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    try (Rockpool timed = Rockpool.at(server.uri("?timeout=10s")).clock(now::get).open()) {
      PersistentCache<String, Long> unused = cache(timed);
      assertThat(timed.names().drop(NAME)).isTrue();
      assertThat(timed.names().list("")).hasSize(1);
      assertThat(server.command("HLEN", NAMES_KEY)).isEqualTo("3"); // the era, a name and the drop
      now.updateAndGet(it -> it.plus(Duration.ofHours(2)));
      assertThat(timed.names().list("")).hasSize(1);
      Failover.await(() -> server.command("HLEN", NAMES_KEY).equals("2"));
    }
  }
}
