package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.EngineOptions;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys whose equality is not that of their bytes, in two stores on one server. */
@Slow
@Timeout(60)
@Needs(Tool.REDIS)
final class EqualKeysTest {
  /** Matches what the directory has of keys with one hash. */
  private static final String DIRECTORY = "*:eO*";

  private RedisServer server;
  private FakeClock clock;
  private Rockpool mine;
  private Rockpool theirs;

  /** Texts that are equal in any case. */
  public static final class AnyCase implements Serializable {
    private static final long serialVersionUID = 1L;
    private final String text;

    public AnyCase(String text) {
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof AnyCase that && text.equalsIgnoreCase(that.text);
    }

    @Override
    public int hashCode() {
      return Math.floorMod(text.toLowerCase(Locale.ROOT).hashCode(), 4); // collisions, too
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start();
    clock = new FakeClock();
    mine = Rockpool.at(o -> engine()).open();
    theirs = Rockpool.at(o -> engine()).open();
  }

  private RedisEngine engine() {
    return RedisEngine.open(server.uri("?timeout=10s"), new EngineOptions(clock, null, Map.of()));
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

  private static PersistentCache<Object, Long> cache(Rockpool pool) {
    return pool.cache("c", Object.class, Long.class);
  }

  private static AnyCase key(String text) {
    return new AnyCase(text);
  }

  /** Counts keys; those of the directory are binary, so the server does it. */
  private int keys(String pattern) {
    String script = "return #redis.call('KEYS', ARGV[1])";
    return Integer.parseInt(server.command("EVAL", script, "0", pattern));
  }

  private void evict(String pattern) {
    String script =
        "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end return 1";
    assertThat(server.command("EVAL", script, "0", pattern)).isEqualTo("1");
  }

  @Test
  void equalKeysFindOneEntryInAllStores() {
    PersistentCache<Object, Long> one = cache(mine);
    PersistentCache<Object, Long> other = cache(theirs);
    one.put(key("Ab"), 1L);
    assertThat(other.get(key("aB"))).isEqualTo(1);
    assertThat(other.get(key("ac"))).isNull();
    assertThat(other.putIfAbsent(key("AB"), 2L)).isEqualTo(1);
    other.put(key("ab"), 3L);
    Failover.await(() -> Long.valueOf(3).equals(one.get(key("AB"))));
    assertThat(one.getAll(List.of(key("AB"), key("x")))).hasSize(1);
    assertThat(one.replace(key("aB"), 3L, 4L)).isTrue();
    assertThat(other.compute(key("AB"), (k, value) -> value + 1)).isEqualTo(5);
    AtomicInteger entries = new AtomicInteger();
    one.forEach(entry -> entries.incrementAndGet());
    assertThat(entries).hasValue(1);
    assertThat(other.remove(key("ab"))).isTrue();
    Failover.await(() -> one.get(key("Ab")) == null);
    assertThat(one.get(key("l"), k -> 7L)).isEqualTo(7);
    assertThat(other.get(key("L"))).isEqualTo(7);
    one.clear();
    assertThat(other.putIfAbsent(key("L"), 8L)).isNull();
  }

  @Test
  void racingProcessesAgreeOnOneOfTheEqualKeys() throws Exception {
    List<PersistentCache<Object, Long>> caches = List.of(cache(mine), cache(theirs));
    for (int round = 0; round < 40; round++) {
      String text = "round" + round;
      AtomicInteger won = new AtomicInteger();
      Threads.run(
          4,
          thread -> {
            char[] own = text.toCharArray();
            own[thread] = Character.toUpperCase(own[thread]);
            Long before = caches.get(thread % 2).putIfAbsent(key(new String(own)), (long) thread);
            won.addAndGet(before == null ? 1 : 0);
          });
      assertThat(won).hasValue(1);
      assertThat(caches.get(0).remove(key(text))).isTrue();
      assertThat(caches.get(1).containsKey(key(text))).isFalse();
    }
  }

  @Test
  void countersUnderEqualKeysLoseNothing() throws Exception {
    List<PersistentCache<Object, Long>> caches = List.of(cache(mine), cache(theirs));
    Threads.run(
        4,
        thread -> {
          for (int i = 0; i < 100; i++) {
            AnyCase key = key(i % 3 == 0 ? "Count" : thread % 2 == 0 ? "count" : "COUNT");
            caches.get(thread % 2).compute(key, (k, value) -> value == null ? 1L : value + 1);
          }
        });
    assertThat(caches.get(1).compute(key("cOunt"), (k, value) -> value)).isEqualTo(400);
  }

  @Test
  void anEntryWhoseDirectoryWasEvictedIsNeverFoundAgain() {
    PersistentCache<Object, Long> one = cache(mine);
    PersistentCache<Object, Long> other = cache(theirs);
    for (long i = 0; i < 10; i++) {
      one.put(key("Ab"), i);
      evict(DIRECTORY);
      assertThat(one.get(key("Ab"))).isNull();
      assertThat(other.get(key("aB"))).isNull();
      AtomicInteger entries = new AtomicInteger();
      other.forEach(entry -> entries.incrementAndGet());
      assertThat(entries).hasValue(0);
    }
    other.put(key("aB"), 11L);
    assertThat(one.get(key("Ab"))).isEqualTo(11);
  }

  @Test
  void whatTheDirectoryHasOfRemovedEntriesIsSwept() {
    PersistentCache<Object, Long> one = cache(mine);
    for (int i = 0; i < 100; i++) {
      one.put(key("k" + i), 1L);
    }
    for (int i = 0; i < 99; i++) {
      assertThat(one.remove(key("K" + i))).isTrue();
    }
    mine.reclaim();
    assertThat(one.get(key("K99"))).isEqualTo(1);
    int before = keys("*");
    clock.advanceMillis(TimeUnit.MINUTES.toMillis(31));
    mine.reclaim();
    assertThat(one.get(key("K99"))).isEqualTo(1);
    assertThat(keys(DIRECTORY)).isOne();
    assertThat(keys("*")).isLessThan(before);
    assertThat(mine.names().drop("c")).isTrue();
    mine.reclaim();
    assertThat(keys(DIRECTORY)).isZero();
  }

  @Test
  void aNameThatIsTooLongIsRefused() {
    PersistentCache<Object, Long> one = mine.cache("n".repeat(1024), Object.class, Long.class);
    one.put("text", 1L);
    assertThatThrownBy(() -> one.put(key("a"), 1L)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cache(theirs).put(new Unequal(), 1L))
        .isInstanceOf(UnencodableValueException.class);
  }

  /** Has the equality of objects. */
  public static final class Unequal {}
}
