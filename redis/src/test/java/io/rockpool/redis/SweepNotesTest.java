package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.engine.EngineOptions;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.StoreClosedException;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Entries that end without a clear or drop are removed by a later process, too. */
@Timeout(60)
@Needs(Tool.REDIS)
final class SweepNotesTest {
  private static final SpaceSpec SPEC = new SpaceSpec("shop/cache", Layout.ENTRIES, Map.of());
  private static final int ENTRIES = 2_000;
  private static final String NAMES = "rockpool:{names}";
  private static final String NOTE = NAMES + ":sweep";
  private static final byte[] KEY = {1};

  private RedisServer server;
  private RedisEngine engine;
  private Space space;
  private Duration ahead = Duration.ZERO;

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start();
    engine = open(() -> Instant.now().plus(ahead));
    space = engine.create(SPEC);
    space.putAll(
        IntStream.range(0, ENTRIES)
            .mapToObj(i -> ByteBuffer.allocate(Integer.BYTES).putInt(i).array())
            .map(key -> new RowRecord(key, Space.NO_SORT_KEY, key, Expiry.NEVER))
            .toList());
    assertThat(isNoted()).isFalse();
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private RedisEngine open(InstantSource clock) {
    return RedisEngine.open(server.uri("?timeout=10s"), new EngineOptions(clock, null, Map.of()));
  }

  private boolean isNoted() {
    return server.command("EXISTS", NOTE).equals("1");
  }

  private int keys() {
    return Integer.parseInt(server.command("DBSIZE"));
  }

  /** The process ends; one that opens a minute later removes what it left. */
  private void assertSweptLater() {
    assertThat(keys()).isGreaterThan(ENTRIES);
    engine.close();
    assertThat(isNoted()).isTrue();
    Duration later = ahead.plusMinutes(1);
    try (RedisEngine next = open(() -> Instant.now().plus(later))) {
      RedisServer.awaitAnswer(() -> keys() < ENTRIES);
      RedisServer.awaitAnswer(() -> !isNoted());
      assertThat(next.describe(SPEC.name())).isNotNull();
    }
  }

  private void change(String script) {
    assertThat(server.command("EVAL", script, "1", NAMES)).isEqualTo("OK");
  }

  @Test
  void aNameThatIsPutBack() {
    change("redis.call('DEL', KEYS[1]) return redis.status_reply('OK')");
    RedisServer.awaitAnswer(() -> server.command("HEXISTS", NAMES, SPEC.name()).equals("1"));
    assertThat(space.get(KEY, Space.NO_SORT_KEY)).isNull();
    assertSweptLater();
  }

  /** Another process has created the name of a lost catalog before. */
  @Test
  void aNameThatHasAnotherIdNow() {
    change(
        """
        local old = redis.call('HGET', KEYS[1], 'shop/cache')
        redis.call('HSET', KEYS[1], 'shop/cache', string.sub(old, 1, 1) .. '12345678' ..
            string.sub(old, 10))
        return redis.status_reply('OK')
        """);
    RedisServer.awaitAnswer(this::isNoted);
    assertThat(space.get(KEY, Space.NO_SORT_KEY)).isNull();
    space.put(KEY, Space.NO_SORT_KEY, KEY, Expiry.NEVER);
    assertSweptLater();
  }

  @Test
  void aNameThatHasOtherDataNow() {
    try (RedisEngine other = open(InstantSource.system())) {
      Space unused =
          other.create(new SpaceSpec("shop/other", Layout.ENTRIES, Map.of("type", "other")));
    }
    change(
        """
        local other = redis.call('HGET', KEYS[1], 'shop/other')
        redis.call('HDEL', KEYS[1], 'shop/other')
        redis.call('HSET', KEYS[1], 'shop/cache', other)
        return redis.status_reply('OK')
        """);
    Failover.await(
        () ->
            catchThrowable(() -> space.get(KEY, Space.NO_SORT_KEY))
                instanceof StoreClosedException);
    assertSweptLater();
  }

  @Test
  void bucketsWhoseGenerationsWereEvicted() {
    String all = "return redis.call('DEL', unpack(redis.call('KEYS', '*:g')))";
    assertThat(server.command("EVAL", all, "0")).isEqualTo("" + KeyNames.BUCKETS);
    for (int i = 0; i < ENTRIES; i++) {
      byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
      assertThat(space.get(key, Space.NO_SORT_KEY)).isNull();
    }
    assertSweptLater();
  }

  /** One bucket is used again; the entries of the others are removed, too. */
  @Test
  void aSpaceThatHasExpired() {
    space.expireAt(Instant.now().plusSeconds(60).toEpochMilli());
    ahead = Duration.ofMinutes(2);
    assertThat(space.get(KEY, Space.NO_SORT_KEY)).isNull();
    assertThat(isNoted()).isFalse();
    space.put(KEY, Space.NO_SORT_KEY, KEY, Expiry.NEVER);
    assertSweptLater();
  }
}
