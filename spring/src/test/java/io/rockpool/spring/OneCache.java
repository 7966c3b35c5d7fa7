package io.rockpool.spring;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codecs;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.Cache;

/** A test of one cache that keeps values for ten minutes, and null for five seconds. */
abstract class OneCache {
  final FakeClock clock = new FakeClock();
  Rockpool pool;
  RockpoolCacheManager manager;
  Cache cache;

  @BeforeEach
  final void open(@TempDir Path directory) {
    pool = SuiteStores.at(directory).clock(clock).open();
    manager =
        new RockpoolCacheManager(pool, Codecs.builder().allowPackage("io.rockpool.spring").build());
    manager.setDefaults(
        RockpoolCacheConfiguration.defaults()
            .ttl(Duration.ofMinutes(10))
            .nullTtl(Duration.ofSeconds(5)));
    cache = manager.getCache("cache");
  }

  @AfterEach
  final void close() {
    manager.close();
    pool.close();
  }
}
