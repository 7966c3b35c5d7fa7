package io.rockpool.cache;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A test of refreshes, step by step: the test itself is the executor. */
abstract class RefreshSteps extends OnEverySetup {
  static final Duration SOFT = Duration.ofSeconds(10);
  static final Duration HARD = Duration.ofSeconds(60);

  final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  final AtomicInteger source = new AtomicInteger(1);

  PersistentCache<String, Integer> cache(CacheOptions<String, Integer> options) {
    return cache(CacheExpiry.afterWrite(HARD), options);
  }

  PersistentCache<String, Integer> cache(
      CacheExpiry<Object, Object> expiry, CacheOptions<String, Integer> options) {
    return pool.cache(
        "numbers",
        String.class,
        Integer.class,
        o -> options.expiry(expiry).refreshExecutor(waiting::add));
  }

  CacheOptions<String, Integer> options() {
    return setup.options();
  }

  CacheOptions<String, Integer> soft() {
    return options().softTtl(SOFT).refreshLoader(key -> source.incrementAndGet());
  }

  void runWaiting() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  void pass(Duration time) {
    clock.advanceMillis(time.toMillis());
  }

  static @Nullable Integer nothing() {
    return null;
  }
}
