package io.rockpool.cache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.NotEncrypted;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The hot keys of several stores on one engine's data. */
@Timeout(60)
@NotEncrypted("opens engines of its own")
final class SharedHotKeysTest {
  private final FakeClock clock = new FakeClock();
  private final MemoryEngine first = MemoryEngine.builder().clock(clock).shared().build();

  @AfterEach
  void close() {
    first.close();
  }

  /** A store in which these keys are hot; it has the entries of all keys. */
  private Rockpool withHot(int from, int to) {
    Rockpool pool = Rockpool.at(o -> first.openAnother()).open();
    PersistentCache<Integer, String> cache = cache(pool);
    for (int key = from; key < to; key++) {
      cache.put(key, "v");
    }
    return pool;
  }

  private static PersistentCache<Integer, String> cache(Rockpool pool) {
    PersistentCache<Integer, String> cache =
        pool.cache("cache", Integer.class, String.class, options -> options.hotEntries(10_000));
    Objects.requireNonNull(cache.warmRestart).broughtBack.orTimeout(30, SECONDS).join();
    return cache;
  }

  private long warmed() {
    try (Rockpool pool = Rockpool.at(o -> first.openAnother()).open()) {
      return cache(pool).statistics().warmed();
    }
  }

  @Test
  void theyAreThoseOfOneStoreAndNotMixed() {
    Rockpool few = withHot(0, 30); // all of them open, cold
    Rockpool many = withHot(1_000, 6_000);
    many.close();
    few.close();
    assertThat(warmed()).as("of the one that closed last, few").isEqualTo(30);
  }

  /** The keys of a large store are not the end of the list of a small one that saves later. */
  @Test
  void eachStoreReplacesItsOwnOnly() {
    Rockpool many = withHot(0, 5_000);
    Rockpool few = withHot(5_000, 5_010);
    Objects.requireNonNull(cache(many).warmRestart).keep();
    Objects.requireNonNull(cache(few).warmRestart).keep();
    assertThat(warmed()).isEqualTo(10);
    cache(many).put(-1, "v");
    Objects.requireNonNull(cache(many).warmRestart).keep();
    few.close(); // nothing was used since, so it does not save again
    assertThat(warmed()).as("reports may keep some out").isGreaterThan(1_000);
    many.close();
  }

  @Test
  void thoseOfStoresThatHaveEndedExpire() {
    withHot(0, 100).close();
    assertThat(records()).isPositive();
    clock.advanceMillis(HotKeys.KEPT.toMillis() + 1);
    assertThat(records()).isZero();
    assertThat(warmed()).isZero();
  }

  private int records() {
    int records = 0;
    try (Cursor all = Objects.requireNonNull(first.open("rockpool:hot/cache")).scanAll()) {
      while (all.next()) {
        records++;
      }
    }
    return records;
  }
}
