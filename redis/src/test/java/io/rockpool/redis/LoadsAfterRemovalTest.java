package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports of this process's own removals, and of expired entries, do not end loads. */
@Timeout(60)
@Needs(Tool.REDIS)
final class LoadsAfterRemovalTest {
  private static final String VALUE = "v";
  private static final String LOADED = "loaded";

  private RedisServer server;
  private Rockpool pool;
  private PersistentCache<String, String> cache;

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start();
    String unused = server.command("CONFIG", "SET", "hz", "1"); // expired entries stay for longer
    pool = Rockpool.open(server.uri("?timeout=20s&feed-timeout=20s"));
    cache = pool.cache("c", String.class, String.class);
  }

  @AfterEach
  void close() {
    if (pool != null) {
      pool.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Removes an entry and loads it again; returns in how many of the rounds it was not stored. */
  private int notStored(
      int rounds, BiConsumer<String, String> put, BiConsumer<String, String> load) {
    int lost = 0;
    for (int i = 0; i < rounds; i++) {
      String key = "k" + i;
      put.accept(key, VALUE);
      load.accept(key, LOADED);
      if (!LOADED.equals(cache.get(key))) {
        lost++;
      }
    }
    return lost;
  }

  private void load(String key, String value) {
    String got =
        cache.get(
            key,
            any -> {
              pause(2);
              return value;
            });
    assertThat(got).isEqualTo(value);
  }

  private void putUntilExpired(String key, String value) {
    cache.put(key, value, Duration.ofMillis(10));
    pause(12);
  }

  @Test
  void afterAnExpiry() {
    assertThat(notStored(50, this::putUntilExpired, this::load)).isZero();
  }

  @Test
  void ofMany() {
    BiConsumer<String, String> load =
        (key, value) -> {
          Map<String, String> got =
              cache.getAll(
                  List.of(key, key + "2"),
                  (Collection<? extends String> keys) -> {
                    pause(2);
                    return keys.stream().collect(Collectors.toMap(it -> it, it -> value));
                  });
          assertThat(got).containsEntry(key, value);
        };
    assertThat(notStored(50, this::putUntilExpired, load)).isZero();
  }

  @Test
  void afterAConditionalRemoval() {
    BiConsumer<String, String> put =
        (key, value) -> {
          cache.put(key, value);
          assertThat(cache.compute(key, (any, there) -> null)).isNull();
        };
    assertThat(notStored(300, put, this::load)).isZero();
  }

  @Test
  void afterALoadOfNothing() {
    BiConsumer<String, String> put =
        (key, value) -> assertThat(cache.get(key, any -> null)).isNull();
    assertThat(notStored(300, put, this::load)).isZero();
  }
}
