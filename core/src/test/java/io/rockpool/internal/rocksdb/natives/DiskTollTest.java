package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.structure.PersistentMap;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writers wait for evictions as long as they must, and never longer. */
@Timeout(30)
final class DiskTollTest {
  private static final long BUDGET = 8 << 20;

  private final DiskToll toll = new DiskToll();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger measured = new AtomicInteger();

  @AfterEach
  void interruptsAreNotLeft() {
    Thread.interrupted();
  }

  /** Writes more than is allowed, with an excess that is measured again and again. */
  private void exceed(DoubleSupplier excess) {
    toll.payTo(
        new DiskToll.Collector() {
          @Override
          public void lookSoon() {
            looks.incrementAndGet();
          }

          @Override
          public double excess(String space) {
            measured.incrementAndGet();
            return excess.getAsDouble();
          }
        });
    toll.allow(1_000, BUDGET);
    toll.wrote(1_001);
  }

  private long payMillis() {
    long start = System.nanoTime();
    toll.pay("space");
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  @Test
  void whoWritesWhatIsAllowedMeasuresNothing() {
    exceed(() -> 1);
    toll.allow(1_000, BUDGET);
    toll.wrote(1_000);
    toll.pay("space");
    assertThat(measured).hasValue(0);
    assertThat(looks).hasValue(1);
  }

  @Test
  void aLookIsRequestedOnceUntilItIsDone() {
    exceed(() -> 0);
    toll.wrote(1_000);
    toll.pay("space");
    assertThat(looks).hasValue(1);
    assertThat(measured).hasValue(1);
    assertThat(toll.due).isTrue();
  }

  @Test
  void aWriterWaitsUntilThereIsRoom() {
    exceed(() -> measured.get() < 5 ? 1 : 0);
    toll.pay("space");
    assertThat(measured).hasValue(5);
  }

  @Test
  void aWriterWaitsForASecondAtMost() {
    exceed(() -> 7);
    assertThat(payMillis()).isGreaterThanOrEqualTo(1_000);
  }

  @Test
  void theWaitIsProportional() {
    exceed(() -> 0.05);
    toll.pay("space");
    assertThat(measured.get()).isLessThanOrEqualTo(1 + 50 / 2);
  }

  @Test
  void anInterruptedWriterDoesNotWait() {
    exceed(() -> 1);
    Thread.currentThread().interrupt();
    toll.pay("space");
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThat(measured).hasValue(0);
  }

  @Test
  void closingEndsTheWait() {
    exceed(
        () -> {
          toll.stop();
          return 1;
        });
    toll.pay("space");
    assertThat(measured).hasValue(1);
  }

  @Test
  void aLookThatFindsNothingToEvictEndsTheWait() {
    exceed(
        () -> {
          toll.allow(1_000, BUDGET);
          return 1;
        });
    toll.pay("space");
    assertThat(measured).hasValue(1);
  }

  @Test
  void aFailedMeasurementFailsNoWrite() {
    exceed(
        () -> {
          throw new StoreIoException("The disk is gone.", null, null);
        });
    toll.pay("space");
    assertThat(measured).hasValue(1);
  }

  @Test
  void aThreadWithALockWaitsAfterItsRelease() {
    exceed(() -> measured.get() < 5 ? 1 : 0);
    OrderedLock key = new OrderedLock(LockLevel.KEYS);
    key.lock();
    try {
      toll.pay("space");
      assertThat(measured).hasValue(0);
    } finally {
      key.unlock();
    }
    assertThat(measured).hasValue(5);
  }

  /** It holds rows of another store until then. */
  @Test
  void aThreadInATransactionOfAnotherStoreWaitsAfterIt(@TempDir Path directory) {
    exceed(() -> measured.get() < 5 ? 1 : 0);
    try (Rockpool other = Rockpool.open(directory)) {
      PersistentMap<String, String> map = other.map("m", String.class, String.class);
      other.runAtomically(
          tx -> {
            map.put("k", "v");
            toll.pay("space");
            assertThat(measured).hasValue(0);
          });
    }
    assertThat(measured).hasValue(5);
  }

  /** It pays once for each space of each store, in the one second. */
  @Test
  void aThreadWithALockPaysForAllThatItWrote() {
    Map<String, Integer> measures = new TreeMap<>();
    DiskToll other = new DiskToll();
    for (DiskToll each : List.of(toll, other)) {
      each.payTo(
          new DiskToll.Collector() {
            @Override
            public void lookSoon() {}

            @Override
            public double excess(String space) {
              return measures.merge(space, 1, Integer::sum) < 3 ? 1 : 0;
            }
          });
      each.allow(0, BUDGET);
    }
    OrderedLock key = new OrderedLock(LockLevel.KEYS);
    key.lock();
    try {
      for (int i = 0; i < 100; i++) {
        toll.pay("first");
        toll.pay("second");
        other.pay("of another store");
      }
      assertThat(measures).isEmpty();
    } finally {
      key.unlock();
    }
    assertThat(measures).containsOnlyKeys("first", "second", "of another store");
    assertThat(measures.values()).containsOnly(3);
  }

  @Test
  void allPaymentsTogetherTakeASecondAtMost() {
    exceed(() -> 1);
    OrderedLock key = new OrderedLock(LockLevel.KEYS);
    long start;
    key.lock();
    try {
      for (int i = 0; i < 10; i++) {
        toll.pay("space " + i);
      }
      start = System.nanoTime();
    } finally {
      key.unlock();
    }
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(1_000L, 3_000L);
    start = System.nanoTime();
    toll.pay("a", "b", "c", "d", "e");
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(1_000L, 3_000L);
  }

  @Test
  void bulksPayInPartsOfTheSmallestBudget() {
    toll.allow(1_000, BUDGET);
    assertThat(toll.partBytes()).isEqualTo((int) BUDGET / 64);
    exceed(() -> 0);
    assertThat(toll.partBytes()).isEqualTo(64 << 10);
    toll.allow(1_000, 1_000);
    assertThat(toll.partBytes()).isEqualTo(64 << 10);
    toll.allow(1_000, Long.MAX_VALUE);
    assertThat(toll.partBytes()).isEqualTo(4 << 20);
  }
}
