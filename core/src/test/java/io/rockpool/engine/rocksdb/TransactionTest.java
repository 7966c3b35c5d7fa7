package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.store.Durability;
import io.rockpool.testing.StoreExtension;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How transactions over any rows use the embedded engine's locks and log. */
@Timeout(60)
final class TransactionTest {

  @RegisterExtension final StoreExtension<RocksDbEngine> store = StoreExtension.ofEngine();

  private RocksDbEngine engine;
  private Space space;

  @BeforeEach
  void open() {
    engine = store.get();
    space = engine.create(new SpaceSpec("entries", Layout.ENTRIES, Map.of()));
  }

  private static byte[] key(int number) {
    return ("key" + number).getBytes(StandardCharsets.US_ASCII);
  }

  private void put(byte[] key) {
    space.put(key, Space.NO_SORT_KEY, key, Expiry.NEVER);
  }

  private long sequence() {
    return engine.internals().database().latestSequence();
  }

  @Test
  void itIsOneWriteOrNone() {
    long before = sequence();
    engine.atomically(() -> space.get(key(1), Space.NO_SORT_KEY));
    assertThat(sequence()).isEqualTo(before);
    engine.atomically(
        () -> {
          for (int i = 0; i < 100; i++) {
            put(key(i));
            put(key(i));
          }
          assertThat(sequence()).isEqualTo(before);
          return true;
        });
    assertThat(sequence()).isEqualTo(before + 100);
  }

  /** Everyone's locks are free again, whatever became of the transaction. */
  @Test
  void itLetsGoOfItsLocks() throws InterruptedException {
    assertThatThrownBy(
            () ->
                engine.atomically(
                    () -> {
                      for (int i = 0; i < 2_000; i++) {
                        put(key(i));
                      }
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                put(key(i));
              }
            });
    thread.start();
    thread.join();
    assertThat(space.get(key(1_999), Space.NO_SORT_KEY)).isNotNull();
  }

  /**
   * Two that hold what the other wants: one waits, the other gives way, and both get through with
   * one more run at most.
   */
  @Test
  void whoCannotWaitGivesWayOnce() throws InterruptedException {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch bothHoldOne = new CountDownLatch(2);
    Thread other = new Thread(() -> takeBoth(key(1), key(2), bothHoldOne, runs));
    other.start();
    takeBoth(key(2), key(1), bothHoldOne, runs);
    other.join();
    assertThat(runs.get()).isBetween(2, 3);
    assertThat(space.get(key(1), Space.NO_SORT_KEY)).isNotNull();
    assertThat(space.get(key(2), Space.NO_SORT_KEY)).isNotNull();
  }

  private void takeBoth(
      byte[] first, byte[] second, CountDownLatch bothHoldOne, AtomicInteger runs) {
    engine.atomically(
        () -> {
          runs.incrementAndGet();
          put(first);
          bothHoldOne.countDown();
          try {
            bothHoldOne.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          put(second);
          return true;
        });
  }

  /** The strongest durability of what was written through counts, not that of what was read. */
  @Test
  void itIsAsDurableAsItsStrongestHandle() {
    Space buffered = space.withDurability(Durability.BUFFERED);
    engine.internals().writePath().takeUnsynced();
    engine.atomically(
        () -> {
          space.get(key(1), Space.NO_SORT_KEY);
          buffered.put(key(1), Space.NO_SORT_KEY, key(1), Expiry.NEVER);
          return true;
        });
    assertThat(engine.internals().writePath().takeUnsynced()).isFalse();
    engine.atomically(
        () -> {
          space.withDurability(Durability.PERIODIC).delete(key(2), Space.NO_SORT_KEY);
          space.withDurability(Durability.PERIODIC).put(key(2), Space.NO_SORT_KEY, key(2), 1);
          buffered.put(key(1), Space.NO_SORT_KEY, key(1), Expiry.NEVER);
          return true;
        });
    assertThat(engine.internals().writePath().takeUnsynced()).isTrue();
  }
}
