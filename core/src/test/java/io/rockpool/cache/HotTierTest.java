package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Expiry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HotTierTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 300_000;
  private static final int BYTES = 5_000;

  private static HotEntry entry(Object payload) {
    return new HotEntry(payload, Expiry.NEVER, 0, Expiry.NEVER, 0, 1, null);
  }

  @Test
  void holdsWhatWasPutAndNotRemoved() {
    HotTier tier = new HotTier(100, 0, false);
    assertThat(tier.holds("a")).isFalse();
    tier.put("a", entry(1));
    tier.put("a", entry(2));
    assertThat(tier.holds("a")).isTrue();
    assertThat(tier.get("a").payload()).isEqualTo(2);
    tier.remove("a");
    tier.remove("a");
    assertThat(tier.mayHold("a")).isFalse();
    assertThat(tier.get("a")).isNull();
    tier.put("a", entry(3));
    assertThat(tier.mayHold("a")).isTrue();
    tier.clear();
    assertThat(tier.mayHold("a")).isFalse();
    assertThat(tier.get("a")).isNull();
    assertThat(tier.size()).isZero();
  }

  /** So many keys with the same hash that their slot cannot count them. */
  @Test
  void keysOfOneHashAreFoundHoweverManyThereAre() {
    record Same(int number) {
      @Override
      public int hashCode() {
        return 7;
      }
    }
    HotTier tier = new HotTier(10_000, 0, false);
    for (int i = 0; i < 600; i++) {
      tier.put(new Same(i), entry(i));
    }
    for (int i = 0; i < 599; i++) {
      tier.remove(new Same(i));
      assertThat(tier.holds(new Same(i))).isFalse();
    }
    assertThat(tier.holds(new Same(599))).isTrue();
  }

  @Test
  void aFullTierWantsOnlyWhatComesAgain() {
    HotTier tier = new HotTier(10, 0, false);
    for (int i = 0; tier.wants(-1 - i); i++) {
      tier.put(i, entry(i));
    }
    assertThat(tier.wants("first")).isFalse();
    assertThat(tier.wants("first")).isTrue();
  }

  /** Although other threads use Caffeine's lock meanwhile. */
  @Test
  void itsBytesAreThoseOfAllThatWasPut() throws Exception {
    HotTier tier = new HotTier(0, 2 * BYTES, false);
    AtomicBoolean done = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              while (!done.get()) {
                tier.hottest(BYTES);
              }
            });
    other.start();
    try {
      for (int i = 1; i <= BYTES; i++) {
        tier.put(i, entry(i));
        assertThat(tier.memory().bytes()).isEqualTo(i);
      }
    } finally {
      done.set(true);
      other.join();
    }
  }

  /**
   * Each thread has keys of its own, so that nobody else puts them; Caffeine evicts them meanwhile.
   */
  @Test
  void whatItDoesNotHoldCannotBeReadEither() throws Exception {
    HotTier tier = new HotTier(8, 0, false);
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<Callable<Integer>> owners = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int owner = i;
        owners.add(() -> putAndLookAway(tier, owner));
      }
      int absent = 0;
      for (Future<Integer> owner : executor.invokeAll(owners)) {
        absent += owner.get();
      }
      assertThat(absent).isPositive();
    } finally {
      executor.shutdownNow();
    }
  }

  private static int putAndLookAway(HotTier tier, int owner) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int absent = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Integer key = owner + THREADS * random.nextInt(8);
      if (!tier.holds(key)) {
        absent++;
        assertThat(tier.get(key)).isNull();
        tier.put(key, entry(i));
      } else if (random.nextInt(4) == 0) {
        tier.remove(key);
        assertThat(tier.get(key)).isNull();
      }
    }
    return absent;
  }
}
