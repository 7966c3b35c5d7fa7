package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Puts read their generation only now and then, because the server reports its changes; still, no
 * put is lost that begins after a clear.
 */
@Slow
@Timeout(120)
@Needs(Tool.REDIS)
final class WatchedGenerationsTest {
  private static final String KEY = "k";
  private static final Pattern GETS = Pattern.compile("cmdstat_get:calls=([0-9]+)");

  private RedisServer server;
  private Rockpool mine;
  private Rockpool theirs;
  private PersistentCache<String, Long> one;
  private PersistentCache<String, Long> other;

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start();
    mine = Rockpool.open(server.uri("?timeout=10s"));
    theirs = Rockpool.open(server.uri("?timeout=10s"));
    one = mine.cache("watched", String.class, Long.class);
    other = theirs.cache("watched", String.class, Long.class, options -> options.hotEntries(0));
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

  private long gets() {
    Matcher found = GETS.matcher(server.command("INFO", "commandstats"));
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  @Test
  void mostPutsAreOneCommand() {
    one.put(KEY, 0L);
    long before = gets();
    for (long i = 1; i <= 1_000; i++) {
      one.put(KEY, i);
    }
    assertThat(gets() - before).isLessThan(500);
    assertThat(other.get(KEY)).isEqualTo(1_000);
  }

  @Test
  void whatIsNoGenerationIsRefusedUntilAClear() {
    one.put(KEY, 1L);
    String overwriteAll =
        "for _, key in ipairs(redis.call('KEYS', '*:g')) do redis.call('SET', key, 'x') end"
            + " return redis.status_reply('OK')";
    assertThat(server.command("EVAL", overwriteAll, "0")).isEqualTo("OK");
    assertThatThrownBy(() -> other.get(KEY))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContainingAll("watched", "Clear the cache");
    other.clear();
    assertThat(other.get(KEY)).isNull();
    one.put(KEY, 2L);
    assertThat(other.get(KEY)).isEqualTo(2);
  }

  @Test
  void aPutAfterAClearElsewhereIsThere() {
    for (long i = 0; i < Rounds.of(1_000, 20_000); i++) {
      one.put(KEY, i);
      other.clear();
      one.put(KEY, i);
      assertThat(other.get(KEY)).isEqualTo(i);
      assertThat(one.get(KEY)).isEqualTo(i);
    }
  }

  @Test
  void aPutAfterAClearHereIsThere() {
    for (long i = 0; i < Rounds.of(1_000, 20_000); i++) {
      one.put(KEY, i);
      one.clear();
      one.put(KEY, i);
      assertThat(other.get(KEY)).isEqualTo(i);
    }
  }

  @Test
  void aPutAfterAnEvictedGenerationIsThere() {
    String all = "return redis.call('DEL', unpack(redis.call('KEYS', '*:g')))";
    for (long i = 0; i < 200; i++) {
      one.put(KEY, i);
      assertThat(server.command("EVAL", all, "0")).isNotEqualTo("0");
      one.put(KEY, i);
      assertThat(one.get(KEY)).isEqualTo(i);
      assertThat(other.get(KEY)).isEqualTo(i);
    }
  }
}
