package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentStructure;
import io.rockpool.testing.DocumentExamples;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.TestServer;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A function runs once for a key: its result and its changes are one transaction. */
final class OnceTest {
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();
  private final AtomicInteger runs = new AtomicInteger();
  private Rockpool pool = Rockpool.inMemory();

  /** The stores that a test runs on. */
  private enum Store {
    EMBEDDED,
    MEMORY,
    ADVERSARIAL
  }

  private record Receipt(String id, long cents) {}

  @AfterEach
  void close() {
    pool.close();
  }

  private void open(Store store) {
    pool.close();
    pool =
        switch (store) {
          case EMBEDDED -> Rockpool.at(directory).clock(clock).memoryBytes(16L << 20).open();
          case MEMORY -> Rockpool.at(o -> TestServer.open(clock)).open();
          case ADVERSARIAL ->
              Rockpool.at(o -> MemoryEngine.builder().clock(clock).adversary(7).build()).open();
        };
  }

  private PersistentCounter counter() {
    return pool.counter("counter");
  }

  /** Counts its run in the store, and returns how many there were. */
  private long count(String key) {
    PersistentCounter counter = counter();
    return pool.<Long>once(
        key,
        DAY,
        tx -> {
          runs.incrementAndGet();
          return counter.incrementAndGet();
        });
  }

  private record Payment(String id, String from, String to, long cents) {}

  private Receipt pay(Payment payment) {
    // ONCE
    PersistentMap<String, Long> accounts = pool.map("accounts", String.class, Long.class);
    Receipt receipt =
        pool.once(
            "pay/" + payment.id(),
            Duration.ofDays(1),
            tx -> {
              accounts.merge(payment.from(), -payment.cents(), Long::sum);
              accounts.merge(payment.to(), payment.cents(), Long::sum);
              return new Receipt(payment.id(), payment.cents());
            });
    // ONCE
    return receipt;
  }

  @Test
  void theProgramOfTheDocument() {
    Payment payment = new Payment("p-1", "ann", "bob", 5);
    assertThat(pay(payment)).isEqualTo(pay(payment));
    assertThat(pool.map("accounts", String.class, Long.class))
        .containsOnly(Map.entry("ann", -5L), Map.entry("bob", 5L));
    DocumentExamples.assertIn("docs/once.md", "ONCE", OnceTest.class);
  }

  /** As the document says: the caller opens what the function uses. */
  @ParameterizedTest
  @EnumSource
  void aNameIsNotOpenedForTheFirstTimeInside(Store store) {
    open(store);
    assertThatThrownBy(
            () -> pool.once("a", DAY, tx -> pool.map("fresh", String.class, Long.class).size()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("fresh");
    assertThat(pool.names().find("fresh").isPresent()).isFalse();
    assertThat(count("a")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void theSecondCallReturnsTheResultOfTheFirst(Store store) {
    open(store);
    assertThat(count("a")).isEqualTo(1);
    assertThat(count("a")).isEqualTo(1);
    assertThat(count("b")).isEqualTo(2);
    assertThat(counter().get()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void theResultEndsWithItsTimeToLive(Store store) {
    open(store);
    count("a");
    clock.advanceMillis(DAY.toMillis() - 1);
    assertThat(count("a")).isEqualTo(1);
    clock.advanceMillis(1);
    assertThat(count("a")).isEqualTo(2);
    pool.once("kept", PersistentStructure.FOREVER, tx -> 7);
    clock.advanceMillis(Duration.ofDays(100_000).toMillis());
    assertThat(pool.<Integer>once("kept", DAY, tx -> 8)).isEqualTo(7);
    assertThatThrownBy(() -> pool.once("none", Duration.ZERO, tx -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("positive");
  }

  @ParameterizedTest
  @EnumSource
  void aFailureKeepsNothing(Store store) {
    open(store);
    PersistentCounter counter = counter();
    assertThatThrownBy(
            () ->
                pool.once(
                    "a",
                    DAY,
                    tx -> {
                      counter.incrementAndGet();
                      throw new IllegalArgumentException("no");
                    }))
        .hasMessage("no");
    assertThat(counter.get()).isZero();
    assertThatThrownBy(
            () ->
                pool.once(
                    "a",
                    DAY,
                    tx -> {
                      counter.incrementAndGet();
                      return Thread.currentThread();
                    }))
        .isInstanceOf(UnencodableValueException.class);
    assertThat(counter.get()).isZero();
    assertThat(count("a")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void everyKindOfResultComesBack(Store store) {
    open(store);
    Receipt receipt = new Receipt("r-1", 12);
    Object[] results = {
      "text", 1, 2L, new byte[] {0}, receipt, List.of(Optional.of(1)), Optional.empty(), true
    };
    for (int i = 0; i < results.length; i++) {
      Object result = results[i];
      pool.once("key " + i, DAY, tx -> result);
      Object again = pool.once("key " + i, DAY, tx -> "another");
      assertThat(again).isEqualTo(result);
    }
    assertThat(pool.<Object>once("null", DAY, tx -> null)).isNull();
    assertThat(pool.<Object>once("null", DAY, tx -> 1)).isNull();
  }

  @Test
  void resultsAreThereAfterReopening() {
    open(Store.EMBEDDED);
    Receipt receipt = new Receipt("r-1", 1);
    pool.once("a", DAY, tx -> receipt);
    open(Store.EMBEDDED);
    assertThat(pool.<Receipt>once("a", DAY, tx -> new Receipt("r-2", 2))).isEqualTo(receipt);
    assertThat(pool.verify().isClean()).isTrue();
    assertThat(pool.forgetOnce("a")).isTrue();
    assertThat(pool.forgetOnce("a")).isFalse();
    assertThat(pool.<Integer>once("a", DAY, tx -> 2)).isEqualTo(2);
    assertThat(pool.names().drop("rockpool:once")).isTrue();
    assertThat(pool.<Integer>once("a", DAY, tx -> 3)).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void manyThreadsRunItOnce(Store store) throws Exception {
    open(store);
    for (int round = 0; round < 20; round++) {
      String key = "key " + round;
      int before = runs.get();
      long expected = round + 1L;
      Threads.run(Threads.CONTENDERS, thread -> assertThat(count(key)).isEqualTo(expected));
      if (store != Store.ADVERSARIAL) { // which makes it run again
        assertThat(runs.get()).isEqualTo(before + 1);
      }
      assertThat(counter().get()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "MEMORY"})
  void anotherThreadWaitsAndRunsItselfAfterAFailure(Store store) throws Exception {
    open(store);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch fail = new CountDownLatch(1);
    PersistentCounter counter = counter();
    Running<Object> first =
        Threads.start(
            () ->
                pool.<Object>once(
                    "a",
                    DAY,
                    tx -> {
                      counter.incrementAndGet();
                      inside.countDown();
                      awaitIn(fail);
                      throw new IllegalArgumentException("no");
                    }));
    Threads.await(inside);
    Running<Long> second = Threads.start(() -> count("a"));
    second.awaitWaiting();
    assertThat(pool.<String>once("another key", DAY, tx -> "runs")).isEqualTo("runs");
    assertThat(runs.get()).isZero();
    fail.countDown();
    assertThatThrownBy(first::result).hasRootCauseMessage("no");
    assertThat(second.result()).isEqualTo(1);
  }

  private static void awaitIn(CountDownLatch latch) {
    try {
      Threads.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void itJoinsATransaction(Store store) {
    open(store);
    counter();
    assertThatThrownBy(
            () ->
                pool.runAtomically(
                    tx -> {
                      count("a"); // opens the table of results
                      throw new IllegalArgumentException("no");
                    }))
        .hasMessage("no");
    assertThat(counter().get()).isZero();
    pool.runAtomically(
        tx -> {
          assertThat(count("a")).isEqualTo(1);
          assertThat(count("a")).isEqualTo(1);
        });
    assertThat(count("a")).isEqualTo(1);
    assertThat(counter().get()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aFailureThatATransactionCatchesUndoesItsPartOnly(Store store) {
    open(store);
    PersistentCounter counter = counter();
    pool.runAtomically(
        tx -> {
          counter.incrementAndGet();
          assertThatThrownBy(
                  () ->
                      pool.once(
                          "a",
                          DAY,
                          inner -> {
                            counter.addAndGet(10);
                            throw new IllegalArgumentException("no");
                          }))
              .hasMessage("no");
        });
    assertThat(counter.get()).isEqualTo(1);
    assertThat(count("a")).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "MEMORY"})
  void transactionsWithTheSameKeyRunItOnce(Store store) throws Exception {
    open(store);
    counter();
    for (int round = 0; round < 20; round++) {
      String key = "key " + round;
      long expected = round + 1L;
      Threads.run(
          Threads.CONTENDERS,
          thread -> {
            long result = thread % 2 == 0 ? count(key) : pool.<Long>atomically(tx -> count(key));
            assertThat(result).isEqualTo(expected);
          });
      assertThat(counter().get()).isEqualTo(expected);
    }
  }

  @Test
  void twoHandlesOfTheSameDataHaveOneEffect() throws Exception {
    MemoryEngine engine = MemoryEngine.builder().shared().build();
    try (Rockpool first = Rockpool.at(o -> engine).open();
        Rockpool second = Rockpool.at(o -> engine.openAnother()).open()) {
      Rockpool[] pools = {first, second};
      PersistentCounter[] counters = {first.counter("counter"), second.counter("counter")};
      for (int round = 0; round < 20; round++) {
        String key = "key " + round;
        long expected = round + 1L;
        Threads.run(
            4,
            thread -> {
              PersistentCounter counter = counters[thread % 2];
              long result = pools[thread % 2].<Long>once(key, DAY, tx -> counter.incrementAndGet());
              assertThat(result).isEqualTo(expected);
            });
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneInsideAnother(Store store) {
    open(store);
    counter();
    assertThat(pool.<Long>once("outer", DAY, tx -> 10 * count("inner"))).isEqualTo(10);
    assertThat(count("inner")).isEqualTo(1);
    assertThatThrownBy(() -> pool.once("same", DAY, tx -> count("same")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("same key");
    assertThat(count("same")).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void actionsRunAfterTheCommitOfTheRunThatHadAnEffect(Store store) {
    open(store);
    AtomicInteger told = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      pool.once(
          "a",
          DAY,
          tx -> {
            tx.afterCommit(told::incrementAndGet);
            return 1;
          });
    }
    assertThat(told.get()).isEqualTo(1);
  }
}
